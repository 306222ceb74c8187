// Where code comes from: memory, else disk, else the compiler. One for the whole process.
#pragma once
#include <cstdint>
#include <string>

#include "runtime/jit/compile.hpp"
#include "runtime/launch/call.hpp"
#include "runtime/launch/device.hpp"

namespace tine::jit {

/// What happened in this process so far.
struct Statistics {
  int64_t compiled = 0;    ///< kernels that the compiler made
  int64_t from_disk = 0;   ///< kernels that the disk cache gave
  int64_t compile_ns = 0;  ///< time in the compiler, with opening it
  int64_t load_ns = 0;     ///< time for turning bytes into functions
};
Statistics statistics();

/// Code for the CPU, loaded, or an image for a GPU.
struct Found {
  launch::Code code;
  const launch::Image* image = nullptr;
  explicit operator bool() const { return code.entry || image; }
};

/// The code, compiled at most once however many threads ask at the same time (each waits for the one that compiles; if
/// that fails, the next one tries).
Found find_code(const launch::TracedKernel&, const graph::Specialization&, const Request&);

/// All that code depends on, as text: the key of the caches.
std::string cache_key(const launch::TracedKernel&, const graph::Specialization&, const Request&,
                      const std::string& compiler);

/// Forgets the code in memory (it stays loaded); for tests.
void forget_code();

}  // namespace tine::jit
