#include "compiler/dialect/tine_dialect.hpp"

using namespace mlir;
using tine::layout::Axis;
using tine::layout::Extent;
using tine::layout::Layout;
using tine::layout::Word;

namespace tine::ir {
namespace {
constexpr Axis inputs[] = {Axis::reg, Axis::lane, Axis::warp, Axis::block, Axis::offset};

/// The outputs of a tile in row-major order: the last dim lowest, so that a word is the row-major position.
std::vector<Axis> row_major(size_t rank) {
  std::vector<Axis> axes;
  for (size_t d = rank; d-- > 0;) axes.push_back(layout::dim(int(d)));
  return axes;
}
}  // namespace

LayoutAttr LayoutAttr::get(MLIRContext* context, const Layout& layout) {
  std::vector<int64_t> shape = layout.tile_shape();
  Layout l = layout.with_outs(row_major(shape.size()));
  SmallVector<int64_t> bases;
  for (const Extent& in : l.ins()) {
    bases.push_back(int64_t(in.axis)), bases.push_back(in.bits);
    for (Word w : l.columns(in.axis)) bases.push_back(int64_t(w));
  }
  return get(context, ArrayRef<int64_t>(shape), ArrayRef<int64_t>(bases));
}

Layout LayoutAttr::getLayout() const {
  std::vector<Extent> ins, outs;
  std::vector<Word> columns;
  for (ArrayRef<int64_t> b = getBases(); !b.empty();) {
    ins.push_back({Axis(b[0]), int(b[1])});
    for (int64_t w : b.slice(2, size_t(b[1]))) columns.push_back(Word(w));
    b = b.drop_front(2 + size_t(b[1]));
  }
  for (size_t d = getShape().size(); d-- > 0;) outs.push_back({layout::dim(int(d)), layout::log2_ceil(getShape()[d])});
  return Layout::from_columns(ins, outs, columns).with_dims(int(getShape().size()));
}

LogicalResult LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> error, ArrayRef<int64_t> shape, ArrayRef<int64_t> bases) {
  int bits = 0;
  for (int64_t n : shape) {
    if (n < 1 || (n & (n - 1))) return error() << "the sizes of a layout are powers of two, not " << n;
    bits += layout::log2_ceil(n);
  }
  if (bits > 62) return error() << "a layout of 2^" << bits << " elements is too large";
  int inputs = 0;
  for (ArrayRef<int64_t> b = bases; !b.empty(); b = b.drop_front(2 + size_t(b[1]))) {
    assert(b.size() >= 2 && b[1] >= 0 && size_t(b[1]) + 2 <= b.size() && "bases come from a layout or the parser");
    for (int64_t w : b.slice(2, size_t(b[1])))
      if (w < 0 || w >> bits) return error() << "a basis leads out of the tile";
    if ((inputs += int(b[1])) > 62) return error() << "a layout has at most 62 bits of inputs";
  }
  return success();
}

void LayoutAttr::print(AsmPrinter& p) const {
  Layout l = getLayout();
  p << "<[";
  llvm::interleaveComma(getShape(), p);
  p << ']';
  for (const Extent& in : l.ins()) {
    p << ", " << layout::name(in.axis) << " = [";
    for (int i = 0; i < in.bits; ++i) {
      p << (i ? ", [" : "[");
      llvm::interleaveComma(l.outs(), p, [&](const Extent& out) { p << l.basis(in.axis, i, out.axis); });
      p << ']';
    }
    p << ']';
  }
  p << '>';
}

Attribute LayoutAttr::parse(AsmParser& parser, Type) {
  SmallVector<int64_t> shape, bases;
  llvm::SMLoc start = parser.getCurrentLocation();
  auto numbers = [&](SmallVectorImpl<int64_t>& list) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parser.parseInteger(list.emplace_back()); });
  };
  if (parser.parseLess() || numbers(shape)) return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    llvm::SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word) || parser.parseEqual()) return {};
    auto* axis = llvm::find_if(inputs, [&](Axis a) { return word == layout::name(a); });
    if (axis == std::end(inputs)) return parser.emitError(at, "a layout has no input `") << word << "`", Attribute();
    bases.push_back(int64_t(*axis));
    size_t count = bases.size();
    bases.push_back(0);
    auto basis = [&]() -> ParseResult {
      SmallVector<int64_t> coordinates;
      llvm::SMLoc where = parser.getCurrentLocation();
      if (numbers(coordinates)) return failure();
      if (coordinates.size() != shape.size()) return parser.emitError(where, "a basis has one number for each dim");
      int64_t position = 0;
      for (auto [x, n] : llvm::zip(coordinates, shape)) {
        if (x < 0 || x >= n) return parser.emitError(where, "a basis leads out of the tile");
        position = position * n + x;
      }
      bases.push_back(position), ++bases[count];
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, basis)) return {};
  }
  if (parser.parseGreater()) return {};
  return LayoutAttr::getChecked([&] { return parser.emitError(start); }, parser.getContext(), ArrayRef<int64_t>(shape), ArrayRef<int64_t>(bases));
}

}  // namespace tine::ir
