// LLVM IR, PTX and the artefact.
#include <mutex>
#include "codegen/abi/gpu_artefact.h"
#include "codegen/common/emit.hpp"
#include "codegen/common/line_tables.hpp"
#include "codegen/common/steps.hpp"
#include "codegen/nvptx/assemble.hpp"
#include "codegen/nvptx/cuda_functions.hpp"
#include "codegen/nvptx/pipeline.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

using namespace mlir;

namespace tine::nvptx {
namespace {

/// The one kernel, with the launch's facts as directives: `.reqntid`, so that the assembler knows how many registers a thread
/// can have, and `.minnctapersm`.
LLVM::LLVMFuncOp annotate_kernel(ModuleOp module, const Launch& launch) {
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(TINE_GPU_ENTRY);
  if (!kernel) return emitError(module.getLoc()) << "the module has no `" TINE_GPU_ENTRY "`", kernel;
  Builder b(module.getContext());
  kernel->setAttr("nvvm.kernel", b.getUnitAttr());
  kernel->setAttr("nvvm.reqntid", b.getDenseI32ArrayAttr({launch.threads}));
  // Without it ptxas spills a little to let one block more run; what a spill costs in the main loop is more than that gives.
  kernel->setAttr("nvvm.minctasm", b.getI32IntegerAttr(std::max(launch.min_blocks, 1)));
  return kernel;
}

/// A machine that addresses shared memory by 32 bits: half the registers and instructions for its addresses. LLVM has that as
/// an option of the process alone, which is read when a machine is made.
std::unique_ptr<llvm::TargetMachine> short_pointer_machine(ModuleOp module, const Target& target) {
  std::lock_guard lock(codegen::llvm_options());
  if (llvm::cl::Option* o = llvm::cl::getRegisteredOptions().lookup("nvptx-short-ptr")) static_cast<llvm::cl::opt<bool>*>(o)->setValue(true);
  return codegen::target_machine(module, "nvptx64-nvidia-cuda", target.cpu(), target.features());
}

/// Bytes of shared memory that the code declares by itself.
uint64_t static_shared(const llvm::Module& m) {
  uint64_t bytes = 0;
  for (const llvm::GlobalVariable& g : m.globals())
    if (g.getAddressSpace() == 3 && g.hasInitializer()) bytes += m.getDataLayout().getTypeAllocSize(g.getValueType());
  return bytes;
}

void write_artefact(tine_gpu_artefact header, tine_gpu_code kind, llvm::StringRef code, std::string& out) {
  header.code = kind;
  header.code_size = code.size() + (kind == TINE_GPU_PTX);
  char bytes[sizeof header];
  tine_gpu_artefact_write(&header, bytes);
  out.append(bytes, sizeof bytes);
  out.append(code.begin(), code.end());
  if (kind == TINE_GPU_PTX) out.push_back('\0');
}

/// What the lowering leaves to do, and no more: it unrolls and forms vectors itself. LLVM's own O3 takes twice the time, and takes
/// vectors of constant memory apart.
constexpr const char* passes =
    "function("
    "early-cse<memssa>,"            // addresses and ranges that several accesses share
    "instcombine<no-verify-fixpoint>,"
    "simplifycfg,"
    "loop-mssa(loop-rotate,licm),"  // one branch a round; index arithmetic and what does not change out of the loops
    "gvn,"                          // what hoisting made equal
    "loop(indvars),"                // indices of 32 bits where the bounds allow
    "instcombine<no-verify-fixpoint>,"
    "simplifycfg,"
    "adce)";

}  // namespace

LogicalResult emit_code(ModuleOp module, const Target& target, const codegen::Options& options, const Launch& launch, Stage stage,
                        std::string& out) {
  codegen::Clock done(options.log);
  const Toolkit toolkit = find_toolkit();
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  LLVM::LLVMFuncOp kernel = annotate_kernel(module, launch);
  if (!kernel) return failure();
  if (kernel.getNumArguments() > unsigned(Target::max_slots)) {
    auto error = emitError(kernel.getLoc()) << "the kernel takes " << kernel.getNumArguments() << " numbers and pointers, and "
                                            << target.cpu() << " takes " << Target::max_slots << "; use fewer tensors or fewer dims";
    error.attachNote() << "user error";
    return failure();
  }
  if (options.line_tables && failed(codegen::add_line_tables(module))) return failure();
  registerNVVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> m = codegen::translate(module, context);
  if (!m) return failure();
  done("translate to LLVM IR");

  std::unique_ptr<llvm::TargetMachine> machine = short_pointer_machine(module, target);
  if (!machine) return failure();
  codegen::set_target(*m, *machine);
  codegen::optimize(*m, *machine, passes);
  done("optimise");
  if (stage == Stage::llvm) return codegen::print(*m, out), success();

  llvm::SmallString<0> text;
  if (!codegen::emit_file(*m, *machine, llvm::CodeGenFileType::AssemblyFile, text))
    return emitError(module.getLoc()) << "the target cannot emit PTX";
  std::string ptx = text.str().str();
  done("PTX");
  if (failed(link_cuda_functions(module, target, toolkit, ptx))) return failure();
  done("CUDA functions");
  if (stage == Stage::ptx) return out += ptx, success();

  MachineCode code;
  if (stage == Stage::cubin || stage == Stage::resources || options.cubin) {
    std::string why;
    if (AssembleError e = assemble(ptx, target, options.line_tables, toolkit, code, why); e != AssembleError::none) {
      auto error = emitError(kernel.getLoc()) << why;
      if (e != AssembleError::bad_ptx) error.attachNote() << "user error";
      return failure();
    }
    done("machine code");
    if (stage == Stage::cubin) return out += code.cubin, success();
    if (stage == Stage::resources) return out += report(target, code, launch), success();
  }
  tine_gpu_artefact header = {};
  header.arch = uint32_t(target.arch);
  header.threads = uint32_t(launch.threads);
  header.dynamic_shared = uint32_t(launch.dynamic_shared);
  header.static_shared = uint32_t(static_shared(*m));
  header.slots = kernel.getNumArguments();
  header.flags = launch.persistent ? TINE_GPU_PERSISTENT : 0;
  header.min_blocks = uint32_t(launch.min_blocks);
  header.registers = uint32_t(code.resources.registers);
  if (options.cubin) write_artefact(header, TINE_GPU_CUBIN, code.cubin, out);
  else write_artefact(header, TINE_GPU_PTX, ptx, out);
  return success();
}

}  // namespace tine::nvptx
