#include "compiler/passes/accumulate.hpp"
#include "compiler/dialect/tine_dialect.hpp"

using namespace mlir;

namespace tine::compiler {

void accumulate_products(ModuleOp module) {
  SmallVector<ir::ElementwiseOp> sums;
  module.walk([&](ir::ElementwiseOp op) {
    if (op.getKind() == "add") sums.push_back(op);
  });
  for (ir::ElementwiseOp sum : sums) {
    for (int side : {1, 0}) {
      auto dot = sum.getOperands()[size_t(side)].getDefiningOp<ir::DotOp>();
      if (!dot || dot.getAcc() || !dot->hasOneUse() || dot->getBlock() != sum->getBlock()) continue;
      OpBuilder b(sum);
      auto made = ir::DotOp::create(b, dot.getLoc(), dot.getType(), dot.getA(), dot.getB(), sum.getOperands()[size_t(1 - side)],
                                    dot.getPrecisionAttr());
      sum.replaceAllUsesWith(made.getResult());
      sum.erase();
      dot.erase();
      break;
    }
  }
}

namespace {
struct AccumulateProducts : PassWrapper<AccumulateProducts, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AccumulateProducts)
  StringRef getArgument() const final { return "tine-accumulate-products"; }
  StringRef getDescription() const final { return "acc + dot(a, b) becomes dot(a, b, acc)"; }
  void runOnOperation() override { accumulate_products(getOperation()); }
};
}  // namespace

std::unique_ptr<Pass> create_accumulate_products_pass() { return std::make_unique<AccumulateProducts>(); }

}  // namespace tine::compiler
