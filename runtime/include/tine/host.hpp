// What `make` calls in libtine: plain types and functions. Not for users. They throw the errors of tine/error.hpp, so
// the host and libtine must be built with one C++ library.
#pragma once
#include <cstddef>
#include <cstdint>

#include "tine/argument.hpp"
#include "tine/device.hpp"
#include "tine/error.hpp"

namespace tine {
namespace core {
struct Definition;
}
namespace host {

struct KernelState;  // owned by tine::Kernel

/// Takes over the caller's reference to the definition, also when it throws. Traces once under the default config.
TINE_API KernelState* create(core::Definition*);
TINE_API KernelState* copy(const KernelState*);
TINE_API void destroy(KernelState*) noexcept;
TINE_API void set_meta(KernelState*, const char* name, int64_t value);
TINE_API void set_option(KernelState*, const char* key, const char* value);
TINE_API void set_threads(KernelState*, int threads);
TINE_API void set_device(KernelState*, const char* device);
/// Number, types and ranks of the arguments are known to be right.
TINE_API void call(const KernelState*, const Argument*, std::size_t count);
/// The same on a stream of a GPU, which must be the one that the kernel runs on.
TINE_API void call_on(const KernelState*, const Argument*, std::size_t count, Gpu*, void* stream);
/// They are checked.
TINE_API void checked_call(const KernelState*, const Argument*, std::size_t count);
TINE_API int64_t programs(const KernelState*, const Argument*, std::size_t count);
/// "bm=64 bn=128"; valid until the kernel is changed or destroyed.
TINE_API const char* config(const KernelState*);
[[noreturn]] TINE_API void fail_scalar_range(const KernelState*, int source, long double value);

}  // namespace host

/// What the JIT did in this process so far.
struct JitStatistics {
  int64_t compiled;    ///< kernels that the compiler made
  int64_t from_disk;   ///< kernels that the disk cache gave
  int64_t compile_ns;  ///< time in the compiler, with opening it
  int64_t load_ns;     ///< time for turning artefacts into functions
};
TINE_API JitStatistics jit_statistics();

}  // namespace tine
