#include "compiler/dialect/tine_dialect.hpp"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using tine::graph::DType;

namespace tine::ir {

// ---- types

bool isElementType(Type type) {
  if (auto i = dyn_cast<IntegerType>(type)) {
    unsigned w = i.getWidth();
    if (i.isSigned()) return false;
    if (w == 1) return i.isSignless();
    return w == 8 || w == 16 || w == 32 || w == 64;
  }
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type>(type);
}
ArrayRef<int64_t> shapeOf(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.getShape() : ArrayRef<int64_t>();
}
Type elementOf(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.getElementType() : type;
}
Type valueType(ArrayRef<int64_t> shape, Type element) {
  return shape.empty() ? element : Type(TileType::get(element.getContext(), shape, element));
}
Type elementType(MLIRContext* context, DType type) {
  Builder b(context);
  switch (type) {
    case DType::b1: return b.getI1Type();
    case DType::i8: return b.getIntegerType(8);
    case DType::i16: return b.getIntegerType(16);
    case DType::i32: return b.getIntegerType(32);
    case DType::i64: return b.getIntegerType(64);
    case DType::u8: return b.getIntegerType(8, false);
    case DType::u16: return b.getIntegerType(16, false);
    case DType::u32: return b.getIntegerType(32, false);
    case DType::u64: return b.getIntegerType(64, false);
    case DType::f8e4m3fn: return Float8E4M3FNType::get(context);
    case DType::f8e5m2: return Float8E5M2Type::get(context);
    case DType::f16: return b.getF16Type();
    case DType::bf16: return b.getBF16Type();
    case DType::f32: return b.getF32Type();
    case DType::f64: return b.getF64Type();
  }
  llvm_unreachable("element type");
}
DType dtypeOf(Type element) {
  if (auto i = dyn_cast<IntegerType>(element)) {
    bool u = i.isUnsigned();
    switch (i.getWidth()) {
      case 1: return DType::b1;
      case 8: return u ? DType::u8 : DType::i8;
      case 16: return u ? DType::u16 : DType::i16;
      case 32: return u ? DType::u32 : DType::i32;
      default: return u ? DType::u64 : DType::i64;
    }
  }
  if (isa<Float8E4M3FNType>(element)) return DType::f8e4m3fn;
  if (isa<Float8E5M2Type>(element)) return DType::f8e5m2;
  if (isa<Float16Type>(element)) return DType::f16;
  if (isa<BFloat16Type>(element)) return DType::bf16;
  return isa<Float32Type>(element) ? DType::f32 : DType::f64;
}
int64_t bytesOf(Type element) { return graph::bytes(dtypeOf(element)); }

int64_t TileType::getStaticSize() const {
  int64_t n = 1;
  for (int64_t d : getShape()) {
    if (isSymbol(d)) return -1;
    n *= d;
  }
  return n;
}
LogicalResult TileType::verify(llvm::function_ref<InFlightDiagnostic()> error, ArrayRef<int64_t> shape, Type element, LayoutAttr layout) {
  if (shape.empty()) return error() << "a tile has at least one dim; a value without dims is a scalar";
  if (!isElementType(element)) return error() << element << " is not an element type";
  if (!layout) return success();
  if (layout.getShape().size() != shape.size()) return error() << "the layout has " << layout.getShape().size() << " dims, the tile " << shape.size();
  for (auto [d, sizes] : llvm::enumerate(llvm::zip(shape, layout.getShape())))
    if (std::get<0>(sizes) > std::get<1>(sizes)) return error() << "dim " << d << " of the tile is larger than the layout's";
  return success();
}

namespace {
void printDims(AsmPrinter& p, ArrayRef<int64_t> shape) {
  p << '[';
  llvm::interleaveComma(shape, p, [&](int64_t d) {
    if (TileType::isSymbol(d)) p << 's' << TileType::symbol(d);
    else p << d;
  });
  p << ']';
}
ParseResult parseDims(AsmParser& parser, SmallVectorImpl<int64_t>& shape) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    int64_t n;
    OptionalParseResult number = parser.parseOptionalInteger(n);
    if (number.has_value()) {
      if (failed(*number)) return failure();
      if (n < 0) return parser.emitError(parser.getCurrentLocation(), "a dim is not negative");
      shape.push_back(n);
      return success();
    }
    StringRef word;
    llvm::SMLoc at = parser.getCurrentLocation();
    int64_t symbol;
    if (parser.parseKeyword(&word)) return failure();
    if (!word.consume_front("s") || word.getAsInteger(10, symbol)) return parser.emitError(at, "a dim is a number or a symbol like s0");
    shape.push_back(TileType::fromSymbol(symbol));
    return success();
  });
}
/// `<[64, s3], f32>` or, with a layout, `<[64, s3], f32, #tine.layout<...>>`.
void printTile(AsmPrinter& p, ArrayRef<int64_t> shape, Type element, LayoutAttr layout) {
  p << '<';
  printDims(p, shape);
  p << ", " << element;
  if (layout) p << ", " << layout;
  p << '>';
}
ParseResult parseTile(AsmParser& parser, SmallVectorImpl<int64_t>& shape, Type& element, LayoutAttr& layout) {
  if (parser.parseLess() || parseDims(parser, shape) || parser.parseComma() || parser.parseType(element)) return failure();
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout)) return failure();
  return parser.parseGreater();
}
}  // namespace

void TileType::print(AsmPrinter& p) const {
  printTile(p, getShape(), getElementType(), getLayout());
}
Type TileType::parse(AsmParser& parser) {
  SmallVector<int64_t> shape;
  Type element;
  LayoutAttr layout;
  if (parseTile(parser, shape, element, layout)) return {};
  return TileType::getChecked([&] { return parser.emitError(parser.getCurrentLocation()); }, parser.getContext(),
                              ArrayRef<int64_t>(shape), element, layout);
}
void MemoryType::print(AsmPrinter& p) const { printTile(p, getShape(), getElementType(), getLayout()); }
Type MemoryType::parse(AsmParser& parser) {
  SmallVector<int64_t> shape;
  Type element;
  LayoutAttr layout;
  if (parseTile(parser, shape, element, layout)) return {};
  return MemoryType::get(parser.getContext(), shape, element, layout);
}

static ParseResult parseShape(OpAsmParser& parser, DenseI64ArrayAttr& attr) {
  SmallVector<int64_t> shape;
  if (parseDims(parser, shape)) return failure();
  attr = DenseI64ArrayAttr::get(parser.getContext(), shape);
  return success();
}
static void printShape(OpAsmPrinter& p, Operation*, DenseI64ArrayAttr attr) { printDims(p, attr.asArrayRef()); }

SmallVector<int64_t> CopyAsyncOp::getTileShape() {
  SmallVector<int64_t> shape(getMemory().getType().getShape());
  for (auto [k, d] : llvm::enumerate(getOrder())) shape[size_t(d)] = getMemory().getType().getShape()[k];
  return shape;
}

// ---- folds: only those that keep every bit

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
OpFoldResult CastOp::fold(FoldAdaptor) { return getOperand().getType() == getType() ? getOperand() : Value(); }
OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType()) return getOperand();
  if (auto inner = getOperand().getDefiningOp<BroadcastOp>()) {
    setOperand(inner.getOperand());
    return getResult();
  }
  return {};
}
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return getOperand().getType() == getType() ? getOperand() : Value(); }

Operation* TineDialect::materializeConstant(OpBuilder& b, Attribute value, Type type, Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || typed.getType() != type || !isElementType(type)) return nullptr;
  return ConstantOp::create(b, loc, type, typed);
}

namespace {
/// Layouts by name: they are long, and many types have the same.
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream& os) const final {
    if (!isa<LayoutAttr>(attr)) return AliasResult::NoAlias;
    os << "layout";
    return AliasResult::FinalAlias;
  }
};
}  // namespace

void TineDialect::initialize() {
  addInterfaces<Aliases>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "TineTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TineAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TineOps.cpp.inc"
      >();
}

}  // namespace tine::ir

#include "TineDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "TineTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "TineAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "TineOps.cpp.inc"
