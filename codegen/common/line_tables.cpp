#include "codegen/common/line_tables.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tine::codegen {
namespace {

void each_place(Operation* root, llvm::function_ref<void(FileLineColLoc)> visit) {
  root->walk([&](Operation* op) {
    op->getLoc()->walk([&](Location l) {
      if (auto place = dyn_cast<FileLineColLoc>(l)) visit(place);
      return WalkResult::advance();
    });
  });
}

/// The folder that all files lie in, with its slash; empty where there is none.
std::string common_folder(ModuleOp module) {
  std::string common;
  bool first = true;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) each_place(function, [&](FileLineColLoc place) {
    llvm::StringRef file = place.getFilename().getValue();
    size_t n = first ? file.size() : 0;
    while (!first && n < common.size() && n < file.size() && common[n] == file[n]) ++n;
    common = file.take_front(n).take_front(file.take_front(n).rfind('/') + 1).str();
    first = false;
  });
  return common;
}

}  // namespace

LogicalResult add_line_tables(ModuleOp module) {
  std::string folder = common_folder(module);
  AttrTypeReplacer shorten;
  shorten.addReplacement([&](FileLineColLoc place) -> Attribute {
    llvm::StringRef file = place.getFilename().getValue();
    if (!file.consume_front(folder)) return place;
    return FileLineColLoc::get(module.getContext(), file, place.getLine(), place.getColumn());
  });
  // LLVM gives an operation that stands for several places line 0; the first is of more use.
  shorten.addReplacement([&](FusedLoc several) -> Attribute {
    return several.getLocations().empty() ? several : shorten.replace(LocationAttr(several.getLocations().front()));
  });
  shorten.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false, /*replaceLocs=*/true);
  // A function made by a pass has no place of its own: it is where its first operation is.
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.getLoc()->findInstanceOf<FileLineColLoc>()) {
      std::optional<Location> where;
      each_place(function, [&](FileLineColLoc place) { if (!where) where = place; });
      if (where) function->setLoc(*where);
    }
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.enableVerifier(false);
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass({LLVM::DIEmissionKind::DebugDirectivesOnly}));
  return pm.run(module);
}

}  // namespace tine::codegen
