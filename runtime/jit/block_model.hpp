// Which block sizes to use where nobody has said: a model of the caches and threads, for kernels that multiply tiles.
//
// Candidates are tried on paper, for the sizes of the call. The time of a call is the work of all programs over the
// threads, and not less than one program; the work of a program is, for each product of tiles,
//   - multiplications, by the number of panels and rows that the register block makes of the tile. They are slower where
//     a panel of a single product's b (k deep, two vectors wide) does not stay in the first cache, or a copy of a in the second;
//   - the accumulator's way through the caches, once: a loop that sums products up is one contraction;
//   - packing b, once for all programs in a row that share it, and widening a into a copy.
// The first candidate wins unless another one is clearly better: it is the one that was measured.
//
// The choice is a matter of speed and of the order of sums alone. It is made before tracing, so that the graph, and with
// it every cache key, is that of the chosen sizes.
#pragma once
#include <optional>
#include <span>

#include "runtime/launch/traced_kernel.hpp"

namespace tine::jit {

struct HostModel {
  int64_t l1 = 32 << 10, l2 = 1 << 20;  ///< bytes of the data caches of one core
  int64_t vector_bytes = 64;
  int threads = 1;
};
/// This machine, or what the knobs TINE_L1 and TINE_L2 say of its caches.
HostModel host_model(int threads);

/// Whether the model has anything to say about a kernel: it multiplies tiles.
bool multiplies(const graph::Graph&);

/// The time of a call in cycles, as far as candidates differ in it. None if a size does not fit in 64 bits, or nothing runs.
std::optional<double> estimate(const launch::TracedKernel&, std::span<const Argument>, const HostModel&);

}  // namespace tine::jit
