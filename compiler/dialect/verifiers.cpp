// What must hold of each operation beyond what its definition in TableGen says.
#include "compiler/dialect/tine_dialect.hpp"

using namespace mlir;

namespace tine::ir {

LogicalResult KernelOp::verify() {
  Block& body = getBody().front();
  if (body.getNumArguments() != getParams().size())
    return emitOpError() << "has " << getParams().size() << " params and " << body.getNumArguments() << " views";
  for (auto [i, type] : llvm::enumerate(body.getArgumentTypes()))
    if (!isa<ViewType>(type)) return emitOpError() << "argument " << i << " is not a view";
  int64_t symbols = getSymbols().size(), sources = getSources().size();
  auto dims = [&](ArrayRef<int64_t> shape) {
    return llvm::all_of(shape, [&](int64_t d) { return !TileType::isSymbol(d) || TileType::symbol(d) < symbols; });
  };
  if (!dims(getGrid())) return emitOpError("grid names a symbol that does not exist");
  for (auto [i, attr] : llvm::enumerate(getParams())) {
    auto param = cast<ParamAttr>(attr);
    if (param.getSource() < 0 || param.getSource() >= sources) return emitOpError() << "param " << i << " has no source " << param.getSource();
    SourceAttr source = getSource(param.getSource());
    unsigned axes = 0;
    for (Attribute level : param.getLevels()) {
      auto shape = dyn_cast<DenseI64ArrayAttr>(level);
      if (!shape) return emitOpError() << "levels of param " << i << " are not shapes";
      if (!dims(shape.asArrayRef())) return emitOpError() << "param " << i << " names a symbol that does not exist";
      axes += shape.size();
    }
    AffineMap coords = param.getCoords().getValue(), bounds = param.getBounds().getValue(), limits = param.getLimits().getValue();
    if (int64_t(coords.getNumResults()) != source.getRank()) return emitOpError() << "coords of param " << i << " are not one for each source dim";
    for (AffineMap map : {coords, bounds, limits, param.getLinear().getValue()})
      if (map.getNumDims() != axes || map.getNumSymbols() > symbols) return emitOpError() << "a map of param " << i << " does not have one dim for each axis of its levels";
    if (bounds.getNumResults() != limits.getNumResults() || bounds.getNumResults() != unsigned(param.getLow().size()))
      return emitOpError() << "param " << i << " needs a limit and a low flag for each bound";
  }
  ArrayRef<int64_t> pairs = getOverlaps();
  if (pairs.size() % 2 || llvm::any_of(pairs, [&](int64_t s) { return s < 0 || s >= sources; }))
    return emitOpError("overlaps are pairs of sources");
  return success();
}

namespace {
/// A view's indices and the type of what is loaded or stored must fit its param.
template <class Op> LogicalResult verifyAccess(Op op, Type value, bool element) {
  auto kernel = op->template getParentOfType<KernelOp>();
  if (!kernel) return op.emitOpError("stands outside a tine.kernel");
  auto view = dyn_cast<BlockArgument>(op.getView());
  if (!view || view.getOwner()->getParentOp() != kernel) return op.emitOpError("the view is not a parameter of the kernel");
  ParamAttr param = kernel.getParam(view);
  ArrayAttr levels = param.getLevels();
  int64_t middle = 0;
  for (size_t i = 1; i + 1 < levels.size(); ++i) middle += cast<DenseI64ArrayAttr>(levels[i]).size();
  if (int64_t(op.getIndices().size()) != middle) return op.emitOpError() << "needs " << middle << " indices, has " << op.getIndices().size();
  ArrayRef<int64_t> tile;
  if (levels.size() > 1) tile = cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).asArrayRef();
  if (shapeOf(value) != tile) return op.emitOpError() << value << " does not have the tile's shape";
  if (element && elementOf(value) != kernel.getSource(param.getSource()).getType())
    return op.emitOpError() << value << " does not have the parameter's element type";
  return success();
}
}  // namespace
LogicalResult LoadOp::verify() { return verifyAccess(*this, getResult().getType(), true); }
LogicalResult StoreOp::verify() { return verifyAccess(*this, getValue().getType(), true); }

LogicalResult CopyAsyncOp::verify() {
  size_t rank = getMemory().getType().getShape().size();
  SmallVector<int64_t> order(getOrder());
  llvm::sort(order);
  bool each_once = order.size() == rank;
  for (auto [k, d] : llvm::enumerate(order)) each_once &= d == int64_t(k);
  if (!each_once) return emitOpError("names each dim once");
  return verifyAccess(*this, valueType(getTileShape(), getMemory().getType().getElementType()), true);
}

LogicalResult ValidOp::verify() {
  if (!elementOf(getType()).isInteger(1)) return emitOpError("tells yes or no: its elements are i1");
  return verifyAccess(*this, getType(), false);
}
LogicalResult OffsetsOp::verify() {
  if (!elementOf(getType()).isSignlessInteger(64)) return emitOpError("gives positions: its elements are i64");
  if (failed(verifyAccess(*this, getType(), false))) return failure();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  int64_t rank = kernel.getSource(kernel.getParam(getView()).getSource()).getRank();
  if (int64_t(getDim()) < 0 || int64_t(getDim()) >= rank) return emitOpError() << "the source has " << rank << " dims, none is " << int64_t(getDim());
  return success();
}
LogicalResult SymbolOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel) return emitOpError("stands outside a tine.kernel");
  if (getNumber() >= kernel.getSymbols().size()) return emitOpError() << "the kernel has no symbol " << int64_t(getNumber());
  return success();
}
LogicalResult ProgramIndexOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel) return emitOpError("stands outside a tine.kernel");
  if (getDim() >= kernel.getGrid().size()) return emitOpError() << "the grid has no dim " << int64_t(getDim());
  return success();
}
LogicalResult ArangeOp::verify() {
  if (getType().getShape().size() != 1) return emitOpError("counts along one dim");
  return success();
}
LogicalResult ReshapeOp::verify() {
  if (elementOf(getOperand().getType()) != elementOf(getType())) return emitOpError("keeps the element type");
  auto size = [](Type t) {  // the known factor, and the symbols
    std::pair<int64_t, SmallVector<int64_t>> n{1, {}};
    for (int64_t d : shapeOf(t)) {
      if (TileType::isSymbol(d)) n.second.push_back(d);
      else n.first *= d;
    }
    llvm::sort(n.second);
    return n;
  };
  auto from = size(getOperand().getType()), to = size(getType());
  // Products of symbols may be equal under other names, which the call's checks decide.
  if (from.second.empty() && to.second.empty() && from.first != to.first) return emitOpError() << "makes " << to.first << " elements of " << from.first;
  return success();
}

namespace {
enum class Result { same, flag, any };  // an operation's result element: its operands', bool, or not said
struct Signature { const char* kind; unsigned operands; Result result; };
constexpr Signature signatures[] = {
    {"add", 2, Result::same}, {"sub", 2, Result::same}, {"mul", 2, Result::same}, {"div", 2, Result::same}, {"mod", 2, Result::same},
    {"floordiv", 2, Result::same}, {"floormod", 2, Result::same}, {"cdiv", 2, Result::same}, {"min", 2, Result::same}, {"max", 2, Result::same},
    {"fmin", 2, Result::same}, {"fmax", 2, Result::same}, {"umulhi", 2, Result::same}, {"band", 2, Result::same}, {"bor", 2, Result::same},
    {"bxor", 2, Result::same}, {"shl", 2, Result::same}, {"shr", 2, Result::same}, {"eq", 2, Result::flag}, {"ne", 2, Result::flag},
    {"lt", 2, Result::flag}, {"le", 2, Result::flag}, {"gt", 2, Result::flag}, {"ge", 2, Result::flag}, {"land", 2, Result::flag},
    {"lor", 2, Result::flag}, {"pow", 2, Result::same}, {"atan2", 2, Result::same}, {"copysign", 2, Result::same}, {"neg", 1, Result::same},
    {"abs", 1, Result::same}, {"bnot", 1, Result::same}, {"lnot", 1, Result::flag}, {"popcount", 1, Result::any}, {"clz", 1, Result::any},
    {"bitcast", 1, Result::any}, {"isnan", 1, Result::flag}, {"isinf", 1, Result::flag}, {"isfinite", 1, Result::flag}, {"signbit", 1, Result::flag},
    {"exp", 1, Result::same}, {"exp2", 1, Result::same}, {"expm1", 1, Result::same}, {"log", 1, Result::same}, {"log2", 1, Result::same},
    {"log10", 1, Result::same}, {"log1p", 1, Result::same}, {"sqrt", 1, Result::same}, {"rsqrt", 1, Result::same}, {"sin", 1, Result::same},
    {"cos", 1, Result::same}, {"tan", 1, Result::same}, {"asin", 1, Result::same}, {"acos", 1, Result::same}, {"atan", 1, Result::same},
    {"sinh", 1, Result::same}, {"cosh", 1, Result::same}, {"tanh", 1, Result::same}, {"asinh", 1, Result::same}, {"acosh", 1, Result::same},
    {"atanh", 1, Result::same}, {"erf", 1, Result::same}, {"sigmoid", 1, Result::same}, {"floor", 1, Result::same}, {"ceil", 1, Result::same},
    {"round", 1, Result::same}, {"trunc", 1, Result::same}, {"fma", 3, Result::same}, {"where", 3, Result::same}, {"clamp", 3, Result::same}};
}  // namespace

LogicalResult ElementwiseOp::verify() {
  auto* s = llvm::find_if(signatures, [&](const Signature& x) { return getKind() == x.kind; });
  if (s == std::end(signatures)) return emitOpError() << "does not know `" << getKind() << "`";
  if (getOperands().size() != s->operands) return emitOpError() << "`" << getKind() << "` takes " << s->operands << " operands, not " << getOperands().size();
  for (Value v : getOperands())
    if (shapeOf(v.getType()) != shapeOf(getType())) return emitOpError() << "operand " << v.getType() << " does not have the result's shape";
  ValueRange operands = getOperands();
  if (getKind() == "where") {
    if (!elementOf(operands[0].getType()).isInteger(1)) return emitOpError("the condition of `where` is i1");
    operands = operands.drop_front();
  }
  Type element = elementOf(operands[0].getType());
  for (Value v : operands)
    if (elementOf(v.getType()) != element) return emitOpError("the operands have one element type");
  if (s->result == Result::same && elementOf(getType()) != element) return emitOpError("the result has the operands' element type");
  if (s->result == Result::flag && !elementOf(getType()).isInteger(1)) return emitOpError() << "`" << getKind() << "` gives i1";
  return success();
}
LogicalResult ForeignOp::verify() {
  for (Type type : getOperandTypes())
    if (shapeOf(type) != shapeOf(getType())) return emitOpError() << "argument " << type << " does not have the result's shape";
  for (Type type : llvm::concat<const Type>(getOperandTypes(), getOperation()->getResultTypes()))
    if (isa<Float8E4M3FNType, Float8E5M2Type>(elementOf(type))) return emitOpError("takes and gives no fp8");
  return success();
}
LogicalResult CastOp::verify() {
  if (shapeOf(getOperand().getType()) != shapeOf(getType())) return emitOpError("changes the element type only");
  return success();
}
LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getOperand().getType()), to = shapeOf(getType());
  if (elementOf(getOperand().getType()) != elementOf(getType())) return emitOpError("keeps the element type");
  if (from.size() > to.size()) return emitOpError("drops dims");
  for (size_t i = 1; i <= from.size(); ++i)
    if (from[from.size() - i] != 1 && from[from.size() - i] != to[to.size() - i])
      return emitOpError() << "dim " << from.size() - i << " of the operand is neither 1 nor the result's";
  return success();
}
LogicalResult PermuteOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getOperand().getType()), to = shapeOf(getType()), order = getOrder();
  if (order.size() != from.size() || to.size() != from.size()) return emitOpError("names each dim once");
  SmallVector<bool> seen(from.size());
  for (size_t k = 0; k < order.size(); ++k) {
    if (order[k] < 0 || order[k] >= int64_t(from.size()) || seen[order[k]]) return emitOpError("names each dim once");
    seen[order[k]] = true;
    if (to[k] != from[order[k]]) return emitOpError() << "dim " << k << " of the result has another size";
  }
  return success();
}
LogicalResult ReduceOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getOperand().getType()), axes = getAxes();
  if (!llvm::is_contained({"sum", "prod", "max", "min", "any", "all", "xor", "argmax", "argmin"}, getKind()))
    return emitOpError() << "does not know `" << getKind() << "`";
  SmallVector<int64_t> rest;
  for (int64_t d = 0; d < int64_t(from.size()); ++d)
    if (!llvm::is_contained(axes, d)) rest.push_back(from[d]);
  if (axes.empty() || !llvm::all_of(axes, [&](int64_t a) { return a >= 0 && a < int64_t(from.size()); }) || rest.size() + axes.size() != from.size())
    return emitOpError("names axes of the operand, each once");
  if (shapeOf(getType()) != ArrayRef<int64_t>(rest)) return emitOpError("the result keeps the other dims");
  Type element = elementOf(getOperand().getType()), result = elementOf(getType());
  StringRef kind = getKind();
  if (kind.starts_with("arg") && !isa<IntegerType>(result)) return emitOpError() << "`" << kind << "` gives a position, an integer";
  if ((kind == "any" || kind == "all") && !(element.isInteger(1) && result.isInteger(1))) return emitOpError() << "`" << kind << "` is of i1";
  if ((kind == "max" || kind == "min" || kind == "xor") && element != result) return emitOpError() << "`" << kind << "` keeps the element type";
  if ((kind == "sum" || kind == "prod") && isa<FloatType>(element) != isa<FloatType>(result)) return emitOpError() << "`" << kind << "` of floats is a float, of integers an integer";
  return success();
}
LogicalResult DotOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA().getType()), b = shapeOf(getB().getType()), r = shapeOf(getType());
  size_t n = a.size();
  if (n < 2 || b.size() != n || r.size() != n) return emitOpError("takes tiles of the same rank, at least 2");
  for (size_t i = 0; i + 2 < n; ++i)
    if (a[i] != b[i] || a[i] != r[i]) return emitOpError() << "batch dim " << i << " differs";
  if (a[n - 1] != b[n - 2]) return emitOpError("the contracted dims differ");
  if (r[n - 2] != a[n - 2] || r[n - 1] != b[n - 1]) return emitOpError("the result is not m x n");
  if (getAcc() && getAcc().getType() != getType()) return emitOpError("the accumulator has the result's type");
  if (auto precision = getPrecision(); precision && *precision != "tf32" && *precision != "tf32x3")
    return emitOpError() << "does not know the precision `" << *precision << "`";
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  TileType from = getOperand().getType(), to = getType();
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType()) return emitOpError("changes the layout only");
  if (!from.getLayout() || !to.getLayout()) return emitOpError("needs both layouts");
  return success();
}
LogicalResult SharedStoreOp::verify() {
  TileType tile = getValue().getType();
  MemoryType memory = getMemory().getType();
  if (tile.getShape() != memory.getShape() || tile.getElementType() != memory.getElementType()) return emitOpError("the memory is of another tile");
  return success();
}
LogicalResult SharedLoadOp::verify() {
  TileType tile = getType();
  MemoryType memory = getMemory().getType();
  if (tile.getElementType() != memory.getElementType() || (memory.getLayout() && tile.getShape() != memory.getShape()))
    return emitOpError("the memory is of another tile");
  return success();
}

}  // namespace tine::ir
