// Every environment variable that Tine reads, in one typed place. Those that change generated code enter the key of
// every cache by themselves (`code_text`); the table in docs/runtime.md is generated from here and a test compares the
// two.
#pragma once
#include <cstdint>
#include <span>
#include <string>

// clang-format off
// X(member, variable, type, default, changes code, meaning)
#define TINE_KNOBS(X)                                                                                                  \
  X(cache, "TINE_CACHE", flag, "on", false, "use the disk cache")                                                      \
  X(cache_dir, "TINE_CACHE_DIR", text, "", false,                                                                      \
    "folder of the disk cache; by default `$XDG_CACHE_HOME/tine`, else `$HOME/.cache/tine`")                           \
  X(cache_limit, "TINE_CACHE_LIMIT", integer, "1024", false,                                                           \
    "size in MiB above which the disk cache drops what was used longest ago")                                          \
  X(num_threads, "TINE_NUM_THREADS", integer, "0", false,                                                              \
    "threads that run the programs of one call, the caller's included; 0: one for each CPU this process may use")      \
  X(spin, "TINE_SPIN", integer, "20", false, "microseconds for which an idle worker thread spins before it sleeps")    \
  X(l1, "TINE_L1", integer, "0", false,                                                                                \
    "size in KiB of a core's first data cache, for the choice of block sizes; 0: what the system says")                \
  X(l2, "TINE_L2", integer, "0", false, "the same of its second cache")                                               \
  X(compiler_library, "TINE_COMPILER_LIBRARY", text, "", false,                                                        \
    "file of the compiler; by default `libtine-compiler.so` beside `libtine.so`")                                      \
  X(cuda_library, "TINE_CUDA_LIBRARY", text, "", false,                                                                \
    "file of NVIDIA's driver library; by default `libcuda.so.1`")                                                      \
  X(target, "TINE_TARGET", text, "cpu", true,                                                                          \
    "what CPU code is generated for, such as `cpu:x86-64-v3`; `cpu` is this machine")                                  \
  X(device, "TINE_DEVICE", text, "cpu", false,                                                                         \
    "where kernels run whose device is not set: `cpu`, `cuda`, `cuda:1`, `emulated:sm_80`, ...")                       \
  X(emulated_reports, "TINE_EMULATED_REPORTS", text, "", false,                                                        \
    "folder in which each launch on an emulated device leaves its PTX and what the machine counted")                   \
  X(options, "TINE_OPTIONS", text, "", true, "compile options `key=value;key=value`; those set on a callable win")     \
  X(reproducer_dir, "TINE_REPRODUCER_DIR", text, "", false,                                                            \
    "folder for the files that internal errors leave; by default `$TMPDIR`, else `/tmp`")                              \
  X(log, "TINE_LOG", flag, "off", false, "say on stderr what is compiled, loaded and cached")
// clang-format on

namespace tine::knobs {

enum class Type : uint8_t { flag, integer, text };  ///< on/off/1/0; a non-negative number; anything
const char* name(Type);

struct Knob {
  const char* variable;
  Type type;
  const char* default_text;
  bool changes_code;
  const char* meaning;
};
std::span<const Knob> all();

namespace detail {
template <Type T> struct Member;
template <> struct Member<Type::flag> { using type = bool; };
template <> struct Member<Type::integer> { using type = int64_t; };
template <> struct Member<Type::text> { using type = std::string; };
}  // namespace detail

struct Values {
#define X(member, variable, type_, default_, code, meaning) detail::Member<Type::type_>::type member{};
  TINE_KNOBS(X)
#undef X
};

/// The values, read from the environment at the first use. Throws RuntimeError for a value of the wrong type.
const Values& get();
/// Reads the environment again; for tests. Not to be called while kernels run.
void reload();
/// `variable=value;` of each knob that changes code and does not have its default.
std::string code_text();
/// The table of docs/runtime.md.
std::string markdown();

}  // namespace tine::knobs
