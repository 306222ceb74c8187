#include "runtime/jit/compiler_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "runtime/diagnostics.hpp"
#include "runtime/knobs.hpp"

namespace tine::jit {
namespace {

std::atomic<const CompilerLibrary*> opened{nullptr};
std::mutex mutex;

template <class F> void find(void* handle, const char* symbol, const std::string& file, F& out) {
  out = reinterpret_cast<F>(::dlsym(handle, symbol));
  if (out) return;
  ::dlclose(handle);
  fail(Diag::bad_compiler, {}, {file, symbol});
}

}  // namespace

std::string compiler_file() {
  if (const std::string& named = knobs::get().compiler_library; !named.empty()) return named;
  Dl_info self;
  if (!::dladdr(reinterpret_cast<const void*>(&compiler_file), &self) || !self.dli_fname) return "";
  const std::string file = self.dli_fname;
  const std::size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash);
  // Beside libtine; or, where the run time is linked into a program of a build folder, in lib beside bin.
  for (const std::string& candidate : {folder + "/libtine-compiler.so", folder + "/../lib/libtine-compiler.so"})
    if (::access(candidate.c_str(), R_OK) == 0) return candidate;
  return "";
}

bool compiler_is_open() { return opened.load(std::memory_order_acquire) != nullptr; }

CompilerLibrary open_compiler(const std::string& file) {
  if (file.empty()) fail(Diag::no_compiler, {}, {"no such file"});
  // A name without a slash would be searched for in the system's folders; RTLD_LOCAL keeps LLVM's symbols from the
  // host's.
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  // Lazily: a compile calls a fraction of the functions that LLVM would bind at once (10 ms).
  void* handle = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char* why = ::dlerror();
    fail(Diag::no_compiler, {}, {why ? why : file.c_str()});
  }
  CompilerLibrary found;
  find(handle, "tine_compiler_compile", file, found.compile);
  find(handle, "tine_compiler_free", file, found.free);
  find(handle, "tine_compiler_build_id", file, found.build_id);
  find(handle, "tine_compiler_host_target", file, found.host_target);
  find(handle, "tine_compiler_toolkit", file, found.toolkit);
  return found;
}

const CompilerLibrary& compiler_library() {
  if (const CompilerLibrary* c = opened.load(std::memory_order_acquire)) return *c;
  std::lock_guard lock(mutex);
  if (!opened.load(std::memory_order_acquire))
    opened.store(new CompilerLibrary(open_compiler(compiler_file())), std::memory_order_release);  // open until the end
  return *opened.load(std::memory_order_acquire);
}

}  // namespace tine::jit
