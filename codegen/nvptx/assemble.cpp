#include "codegen/nvptx/assemble.hpp"
#include <cstdint>
#include "codegen/abi/gpu_artefact.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace tine::nvptx {
namespace {

/// nvJitLink.h's functions, as far as they are needed: handles are pointers, results are 0 for success.
struct JitLink {
  using Handle = void*;
  int (*create)(Handle*, uint32_t, const char**) = nullptr;
  int (*destroy)(Handle*) = nullptr;
  int (*add)(Handle, int input, const void*, size_t, const char*) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*cubin_size)(Handle, size_t*) = nullptr;
  int (*cubin)(Handle, void*) = nullptr;
  int (*error_size)(Handle, size_t*) = nullptr;
  int (*error)(Handle, char*) = nullptr;
  int (*info_size)(Handle, size_t*) = nullptr;
  int (*info)(Handle, char*) = nullptr;
  int (*version)(unsigned*, unsigned*) = nullptr;
  static constexpr int ptx_input = 2;

  bool open(const Toolkit& toolkit) {
    std::string path;
    void* library = open_library(toolkit, "nvJitLink", path);
    auto get = [&](auto& f, const char* name) {
      f = library ? reinterpret_cast<std::decay_t<decltype(f)>>(symbol(library, name)) : nullptr;
      return f != nullptr;
    };
    return get(create, "nvJitLinkCreate") && get(destroy, "nvJitLinkDestroy") && get(add, "nvJitLinkAddData") &&
           get(complete, "nvJitLinkComplete") && get(cubin_size, "nvJitLinkGetLinkedCubinSize") && get(cubin, "nvJitLinkGetLinkedCubin") &&
           get(error_size, "nvJitLinkGetErrorLogSize") && get(error, "nvJitLinkGetErrorLog") &&
           get(info_size, "nvJitLinkGetInfoLogSize") && get(info, "nvJitLinkGetInfoLog") && get(version, "nvJitLinkVersion");
  }
  std::string text(Handle h, int (*size)(Handle, size_t*), int (*get)(Handle, char*)) const {
    size_t n = 0;
    if (size(h, &n) || !n) return "";
    std::string s(n, 0);
    if (get(h, s.data())) return "";
    return llvm::StringRef(s.c_str()).rtrim().str();
  }
};

AssembleError with_nvjitlink(const JitLink& link, const std::string& ptx, const Target& target, bool line_tables, MachineCode& code,
                             std::string& log) {
  unsigned major = 0, minor = 0;
  link.version(&major, &minor);
  code.tool = "nvJitLink " + std::to_string(major) + "." + std::to_string(minor);
  std::string arch = "-arch=" + target.cpu();
  const char* options[] = {arch.c_str(), "-verbose", "-lineinfo"};
  JitLink::Handle h = nullptr;
  if (link.create(&h, line_tables ? 3 : 2, options)) return log = code.tool + " does not know " + target.cpu(), AssembleError::tool_failed;
  size_t n = 0;
  bool ok = link.add(h, JitLink::ptx_input, ptx.c_str(), ptx.size() + 1, TINE_GPU_ENTRY) == 0 && link.complete(h) == 0 && link.cubin_size(h, &n) == 0;
  if (ok) {
    code.cubin.resize(n);
    ok = link.cubin(h, code.cubin.data()) == 0;
  }
  log = link.text(h, ok ? link.info_size : link.error_size, ok ? link.info : link.error);
  link.destroy(&h);
  return ok ? AssembleError::none : AssembleError::bad_ptx;
}

AssembleError with_ptxas(const std::string& program, const std::string& ptx, const Target& target, bool line_tables, MachineCode& code,
                         std::string& log) {
  code.tool = "ptxas";
  llvm::SmallString<128> in, out, said;
  std::error_code e = llvm::sys::fs::createTemporaryFile("tine", "ptx", in);
  llvm::FileRemover remove_in(in);
  if (!e) e = llvm::sys::fs::createTemporaryFile("tine", "cubin", out);
  llvm::FileRemover remove_out(out);
  if (!e) e = llvm::sys::fs::createTemporaryFile("tine", "log", said);
  llvm::FileRemover remove_said(said);
  if (!e) {
    llvm::raw_fd_ostream os(in, e);
    if (!e) os << ptx;
    os.close();
    if (os.has_error()) e = os.error(), os.clear_error();
  }
  if (e) return log = "a temporary file cannot be written: " + e.message(), AssembleError::tool_failed;
  std::string arch = "-arch=" + target.cpu(), failed;
  llvm::SmallVector<llvm::StringRef> arguments = {program, arch, "-v", in, "-o", out};
  if (line_tables) arguments.push_back("-lineinfo");
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(said), llvm::StringRef(said)};
  int rc = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &failed);
  auto words = llvm::MemoryBuffer::getFile(said);
  log = words ? (*words)->getBuffer().rtrim().str() : "";
  if (rc < 0) return log = "`" + program + "` does not run: " + failed, AssembleError::tool_failed;
  if (rc > 0 && llvm::StringRef(log).contains("'gpu-name'")) return log = "`" + program + "` does not know " + target.cpu(), AssembleError::tool_failed;
  if (rc > 0) return AssembleError::bad_ptx;
  auto cubin = llvm::MemoryBuffer::getFile(out, false, false);
  if (!cubin) return log = "`" + program + "` wrote nothing", AssembleError::tool_failed;
  code.cubin = (*cubin)->getBuffer().str();
  return AssembleError::none;
}

/// The number before a piece of text, 0 where the text is not there: `before("Used 24 registers", " registers")`.
int before(llvm::StringRef line, llvm::StringRef unit) {
  size_t end = line.find(unit);
  if (end == llvm::StringRef::npos) return 0;
  llvm::StringRef digits = line.take_front(end);
  size_t start = digits.find_last_not_of("0123456789");
  int n = 0;
  digits.substr(start + 1).getAsInteger(10, n);
  return n;
}

/// Bytes of constant memory that the kernel takes, its parameters included. The log says so for old architectures alone.
int constant_bytes(llvm::StringRef cubin, llvm::StringRef kernel) {
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(cubin);
  if (!file) return llvm::consumeError(file.takeError()), 0;
  auto sections = file->sections();
  if (!sections) return llvm::consumeError(sections.takeError()), 0;
  uint64_t bytes = 0;
  for (const auto& section : *sections) {
    auto name = file->getSectionName(section);
    if (!name) llvm::consumeError(name.takeError());
    else if (name->starts_with(".nv.constant") && name->ends_with(("." + kernel).str())) bytes += section.sh_size;
  }
  return int(bytes);
}

}  // namespace

AssembleError assemble(const std::string& ptx, const Target& target, bool line_tables, const Toolkit& toolkit, MachineCode& code, std::string& why) {
  JitLink link;
  std::string log;
  AssembleError error = AssembleError::no_toolkit;
  // The library links, and so makes code that could be linked (`ptxas -c`): it takes more registers, and large kernels spill.
  if (!toolkit.ptxas.empty()) error = with_ptxas(toolkit.ptxas, ptx, target, line_tables, code, log);
  // The library may be of a newer release than the program.
  if ((error == AssembleError::no_toolkit || error == AssembleError::tool_failed) && link.open(toolkit))
    error = with_nvjitlink(link, ptx, target, line_tables, code, log);
  switch (error) {
    case AssembleError::none: break;
    case AssembleError::no_toolkit:
      why = "machine code for " + target.cpu() + " needs nvJitLink or ptxas of a CUDA toolkit, release 12 or 13, and neither was found (" +
            places(toolkit) + "); install one, or set CUDA_HOME to its folder; PTX needs neither";
      return error;
    case AssembleError::tool_failed: why = "machine code for " + target.cpu() + " was not made: " + log; return error;
    case AssembleError::bad_ptx: why = code.tool + " refuses the PTX: " + log; return error;
  }
  if (!parse_log(log, TINE_GPU_ENTRY, code.resources)) return why = code.tool + " says nothing of the kernel: " + log, AssembleError::bad_ptx;
  code.resources.constant = constant_bytes(code.cubin, TINE_GPU_ENTRY);
  return AssembleError::none;
}

bool parse_log(llvm::StringRef log, llvm::StringRef kernel, Resources& resources) {
  resources = {};
  bool ours = false, found = false;
  for (llvm::StringRef rest = log; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    if (line.contains("Compiling entry function") || line.contains("Function properties for")) {
      size_t at = line.find(kernel);
      ours = at != llvm::StringRef::npos && !(at + kernel.size() < line.size() && (llvm::isAlnum(line[at + kernel.size()]) || line[at + kernel.size()] == '_'));
    }
    if (!ours) continue;
    if (line.contains("stack frame")) {
      resources.stack = before(line, " bytes stack frame");
      resources.spill_stores = before(line, " bytes spill stores");
      resources.spill_loads = before(line, " bytes spill loads");
    }
    if (line.contains("Used ")) {
      found = true;
      resources.registers = before(line, " registers");
      resources.barriers = before(line, " barriers");
      resources.static_shared = before(line, " bytes smem");
    }
  }
  return found;
}

int blocks_per_multiprocessor(const Target& target, const Resources& r, const Launch& launch) {
  auto up = [](int64_t n, int64_t to) { return (n + to - 1) / to * to; };
  int64_t warps = up(launch.threads, 32) / 32;
  int64_t blocks = std::min<int64_t>(target.blocks_per_sm, target.threads_per_sm / (warps * 32));
  // Registers are given out by the warp, 256 at a time, from the files of the four quarters.
  if (r.registers) blocks = std::min(blocks, 4 * (Target::registers_per_sm / 4 / up(int64_t(r.registers) * 32, 256)) / warps);
  int64_t shared = up(r.static_shared + launch.dynamic_shared, 128) + Target::shared_reserved;
  return int(std::min(blocks, target.shared_per_sm / shared));
}

std::string report(const Target& target, const MachineCode& code, const Launch& launch) {
  const Resources& r = code.resources;
  const std::pair<const char*, int64_t> numbers[] = {
      {"threads", launch.threads}, {"registers", r.registers}, {"spill_store_bytes", r.spill_stores}, {"spill_load_bytes", r.spill_loads},
      {"stack_bytes", r.stack}, {"static_shared_bytes", r.static_shared}, {"dynamic_shared_bytes", launch.dynamic_shared},
      {"constant_bytes", r.constant}, {"barriers", r.barriers}, {"blocks_per_multiprocessor", blocks_per_multiprocessor(target, r, launch)},
      {"code_bytes", int64_t(code.cubin.size())}};
  std::string json = "{\n  \"entry\": \"" TINE_GPU_ENTRY "\",\n  \"target\": \"nvptx:" + target.cpu() + "\",\n  \"tool\": \"" + code.tool + "\"";
  for (auto& [name, value] : numbers) json += ",\n  \"" + std::string(name) + "\": " + std::to_string(value);
  return json + "\n}\n";
}

}  // namespace tine::nvptx
