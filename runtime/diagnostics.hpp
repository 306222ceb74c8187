// What the run time can complain about: one registry, so that every sentence can be read in one place and a test can
// hold that each of them is provoked by a test. `{0}`, `{1}`, ... are filled in by `fail`.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

// clang-format off
// X(name, error type, text)
#define TINE_RUNTIME_DIAGNOSTICS(X)                                                                                    \
  /* arguments */                                                                                                      \
  X(argument_count, UserError,                                                                                         \
    "kernel {0} takes {1} arguments ({2}), but was called with {3}")                                                   \
  X(argument_type, UserError, "kernel {0}: parameter {1} has elements of type {2}, but the argument has {3}")          \
  X(argument_rank, UserError, "kernel {0}: parameter {1} has rank {2}, but the argument has rank {3} (shape {4})")     \
  X(scalar_range, UserError,                                                                                           \
    "kernel {0}: parameter {1} is the scalar {2}, which does not fit its type {3}")                                    \
  X(null_data, UserError,                                                                                              \
    "kernel {0}: the data of parameter {1} (shape {2}) is null; only a tensor without elements may have "              \
    "none")                                                                                                            \
  X(negative_extent, UserError, "kernel {0}: parameter {1} has shape {2}; sizes cannot be negative")                   \
  X(address_overflow, UserError,                                                                                       \
    "kernel {0}: parameter {1} with shape {2} and strides {3} reaches beyond a 64-bit address space")                  \
  X(read_only, UserError,                                                                                              \
    "kernel {0} stores to parameter {1}, but the argument is a view of const elements; pass a view of "                \
    "elements that may be written")                                                                                    \
  X(view_too_small, UserError, "a view of shape {0} needs {1} elements, but the container has {2}")                    \
  X(dlpack_type, UserError,                                                                                            \
    "the DLPack tensor has elements of code {0}, {1} bits and {2} lanes, which is not the view's type {3}")            \
  X(dlpack_rank, UserError, "the DLPack tensor has {0} dims, but the view has rank {1}")                               \
  X(dlpack_device, UserError,                                                                                          \
    "the DLPack tensor lies on a device of type {0}; views take the host's (1) and CUDA's (2, 3, 13)")                 \
  X(wrong_memory, UserError,                                                                                           \
    "kernel {0}: the data of parameter {1} lies on {2}, but the kernel runs on `{3}`; copy it there, or run the kernel " \
    "where it lies (`device`)")                                                                                        \
  X(misaligned_data, UserError,                                                                                        \
    "kernel {0}: the data of parameter {1} begins at an address that is no multiple of its elements' {2} bytes, which " \
    "`{3}` cannot read")                                                                                               \
  /* what the graph demands of sizes */                                                                                \
  X(grid_mismatch, UserError,                                                                                          \
    "kernel {0}: the outermost shapes of the parameters differ: {1}; arrange them so that all have the "               \
    "same number of programs along each dim")                                                                          \
  X(require_failed, UserError, "kernel {0}: requirement {1} does not hold: {2}; called with {3}")                      \
  X(check_equal, UserError,                                                                                            \
    "kernel {0}: {1} needs {2} and {3} to be equal, but they are {4} and {5}; called with {6}")                        \
  X(check_one, UserError, "kernel {0}: {1} needs {2} to be 1, but it is {3}; called with {4}")                         \
  X(check_one_or_equal, UserError,                                                                                     \
    "kernel {0}: {1} needs {2} to be 1 or equal to {3}, but they are {4} and {5}; called with {6}")                    \
  X(check_positive, UserError, "kernel {0}: {1} needs {2} to be positive, but it is {3}; called with {4}")             \
  X(check_nonneg, UserError, "kernel {0}: {1} needs {2} not to be negative, but it is {3}; called with {4}")           \
  X(check_order, UserError, "kernel {0}: {1} needs {2} {3} {4}, but they are {5} and {6}; called with {7}")            \
  X(check_in_range, UserError,                                                                                         \
    "kernel {0}: {1} needs {2} to lie in [0, {3}), but it is {4} and the end is {5}; called with {6}")                 \
  X(size_overflow, UserError, "kernel {0}: the sizes are too large: {1} does not fit in 64 bits; called with {2}")     \
  X(too_many_programs, UserError,                                                                                      \
    "kernel {0}: a grid of {1} has more programs than 64 bits can count; called with {2}")                             \
  /* options */                                                                                                        \
  X(unknown_meta, UserError, "kernel {0} has no meta-parameter `{1}`; it has {2}")                                     \
  X(meta_value, UserError, "kernel {0}: meta-parameter `{1}` cannot be {2}; it must be positive")                      \
  X(option_text, UserError, "`{0}` is not a compile option; options are `key=value` without `;`")                      \
  X(bad_threads, UserError,                                                                                            \
    "a call cannot run on {0} threads; 0 stands for one for each CPU, 1 for the caller's alone")                       \
  X(no_tile_unit, RuntimeError,                                                                                        \
    "target `{0}` needs a processor with AMX, and a system that lets this process use it; `cpu` is this machine as it is") \
  X(foreign_target, RuntimeError,                                                                                      \
    "code for target `{0}` does not run on this processor; `TINE_TARGET` takes `cpu`, which is this machine, or a lesser " \
    "one such as `cpu:x86-64-v3`; for GPUs there is `TINE_DEVICE`")                                                     \
  X(bad_device, RuntimeError, "device `{0}` is unknown; there are {1}")                                                \
  X(wrong_stream, UserError,                                                                                           \
    "kernel {0} runs on `{1}`, but the stream belongs to `{2}`; choose the kernel's device with `device`")             \
  X(no_memory_of_its_own, UserError,                                                                                   \
    "`cpu` has no memory, streams or events of its own: kernels take the host's memory there")                         \
  /* GPU devices */                                                                                                    \
  X(no_driver, RuntimeError,                                                                                           \
    "the library of NVIDIA's driver could not be opened ({0}); install the driver (then `nvidia-smi` lists the GPU) or " \
    "set `TINE_CUDA_LIBRARY` to the library's file; without a GPU, `emulated:sm_80` runs the same code")               \
  X(old_driver, RuntimeError,                                                                                          \
    "`{0}` has no function `{1}`: it is no library of NVIDIA's driver, or one from before CUDA 11; install a newer "   \
    "driver")                                                                                                          \
  X(no_gpu, RuntimeError,                                                                                              \
    "NVIDIA's driver finds no GPU ({0}); `nvidia-smi` should list one, and `CUDA_VISIBLE_DEVICES` may hide it; without " \
    "a GPU, `emulated:sm_80` runs the same code")                                                                      \
  X(driver_failed, RuntimeError, "NVIDIA's driver does not start ({0}); `nvidia-smi` may say more")                    \
  X(no_such_gpu, RuntimeError, "there is no device `{0}`: NVIDIA's driver has {1}, of which the last is `cuda:{2}`")   \
  X(gpu_too_old, RuntimeError, "`{0}` is of sm_{1}, but kernels are compiled for sm_{2} and later")                    \
  X(driver_too_old_for_ptx, RuntimeError,                                                                              \
    "the driver of `{1}` does not know the version of PTX that kernel {0} is in ({2}); install a newer driver, or set " \
    "the option `code=cubin` where the CUDA toolkit is installed")                                                     \
  X(too_much_shared, RuntimeError,                                                                                     \
    "kernel {0} needs {1} bytes of shared memory for each block, but `{2}` has {3}")                                   \
  X(sick_context, RuntimeError,                                                                                        \
    "an earlier kernel on `{0}` has failed ({1}), and nothing runs in its context any more: start the process anew; "  \
    "`synchronize` after each call shows which kernel it was, and on `emulated:sm_80` it is told what it did")         \
  X(gpu_failed, RuntimeError, "`{0}`: {1} failed ({2})")                                                               \
  X(stream_of_other_gpu, UserError, "the stream belongs to another GPU than `{0}`")                                    \
  X(finding, RuntimeError,                                                                                             \
    "kernel {0} on `{1}`: {2}: {3}; block ({4}), thread ({5}), line {6} of its PTX")                                   \
  X(wrong_architecture, RuntimeError, "kernel {0} was compiled for sm_{1}, which `{2}` does not run")                  \
  X(machine_code, RuntimeError,                                                                                        \
    "kernel {0} was compiled to machine code, which `{1}` cannot run; leave out the option `code=cubin`")              \
  X(launch_refused, RuntimeError, "kernel {0} cannot be launched on `{1}`: {2}")                                       \
  X(report_unwritten, RuntimeError,                                                                                    \
    "the report of a launch cannot be written to `{0}`; `TINE_EMULATED_REPORTS` names a folder")                       \
  X(device_memory, RuntimeError, "`{0}` has no {1} bytes of memory left ({2})")                                        \
  X(device_range, UserError, "memory of `{0}`: {1}")                                                                   \
  X(event_unrecorded, UserError, "the time between two events is known only when both have been recorded")             \
  /* surroundings */                                                                                                   \
  X(knob_value, RuntimeError, "environment variable `{0}` is `{1}`, which is not {2}")                                 \
  X(no_compiler, RuntimeError,                                                                                         \
    "the compiler could not be opened ({0}); it is looked for beside `libtine.so` as "                                 \
    "`libtine-compiler.so`, or set `TINE_COMPILER_LIBRARY` to its file")                                               \
  X(bad_compiler, RuntimeError, "`{0}` is not a compiler for this version of Tine: it does not export `{1}`")          \
  X(load_failed, RuntimeError, "the code of kernel {0} could not be loaded ({1})")                                     \
  X(out_of_memory, RuntimeError,                                                                                       \
    "kernel {0} needs {1} bytes of scratch memory for each thread, which the system does not give")                    \
  X(compile_failed, UserError, "{0}") /* a whole sentence of the compiler */                                           \
  X(too_large_for_gpu, UserError, "{0}; {1}") /* the compiler's sentence, and a way out */                             \
  /* ours */                                                                                                           \
  X(compiler_bug, InternalError,                                                                                       \
    "kernel {0}: {1}; this is a bug in Tine, not in your program: please report it with the file {2}")                 \
  X(artefact_bug, InternalError,                                                                                       \
    "kernel {0}: the compiled code is unusable: {1}; this is a bug in Tine, not in your program: please report it "    \
    "with the file {2}")
// clang-format on

namespace tine {

enum class Diag : uint8_t {
#define X(name, type, text) name,
  TINE_RUNTIME_DIAGNOSTICS(X)
#undef X
      count_
};

/// Where in the user's source; line 0 means unknown.
struct Where {
  std::string_view file = {};
  int line = 0;
};

/// Throws the error of the registry, with its text filled in.
[[noreturn]] void fail(Diag, Where, std::initializer_list<std::string_view> arguments);
const char* name(Diag);
/// How often `fail` was called for it in this process; for the test that every diagnostic is provoked.
int64_t provoked(Diag);

/// `x` in backticks.
std::string ticked(std::string_view x);

}  // namespace tine
