#include "codegen/common/emit.hpp"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;

namespace tine::codegen {

std::mutex& llvm_options() {
  static auto* mutex = new std::mutex;  // outlives threads that still compile when the process ends
  return *mutex;
}

std::unique_ptr<llvm::Module> translate(ModuleOp module, llvm::LLVMContext& context) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> m = translateModuleToLLVMIR(module, context, "tine");
  if (!m) emitError(module.getLoc()) << "the module does not translate to LLVM IR";
  return m;
}

std::unique_ptr<llvm::TargetMachine> target_machine(ModuleOp module, llvm::StringRef triple_text, llvm::StringRef cpu, llvm::StringRef features) {
  std::string why;
  llvm::Triple triple(triple_text);
  const llvm::Target* t = llvm::TargetRegistry::lookupTarget(triple, why);
  if (!t) return emitError(module.getLoc()) << why, nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return std::unique_ptr<llvm::TargetMachine>(
      t->createTargetMachine(triple, cpu, features, options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

void set_target(llvm::Module& m, llvm::TargetMachine& machine) {
  m.setTargetTriple(machine.getTargetTriple());
  m.setDataLayout(machine.createDataLayout());
  for (llvm::Function& f : m) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty()) f.addFnAttr("target-features", machine.getTargetFeatureString());
    f.setDoesNotThrow();
  }
}

void optimize(llvm::Module& m, llvm::TargetMachine& machine, llvm::StringRef passes) {
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

void print(llvm::Module& m, std::string& out) {
  llvm::raw_string_ostream os(out);
  m.print(os, nullptr);
}

bool emit_file(llvm::Module& m, llvm::TargetMachine& machine, llvm::CodeGenFileType type, llvm::SmallVectorImpl<char>& out) {
  llvm::raw_svector_ostream os(out);
  llvm::legacy::PassManager pm;
  if (machine.addPassesToEmitFile(pm, os, nullptr, type)) return false;
  pm.run(m);
  return true;
}

}  // namespace tine::codegen
