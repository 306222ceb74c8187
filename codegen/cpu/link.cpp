#include "codegen/cpu/link.hpp"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "codegen/common/emit.hpp"
#include "lld/Common/Driver.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

namespace tine::cpu {
namespace {

/// A file that lives in memory; lld knows only files.
struct MemoryFile {
  int fd;
  explicit MemoryFile(const char* name) : fd(memfd_create(name, MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (fd >= 0) close(fd);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }
};

}  // namespace

bool link_shared_object(llvm::StringRef object, std::string& out, std::string& error) {
  std::lock_guard lock(codegen::llvm_options());  // lld keeps its state in globals, too
  MemoryFile in("tine-object");
  if (in.fd < 0) return error = "memfd_create failed", false;
  for (size_t at = 0; at < object.size();) {
    ssize_t n = ::write(in.fd, object.data() + at, object.size() - at);
    if (n <= 0) return error = "writing the object failed", false;
    at += size_t(n);
  }
  // lld replaces its output file, so the output needs a name of its own.
  char dir[] = "/tmp/tine-XXXXXX";
  if (!mkdtemp(dir)) return error = "no temporary directory can be made", false;
  std::string result = std::string(dir) + "/kernel.so", input = in.path();
  const char* args[] = {"ld.lld", "-shared", "--no-undefined", "-z", "noseparate-code", "--hash-style=gnu", "--build-id=none", input.c_str(), "-o", result.c_str()};
  std::string said;
  llvm::raw_string_ostream os(said);
  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  lld::Result r = lld::lldMain(args, llvm::nulls(), os, drivers);
  bool ok = r.retCode == 0;
  if (ok) {
    auto file = llvm::MemoryBuffer::getFile(result, false, false);
    ok = bool(file);
    if (ok) out.append((*file)->getBufferStart(), (*file)->getBufferSize());
    else error = "the result cannot be read";
  } else {
    error = said;
  }
  unlink(result.c_str());
  rmdir(dir);
  return ok;
}

}  // namespace tine::cpu
