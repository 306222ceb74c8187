// A call's tensors as the launch half's arguments.
#pragma once
#include <cstdint>
#include <span>

#include "runtime/aot/entry.h"
#include "runtime/aot/message.hpp"
#include "runtime/aot/view.hpp"
#include "tine/argument.hpp"

namespace tine::aot {

inline constexpr int max_sources = 64, max_rank = 16, max_targets = 64;  // `tinec build` refuses more

/// Space for a call's arguments on its stack.
struct Arguments {
  Arguments() {}  // nothing is initialised that is not used
  union {
    Argument of[max_sources];
  };
  int64_t dims[max_sources * 2 * max_rank];  // those of of[i].dims
  int count = 0;
  std::span<const Argument> span() const { return {of, static_cast<std::size_t>(count)}; }
};

const char* type_name(int dtype);  ///< "f32"; "of no type" for numbers that are none

/// Position of the instance that has the tensors' element types and ranks; -1 with a message if there is none.
/// Scalars count as whatever `read_arguments` can read from them.
int find_instance(Base, const PackedKernel&, const tine_tensor* const* tensors);
bool fits(Base, const PackedInstance&, const tine_tensor* const* tensors);

/// Fills in `out`. False with a message for null shapes and scalars that do not fit.
bool read_arguments(Base, const PackedKernel&, const PackedInstance&, const tine_tensor* const* tensors,
                    Arguments& out);

/// "`a` 3x5, `b` 5x7": shapes of all tensors.
void add_shapes(Base, const PackedInstance&, std::span<const Argument>, Words<1024>&);

}  // namespace tine::aot
