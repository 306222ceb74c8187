// libtine-compiler: the C ABI of codegen/abi/compiler_abi.h. Work runs on threads of its own, which have deep stacks and one
// MLIRContext each, so that a host's small stack or its own use of LLVM cannot disturb a compile.
#include <elf.h>
#include <link.h>
#include <cstring>
#include <new>
#include <string>
#include "codegen/abi/compiler_abi.h"
#include "codegen/cpu/pipeline.hpp"
#include "codegen/driver/workers.hpp"
#include "codegen/nvptx/pipeline.hpp"
#include "codegen/nvptx/toolkit.hpp"
#include "compiler/import/import_graph.hpp"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace tine {
namespace {

/// A result and the strings it points to, in one allocation that the caller frees.
struct Result : tine_compile_result {
  std::string data_bytes, message_text, file_text;
};

void fail(Result& r, int status, std::string message) {
  r.status = status;
  r.message_text = std::move(message);
}

/// The first error's words and place. Errors with the note "user error" or "too large" are the user's, and name the kernel; all others are ours.
struct Diagnostics {
  Result& r;
  std::string kernel;
  ScopedDiagnosticHandler handler;
  Diagnostics(MLIRContext& context, Result& result, const std::string& name) : r(result), kernel("`" + name + "`: "), handler(&context, [this](Diagnostic& d) {
    if (d.getSeverity() != DiagnosticSeverity::Error || r.status != TINE_COMPILE_OK) return success();
    int status = TINE_COMPILE_INTERNAL_ERROR;
    for (Diagnostic& note : d.getNotes()) {
      if (note.str() == "user error") status = TINE_COMPILE_USER_ERROR;
      if (note.str() == "too large") status = TINE_COMPILE_TOO_LARGE;
    }
    std::string said = d.str();
    if (status != TINE_COMPILE_INTERNAL_ERROR && !llvm::StringRef(said).starts_with(kernel)) said = kernel + said;
    fail(r, status, said);
    d.getLocation()->walk([&](Location l) {
      auto place = dyn_cast<FileLineColLoc>(l);
      if (!place) return WalkResult::advance();
      r.file_text = place.getFilename().str();
      r.line = int(place.getLine());
      return WalkResult::interrupt();
    });
    return success();
  }) {}
};

/// A graph that calls CUDA C++, for a target that cannot.
void refuse_cuda_functions(const graph::Graph& graph, const std::string& target, Result& r) {
  for (const graph::Node& n : graph.nodes) {
    if (n.op != graph::Op::foreign) continue;
    fail(r, TINE_COMPILE_USER_ERROR, "`" + graph.kernel + "`: `" + graph.foreign[size_t(n.attr)].name + "` is a CUDA function, which runs on NVIDIA targets only, not on `" +
                                         target + "`; compile for one, for example `nvptx:sm_80`");
    if (n.loc.file < 0) return;
    r.file_text = graph.files[size_t(n.loc.file)];
    r.line = n.loc.line;
    return;
  }
}

/// Imports the request's graph and runs a pipeline on it. Gives a status if the request does not deserialise.
void run(const tine_compile_request& q, MLIRContext& context, Result& r, bool cuda_functions, llvm::function_ref<LogicalResult(ModuleOp)> pipeline) {
  graph::Graph graph;
  graph::Specialization specialization;
  try {
    graph = graph::deserialize({static_cast<const std::byte*>(q.graph), q.graph_size});
    specialization = graph::deserialize_specialization({static_cast<const std::byte*>(q.specialization), q.specialization_size});
  } catch (const std::exception& e) {
    return fail(r, TINE_COMPILE_INTERNAL_ERROR, e.what());
  }
  if (!cuda_functions && !graph.foreign.empty()) return refuse_cuda_functions(graph, q.target ? q.target : "cpu", r);
  Diagnostics diagnostics(context, r, graph.kernel);
  OwningOpRef<ModuleOp> module = compiler::import_graph(context, graph, specialization);
  if (module && succeeded(pipeline(*module))) return;
  if (r.status == TINE_COMPILE_OK) fail(r, TINE_COMPILE_INTERNAL_ERROR, "the compiler gave up without a reason");
  r.data_bytes.clear();
}

void compile_for_cpu(const tine_compile_request& q, llvm::StringRef name, llvm::StringRef stage_name, MLIRContext& context, Result& r) {
  cpu::Target target;
  cpu::Stage stage;
  codegen::Options options;
  std::string why;
  if (!cpu::parse_stage(stage_name, stage, why) || !codegen::parse_options(q.options ? q.options : "", false, options, why) ||
      !cpu::parse_target(name, target, why))
    return fail(r, TINE_COMPILE_USER_ERROR, why);
  target.vectors.fast_math = options.fast_math;
  target.vectors.second_cache = int64_t(options.l2) << 10;
  run(q, context, r, false, [&](ModuleOp module) { return cpu::run_pipeline(module, target, stage, r.data_bytes, options.log); });
}

void compile_for_nvptx(const tine_compile_request& q, llvm::StringRef name, llvm::StringRef stage_name, MLIRContext& context, Result& r) {
  nvptx::Target target;
  nvptx::Stage stage;
  codegen::Options options;
  std::string why;
  if (!nvptx::parse_stage(stage_name, stage, why) || !codegen::parse_options(q.options ? q.options : "", true, options, why) ||
      !nvptx::parse_target(name, target, why))
    return fail(r, TINE_COMPILE_USER_ERROR, why);
  nvptx::load_dialects(context);
  run(q, context, r, true, [&](ModuleOp module) { return nvptx::run_pipeline(module, target, options, stage, r.data_bytes); });
}

void compile(const tine_compile_request& q, MLIRContext& context, Result& r) {
  llvm::StringRef target = q.target ? q.target : "cpu", stage = q.stage ? q.stage : "artefact";
  llvm::StringRef family = target.split(':').first;
  if (family == "cpu") return compile_for_cpu(q, target, stage, context, r);
  if (family == "nvptx") return compile_for_nvptx(q, target, stage, context, r);
  fail(r, TINE_COMPILE_USER_ERROR, "target `" + target.str() + "` is unknown; there are `cpu`, `cpu:LEVEL` and `nvptx:sm_XX`");
}

/// The linker's build id of this library: changes with every byte of it.
std::string own_build_id() {
  struct Search { ElfW(Addr) address; std::string id; } search{ElfW(Addr)(&own_build_id), ""};
  dl_iterate_phdr([](dl_phdr_info* info, size_t, void* p) {
    auto& s = *static_cast<Search*>(p);
    bool here = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& h = info->dlpi_phdr[i];
      here |= h.p_type == PT_LOAD && s.address >= info->dlpi_addr + h.p_vaddr && s.address < info->dlpi_addr + h.p_vaddr + h.p_memsz;
    }
    if (!here) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& h = info->dlpi_phdr[i];
      if (h.p_type != PT_NOTE) continue;
      const char* at = reinterpret_cast<const char*>(info->dlpi_addr + h.p_vaddr);
      const char* end = at + h.p_memsz;
      while (at + sizeof(ElfW(Nhdr)) <= end) {
        auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
        const char* name = at + sizeof *note;
        const char* data = name + (note->n_namesz + 3) / 4 * 4;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !std::memcmp(name, "GNU", 4))
          for (unsigned k = 0; k < note->n_descsz; ++k) {
            static const char hex[] = "0123456789abcdef";
            s.id += hex[static_cast<unsigned char>(data[k]) >> 4];
            s.id += hex[data[k] & 15];
          }
        at = data + (note->n_descsz + 3) / 4 * 4;
      }
    }
    return 1;
  }, &search);
  return search.id;
}

}  // namespace
}  // namespace tine

extern "C" {

__attribute__((visibility("default"))) tine_compile_result* tine_compiler_compile(const tine_compile_request* request) {
  auto* r = new (std::nothrow) tine::Result();
  if (!r) return nullptr;
  r->status = TINE_COMPILE_OK;
  if (!request || request->abi_version != TINE_COMPILER_ABI_VERSION)
    tine::fail(*r, TINE_COMPILE_INTERNAL_ERROR, "the run time and the compiler are of different versions");
  else
    tine::run_on_worker([&](mlir::MLIRContext& context) { tine::compile(*request, context, *r); });
  r->data = r->data_bytes.data();
  r->size = r->data_bytes.size();
  r->message = r->message_text.c_str();
  r->file = r->file_text.c_str();
  return r;
}

__attribute__((visibility("default"))) void tine_compiler_free(tine_compile_result* result) { delete static_cast<tine::Result*>(result); }

__attribute__((visibility("default"))) const char* tine_compiler_build_id(void) {
  static const std::string id = tine::own_build_id() + "-llvm-" LLVM_VERSION_STRING;
  return id.c_str();
}

__attribute__((visibility("default"))) const char* tine_compiler_host_target(void) {
  static const std::string target = [] {
    tine::cpu::Target t;
    std::string why;
    tine::cpu::parse_target("cpu", t, why);
    return t.triple + "-" + t.cpu + "-" + t.features;
  }();
  return target.c_str();
}

__attribute__((visibility("default"))) const char* tine_compiler_toolkit(void) {
  static const std::string text = tine::nvptx::describe(tine::nvptx::find_toolkit());
  return text.c_str();
}

}  // extern "C"
