// LLVM IR, machine code and the ELF file.
#include <chrono>
#include <mutex>
#include "codegen/cpu/link.hpp"
#include "codegen/cpu/pipeline.hpp"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;

namespace tine::cpu {
namespace {

struct Clock {
  bool log;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  void operator()(const char* name) {
    auto now = std::chrono::steady_clock::now();
    if (log) llvm::errs() << llvm::format("%8.2f ms  %s\n", std::chrono::duration<double, std::milli>(now - start).count(), name);
    start = now;
  }
};

/// What the nests leave to do, and no more: a third of the time of LLVM's own O2. Our nests are vectorised and unrolled
/// already; what remains is index arithmetic to hoist and to share.
constexpr const char* passes =
    "function("
    "sroa,"                 // tiles on the stack of a few elements become registers
    "early-cse<memssa>,"    // bounds that several accesses share
    "simplifycfg,"
    "loop-mssa(loop-rotate,licm),"  // one branch a round; index arithmetic and invariant loads out of the loops
    "gvn,"                  // what hoisting made equal
    "instcombine<no-verify-fixpoint>,"  // address forms that the target has; else LLVM ends the process where one round is not enough
    "simplifycfg)";

void optimize(llvm::Module& m, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cam;
  llvm::ModuleAnalysisManager mam;
  llvm::PassBuilder pb(&machine);
  pb.registerModuleAnalyses(mam);
  pb.registerCGSCCAnalyses(cam);
  pb.registerFunctionAnalyses(fam);
  pb.registerLoopAnalyses(lam);
  pb.crossRegisterProxies(lam, fam, cam, mam);
  llvm::ModulePassManager pm;
  llvm::cantFail(pb.parsePassPipeline(pm, passes));
  pm.run(m, mam);
}

}  // namespace

LogicalResult emit_code(ModuleOp module, const Target& target, Stage stage, std::string& out, bool log) {
  Clock done{log};
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> m = translateModuleToLLVMIR(module, context, "tine");
  if (!m) return emitError(module.getLoc()) << "the module does not translate to LLVM IR";
  done("translate to LLVM IR");

  std::string why;
  llvm::Triple triple(target.triple);
  const llvm::Target* t = llvm::TargetRegistry::lookupTarget(triple, why);
  if (!t) return emitError(module.getLoc()) << why;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;  // the language allows contraction to fma
  std::unique_ptr<llvm::TargetMachine> machine(
      t->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
  m->setTargetTriple(triple);
  m->setDataLayout(machine->createDataLayout());
  for (llvm::Function& f : *m) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty()) f.addFnAttr("target-features", target.features);
    f.addFnAttr("prefer-vector-width", std::to_string(target.vectors.vector_bytes * 8));
    f.addFnAttr("no-builtins");  // loops stay loops: an artefact cannot call memset
    f.setDoesNotThrow();
  }
  optimize(*m, *machine);
  done("optimise");
  if (stage == Stage::llvm) {
    llvm::raw_string_ostream os(out);
    m->print(os, nullptr);
    return success();
  }

  llvm::SmallVector<char, 0> code;
  {
    llvm::raw_svector_ostream os(code);
    llvm::legacy::PassManager pm;
    auto type = stage == Stage::assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
    if (machine->addPassesToEmitFile(pm, os, nullptr, type)) return emitError(module.getLoc()) << "the target cannot emit this kind of file";
    pm.run(*m);
  }
  done("machine code");
  if (stage == Stage::assembly) {
    out.append(code.begin(), code.end());
    return success();
  }
  std::string error;
  if (!link_shared_object({code.data(), code.size()}, out, error)) return emitError(module.getLoc()) << "the linker failed: " << error;
  done("link");
  return success();
}

}  // namespace tine::cpu
