// LLVM IR, machine code and the ELF file.
#include "codegen/common/emit.hpp"
#include <mutex>
#include "codegen/common/steps.hpp"
#include "codegen/cpu/link.hpp"
#include "codegen/cpu/pipeline.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tine::cpu {
namespace {

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

}  // namespace

LogicalResult emit_code(ModuleOp module, const Target& target, Stage stage, std::string& out, bool log) {
  codegen::Clock done(log);
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  });
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> m = codegen::translate(module, context);
  if (!m) return failure();
  done("translate to LLVM IR");

  std::unique_ptr<llvm::TargetMachine> machine = codegen::target_machine(module, target.triple, target.cpu, target.features);
  if (!machine) return failure();
  codegen::set_target(*m, *machine);
  for (llvm::Function& f : *m) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("prefer-vector-width", std::to_string(target.vectors.vector_bytes * 8));
    f.addFnAttr("no-builtins");  // loops stay loops: an artefact cannot call memset
  }
  codegen::optimize(*m, *machine, passes);
  done("optimise");
  if (stage == Stage::llvm) return codegen::print(*m, out), success();

  llvm::SmallVector<char, 0> code;
  auto type = stage == Stage::assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (!codegen::emit_file(*m, *machine, type, code)) return emitError(module.getLoc()) << "the target cannot emit this kind of file";
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
