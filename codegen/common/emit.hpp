// From a module of the LLVM dialect to a file of the target: the part that is the same for all targets.
#pragma once
#include <memory>
#include <mutex>
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CodeGen.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}

namespace tine::codegen {

/// LLVM's options belong to the process, and lld resets them: whoever sets or resets any, or makes what reads them, holds this.
std::mutex& llvm_options();

/// LLVM IR of the module, or null after a diagnostic. Dialects beside `llvm` need their translation registered.
std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext& context);

/// The target's machine, position-independent, or null after a diagnostic. Contraction to fma is allowed, as the language says;
/// nothing else is. The target must be initialised.
std::unique_ptr<llvm::TargetMachine> target_machine(mlir::ModuleOp module, llvm::StringRef triple, llvm::StringRef cpu, llvm::StringRef features);

/// Gives the module the machine's triple and layout, and every function its processor.
void set_target(llvm::Module& m, llvm::TargetMachine& machine);

/// Runs a pipeline in the notation of LLVM's `opt`, such as `default<O3>`.
void optimize(llvm::Module& m, llvm::TargetMachine& machine, llvm::StringRef passes);

/// Text of the module.
void print(llvm::Module& m, std::string& out);

/// Assembly or an object; false if the target has no such file.
bool emit_file(llvm::Module& m, llvm::TargetMachine& machine, llvm::CodeGenFileType type, llvm::SmallVectorImpl<char>& out);

}  // namespace tine::codegen
