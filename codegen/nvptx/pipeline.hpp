// The NVPTX pipeline: from a tine.kernel to a module of the LLVM dialect, and on to PTX, machine code, or text.
#pragma once
#include <string>
#include "codegen/common/options.hpp"
#include "codegen/nvptx/target.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tine::nvptx {

enum class Stage {
  tine,       ///< after the passes on tiles
  layouts,    ///< layouts assigned; conversions, shared memory and barriers explicit
  llvm,       ///< LLVM IR, optimised
  ptx,        ///< text
  cubin,      ///< machine code of the one architecture, an ELF file; needs the CUDA toolkit
  resources,  ///< registers, spills and memory of that code, as JSON; needs the CUDA toolkit
  artefact,   ///< codegen/abi/gpu_artefact.h with PTX, or machine code where the options ask for it
};
/// By the name above. False with a reason for others.
bool parse_stage(llvm::StringRef name, Stage& stage, std::string& why);

/// Runs the pipeline on a module with one tine.kernel, up to `stage`, and appends the stage's text or bytes to `out`. Failure
/// means that a diagnostic was emitted.
mlir::LogicalResult run_pipeline(mlir::ModuleOp module, const Target& target, const codegen::Options& options, Stage stage,
                                 std::string& out);

/// The last step on MLIR: scf and arith become the LLVM dialect, in one conversion. Numbers are not changed.
mlir::LogicalResult convert_to_llvm(mlir::ModuleOp module);

/// What a launch must know beside the code.
struct Launch {
  int threads = 0;             ///< per block
  int64_t dynamic_shared = 0;  ///< bytes per block
  bool persistent = false;     ///< the kernel loops over programs
  int min_blocks = 0;          ///< per multiprocessor that the code was made for; 0: not said
};

/// The last step: a module of the LLVM dialect (with nvvm where need be) to `stage` (llvm and later). The module has one
/// kernel, `llvm.func @tine_kernel` with the attribute nvvm.kernel, which returns nothing and has a parameter for each slot, an
/// `i64` or `!llvm.ptr<1>`. The launch's facts become the function's directives here. Dynamic shared memory is an external
/// global in address space 3 without an initialiser. Operations' locations become line tables where the options ask for them.
mlir::LogicalResult emit_code(mlir::ModuleOp module, const Target& target, const codegen::Options& options, const Launch& launch,
                              Stage stage, std::string& out);

void load_dialects(mlir::MLIRContext& context);

}  // namespace tine::nvptx
