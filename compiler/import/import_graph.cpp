#include "compiler/import/import_graph.hpp"
#include "compiler/dialect/tine_dialect.hpp"
#include "compiler/import/index_maps.hpp"
#include "compiler/import/known_divisor.hpp"
#include "compiler/import/known_range.hpp"
#include "dsl/graph/launch_plan.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tine::compiler {
namespace {
using graph::Ex;
using graph::Node;
using graph::Op;

/// One module's import. Values of nodes are made where the node stands; literals and sizes at the kernel's start.
class Importer {
 public:
  Importer(MLIRContext& context, graph::Graph& g, const graph::Specialization& s)
      : context_(context), b_(&context), g_(g), spec_(s), plan_(graph::plan_launch(g)), symbols_(g, plan_) {}

  OwningOpRef<ModuleOp> run() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context_));
    b_.setInsertionPointToEnd(module->getBody());
    kernel_ = make_kernel();
    Block& body = kernel_.getBody().emplaceBlock();
    for (size_t i = 0; i < g_.params.size(); ++i) body.addArgument(ir::ViewType::get(&context_), loc(g_.params[i].loc));
    values_.assign(g_.nodes.size(), {});
    b_.setInsertionPointToEnd(&body);
    region(0);
    if (failed_ || failed(verify(*module))) return {};
    return module;
  }

 private:
  MLIRContext& context_;
  OpBuilder b_;
  graph::Graph& g_;
  const graph::Specialization& spec_;
  graph::LaunchPlan plan_;
  SymbolNumbers symbols_;
  ir::KernelOp kernel_;
  std::vector<Value> values_;
  bool failed_ = false;

  Location loc(graph::Loc l) {
    if (l.line <= 0 || l.file < 0 || l.file >= int(g_.files.size())) return UnknownLoc::get(&context_);
    return FileLineColLoc::get(&context_, g_.files[l.file], unsigned(l.line), 0);
  }
  int64_t dim(Ex e) {
    if (auto number = symbols_.number_of(e)) return ir::TileType::fromSymbol(*number);
    if (g_.pool.is_num(symbols_.representative(e))) return g_.pool.value(symbols_.representative(e));
    fail({}, "a size is missing from the launch plan");
    return 0;
  }
  SmallVector<int64_t> shape(const graph::Shape& s) {
    SmallVector<int64_t> r;
    for (Ex e : s) r.push_back(dim(e));
    return r;
  }
  Type type(const Node& n) {
    SmallVector<int64_t> s = shape(n.shape);
    check_size(s, n.loc);
    return ir::valueType(s, ir::elementType(&context_, n.type));
  }
  /// Tiles are worked on in the memory of one program: one of billions of elements is a mistake in a block size.
  void check_size(ArrayRef<int64_t> s, graph::Loc l) {
    constexpr int64_t most = int64_t(1) << 31;
    int64_t elements = 1;
    for (int64_t d : s) {
      if (ir::TileType::isSymbol(d)) continue;
      if (d == 0) return;
      if (elements > most / d) {
        std::string text;
        for (int64_t x : s) text += (text.empty() ? "" : ", ") + (ir::TileType::isSymbol(x) ? std::string("?") : std::to_string(x));
        user_error(l, "`" + g_.kernel + "`: a tile of (" + text + ") elements is too large: a tile may have 2147483648; choose smaller block sizes");
        return;
      }
      elements *= d;
    }
  }
  void fail(graph::Loc l, const Twine& why) {
    emitError(loc(l)) << why;
    failed_ = true;
  }
  /// The program asks for what cannot be: told apart from our own errors by the note (codegen/driver/compile.cpp).
  void user_error(graph::Loc l, const Twine& why) {
    if (failed_) return;
    emitError(loc(l)).append(why).attachNote() << "user error";
    failed_ = true;
  }

  ir::KernelOp make_kernel() {
    SmallVector<Attribute> sources, params, symbols;
    for (size_t i = 0; i < g_.sources.size(); ++i) {
      const graph::Source& s = g_.sources[i];
      graph::SourceFacts f = i < spec_.sources.size() ? spec_.sources[i] : graph::SourceFacts{};
      SmallVector<int64_t> unit;
      for (int d = 0; d < s.rank; ++d)
        if (f.unit_stride >> d & 1) unit.push_back(d);
      SmallVector<int64_t> stride16;
      for (int d = 0; d < s.rank; ++d)
        if (f.stride16 >> d & 1) stride16.push_back(d);
      sources.push_back(ir::SourceAttr::get(&context_, b_.getStringAttr(s.name), ir::elementType(&context_, s.type), s.rank,
                                            b_.getDenseI64ArrayAttr(unit), f.contiguous, f.alignment, f.streamed,
                                            stride16.empty() ? DenseI64ArrayAttr() : b_.getDenseI64ArrayAttr(stride16)));
    }
    for (graph::Param& p : g_.params) {
      SmallVector<Attribute> levels;
      for (const graph::Shape& s : p.levels) levels.push_back(b_.getDenseI64ArrayAttr(shape(s)));
      if (p.levels.size() > 1) check_size(shape(p.levels.back()), p.loc);
      ParamMaps m = make_maps(context_, g_, p, symbols_);
      if (!m.valid) fail(p.loc, "an index expression is missing from the launch plan");
      params.push_back(ir::ParamAttr::get(&context_, p.source, b_.getArrayAttr(levels), AffineMapAttr::get(m.coords),
                                          AffineMapAttr::get(m.linear), AffineMapAttr::get(m.bounds), AffineMapAttr::get(m.limits),
                                          b_.getDenseI64ArrayAttr(m.low), b_.getF64FloatAttr(p.other)));
    }
    for (Ex e : plan_.symbols) {
      std::string text;
      g_.pool.print(text, e);
      symbols.push_back(b_.getStringAttr(text));
    }
    SmallVector<int64_t> overlaps;
    for (auto [a, c] : spec_.overlaps) overlaps.append({a, c});
    auto kernel = ir::KernelOp::create(b_, UnknownLoc::get(&context_), b_.getStringAttr(symbol_name()), b_.getDenseI64ArrayAttr(shape(g_.grid)),
                                b_.getArrayAttr(symbols), b_.getArrayAttr(sources), b_.getArrayAttr(params),
                                b_.getDenseI64ArrayAttr(overlaps));
    add_gpu_facts(kernel);
    return kernel;
  }
  /// What only GPU targets are told; for others it says nothing.
  void add_gpu_facts(ir::KernelOp kernel) {
    kernel.setNarrowIndex(spec_.narrow_index);
    if (!spec_.capacities.empty()) {
      SmallVector<int64_t> capacities;
      for (const graph::Capacity& c : spec_.capacities) capacities.append({symbols_.number_of(plan_.symbols[size_t(c.symbol)]).value_or(c.symbol), c.capacity, c.exact});
      kernel.setCapacities(ArrayRef<int64_t>(capacities));
    }
    if (spec_.narrow_index) {
      SmallVector<int64_t> ranges;
      for (Ex e : plan_.symbols) {
        graph::Range r = known_range(g_.pool, e, spec_).value_or(graph::Range{INT64_MIN, INT64_MAX});
        ranges.append({r.least, r.most});
      }
      kernel.setRanges(ArrayRef<int64_t>(ranges));
    }
    bool known = llvm::any_of(spec_.sources, [](const graph::SourceFacts& f) { return f.size16 || f.stride16; });
    if (!known) return;
    SmallVector<int64_t> multiples;
    for (Ex e : plan_.symbols) multiples.push_back(known_divisor(g_.pool, e, spec_));
    kernel.setMultiples(ArrayRef<int64_t>(multiples));
  }
  std::string symbol_name() const {
    std::string s;
    for (char c : g_.kernel) s += isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return s.empty() ? "kernel" : s;
  }

  // ---- values
  Value at_start(llvm::function_ref<Value()> make) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(&kernel_.getBody().front());
    return make();
  }
  Value constant(graph::DType t, int64_t integer, double real, Location l) {
    Type type = ir::elementType(&context_, t);
    TypedAttr attr;
    if (auto f = dyn_cast<FloatType>(type)) {
      APFloat v(real);
      bool lost;
      v.convert(f.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
      attr = FloatAttr::get(f, v);
    } else {
      unsigned w = type.getIntOrFloatBitWidth();
      attr = IntegerAttr::get(type, APInt(64, uint64_t(integer), true).trunc(w));
    }
    return ir::ConstantOp::create(b_, l, type, attr);
  }
  Value value(int32_t id) {
    if (values_[id]) return values_[id];
    const Node& n = g_.nodes[id];
    switch (n.op) {
      case Op::literal: return values_[id] = at_start([&] { return constant(n.type, n.integer, n.real, loc(n.loc)); });
      case Op::size: return values_[id] = at_start([&]() -> Value {
        if (auto number = symbols_.number_of(n.expr)) return ir::SymbolOp::create(b_, loc(n.loc), b_.getI64Type(), int64_t(*number));
        Ex e = symbols_.representative(n.expr);
        if (!g_.pool.is_num(e)) fail(n.loc, "a size is missing from the launch plan");
        return constant(graph::DType::i64, g_.pool.is_num(e) ? g_.pool.value(e) : 0, 0, loc(n.loc));
      });
      // A node of a `while_` condition that its body uses too: made again there (see `while_loop`).
      default: node(id); return values_[id];
    }
  }
  Value broadcast(Value v, ArrayRef<int64_t> to, Location l) {
    if (ir::shapeOf(v.getType()) == to) return v;
    return ir::BroadcastOp::create(b_, l, ir::valueType(to, ir::elementOf(v.getType())), v);
  }
  SmallVector<Value> indices(const Node& n, size_t from) {
    SmallVector<Value> r;
    for (size_t i = from; i < n.args.size(); ++i) r.push_back(value(n.args[i]));
    return r;
  }
  Value view(const Node& n) { return kernel_.getBody().getArgument(unsigned(n.attr)); }

  void region(int32_t r) {
    for (int32_t id : g_.regions[r].nodes) node(id);
  }
  void node(int32_t id) {
    const Node& n = g_.nodes[id];
    Location l = loc(n.loc);
    switch (n.op) {
      case Op::for_: for_loop(n, l); return;
      case Op::if_: branch(n, l); return;
      case Op::while_: while_loop(n, l); return;
      case Op::store: {
        SmallVector<Value> at = indices(n, 1);
        const graph::Param& p = g_.params[n.attr];
        SmallVector<int64_t> tile = p.levels.size() > 1 ? shape(p.levels.back()) : SmallVector<int64_t>{};
        ir::StoreOp::create(b_, l, broadcast(value(n.args[0]), tile, l), view(n), at);
        return;
      }
      default: values_[id] = expression(n, l);
    }
  }
  Value expression(const Node& n, Location l) {
    Type t = type(n);
    auto arg = [&](size_t i) { return value(n.args[i]); };
    switch (n.op) {
      case Op::full: case Op::broadcast: return broadcast(arg(0), ir::shapeOf(t), l);
      case Op::arange: return ir::ArangeOp::create(b_, l, t);
      case Op::program_index: return ir::ProgramIndexOp::create(b_, l, b_.getI64Type(), n.attr);
      case Op::load: return ir::LoadOp::create(b_, l, t, view(n), indices(n, 0));
      case Op::valid: return ir::ValidOp::create(b_, l, t, view(n), indices(n, 0));
      case Op::offsets: return ir::OffsetsOp::create(b_, l, t, view(n), b_.getI64IntegerAttr(n.attr2), indices(n, 0));
      case Op::cast: return b_.createOrFold<ir::CastOp>(l, t, arg(0), n.attr == 1);
      case Op::unsqueeze: case Op::reshape: return b_.createOrFold<ir::ReshapeOp>(l, t, arg(0));
      case Op::permute: return ir::PermuteOp::create(b_, l, t, arg(0), ArrayRef<int64_t>(n.list));
      case Op::dot: {
        StringAttr precision = n.attr == 1 ? b_.getStringAttr("tf32") : n.attr == 2 ? b_.getStringAttr("tf32x3") : StringAttr();
        if (!ir::elementOf(arg(0).getType()).isF32()) precision = {};  // other types have one way
        return ir::DotOp::create(b_, l, t, arg(0), arg(1), Value(), precision);
      }
      case Op::sum: case Op::prod: case Op::rmax: case Op::rmin: case Op::any: case Op::all: case Op::rxor: case Op::argmax: case Op::argmin: {
        StringRef kind = graph::name(n.op);
        if (kind.starts_with("r")) kind = kind.drop_front();  // rmax, rmin, rxor: named apart from the element-wise ones
        if (n.list.empty()) return arg(0);
        return ir::ReduceOp::create(b_, l, t, kind, arg(0), ArrayRef<int64_t>(n.list));
      }
      case Op::literal: case Op::size: case Op::store: case Op::for_: case Op::if_: case Op::while_: case Op::loop_var: case Op::iter_arg: case Op::result:
        fail(n.loc, Twine("`") + graph::name(n.op) + "` stands where an expression belongs");
        return constant(graph::DType::i64, 0, 0, l);
      case Op::foreign: {
        const graph::Foreign& f = g_.foreign[size_t(n.attr)];
        SmallVector<Value> operands;
        for (size_t i = 0; i < n.args.size(); ++i) operands.push_back(broadcast(arg(i), ir::shapeOf(t), l));
        StringRef file = f.loc.file < 0 ? "" : StringRef(g_.files[size_t(f.loc.file)]);
        return ir::ForeignOp::create(b_, l, t, f.name, f.source, file, f.loc.line, operands);
      }
      default: {
        SmallVector<Value> operands;
        for (size_t i = 0; i < n.args.size(); ++i) operands.push_back(broadcast(arg(i), ir::shapeOf(t), l));
        return ir::ElementwiseOp::create(b_, l, t, graph::name(n.op), operands);
      }
    }
  }

  // ---- structure
  SmallVector<Value> carried(const Node& n, size_t from) {
    SmallVector<Value> r;
    for (size_t i = from; i < n.args.size(); ++i) {
      // The initial value has the carried value's type up to sizes that the call's checks make equal.
      r.push_back(value(n.args[i]));
    }
    return r;
  }
  void bind(const std::vector<int32_t>& nodes, ValueRange values, size_t from = 0) {
    for (size_t i = from; i < nodes.size(); ++i) values_[nodes[i]] = values[i - from];
  }
  SmallVector<Value> yields(const graph::Region& r, size_t from = 0) {
    SmallVector<Value> v;
    for (size_t i = from; i < r.yields.size(); ++i) v.push_back(value(r.yields[i]));
    return v;
  }
  /// As many rounds as Python's range has; a step of 0 makes none. Distances are unsigned: they may not fit a signed number.
  Value rounds(Value start, Value stop, Value step, Value zero, Location l) {
    Type i64 = b_.getI64Type(), u64 = b_.getIntegerType(64, false), flag = b_.getI1Type();
    auto op = [&](StringRef kind, Type type, ValueRange v) { return ir::ElementwiseOp::create(b_, l, type, kind, v).getResult(); };
    auto natural = [&](Value v) { return ir::CastOp::create(b_, l, u64, v).getResult(); };  // wraps
    Value up = op("gt", flag, ValueRange{step, zero});
    Value from = op("where", i64, ValueRange{up, start, stop}), to = op("where", i64, ValueRange{up, stop, start});
    Value one = constant(graph::DType::u64, 1, 0, l);
    Value distance = op("sub", u64, ValueRange{natural(to), natural(from)});
    Value size = natural(op("where", i64, ValueRange{up, step, op("neg", i64, step)}));
    Value count = op("add", u64, ValueRange{op("div", u64, ValueRange{op("sub", u64, ValueRange{distance, one}), size}), one});
    Value some = op("land", flag, ValueRange{op("lt", flag, ValueRange{from, to}), op("ne", flag, ValueRange{step, zero})});
    return op("where", i64, ValueRange{some, ir::CastOp::create(b_, l, i64, count), zero});
  }
  void for_loop(const Node& n, Location l) {
    const graph::Region& r = g_.regions[n.regions[0]];
    Value start = value(n.args[0]), stop = value(n.args[1]), step = value(n.args[2]);
    SmallVector<Value> init = carried(n, 3);
    const Node& s = g_.nodes[n.args[2]];
    bool plain = s.op == Op::literal && s.integer == 1;  // with larger steps the index could pass the largest number
    Value zero = constant(graph::DType::i64, 0, 0, l), one = constant(graph::DType::i64, 1, 0, l);
    Value lo = plain ? start : zero, by = plain ? step : one, hi = stop;
    if (!plain) hi = rounds(start, stop, step, zero, l);
    auto loop = scf::ForOp::create(b_, l, lo, hi, by, init);
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(loop.getBody());
      Value iv = loop.getInductionVar();
      if (!plain) {
        Value scaled = ir::ElementwiseOp::create(b_, l, b_.getI64Type(), "mul", ValueRange{iv, step});
        iv = ir::ElementwiseOp::create(b_, l, b_.getI64Type(), "add", ValueRange{start, scaled});
      }
      values_[r.inputs[0]] = iv;
      bind(r.inputs, loop.getRegionIterArgs(), 1);
      region(n.regions[0]);
      SmallVector<Value> y = yields(r);
      if (!init.empty()) scf::YieldOp::create(b_, l, y);
    }
    bind(n.results, loop.getResults());
  }
  void branch(const Node& n, Location l) {
    Value condition = value(n.args[0]);
    SmallVector<Type> types;
    for (int32_t id : n.results) types.push_back(type(g_.nodes[id]));
    auto op = scf::IfOp::create(b_, l, types, condition, true);
    for (int side = 0; side < 2; ++side) {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(side ? op.elseBlock() : op.thenBlock());
      if (size_t(side) >= n.regions.size()) continue;
      region(n.regions[side]);
      SmallVector<Value> y = yields(g_.regions[n.regions[side]]);
      if (!types.empty()) scf::YieldOp::create(b_, l, y);
    }
    bind(n.results, op.getResults());
  }
  void while_loop(const Node& n, Location l) {
    const graph::Region& r = g_.regions[n.regions[0]];
    SmallVector<Value> init = carried(n, 0);
    SmallVector<Type> types;
    for (Value v : init) types.push_back(v.getType());
    auto op = scf::WhileOp::create(b_, l, types, init);
    OpBuilder::InsertionGuard guard(b_);
    SmallVector<Location> locs(types.size(), l);
    Block* before = b_.createBlock(&op.getBefore(), {}, types, locs);
    bind(r.inputs, before->getArguments());
    for (int64_t i = 0; i < n.split; ++i) node(r.nodes[i]);
    scf::ConditionOp::create(b_, l, value(r.yields[0]), before->getArguments());
    // What the condition computed does not dominate the body: nodes used there are made again on demand.
    for (int64_t i = 0; i < n.split; ++i) values_[r.nodes[i]] = {};
    Block* after = b_.createBlock(&op.getAfter(), {}, types, locs);
    bind(r.inputs, after->getArguments());
    for (size_t i = size_t(n.split); i < r.nodes.size(); ++i) node(r.nodes[i]);
    SmallVector<Value> y = yields(r, 1);
    scf::YieldOp::create(b_, l, y);
    bind(n.results, op.getResults());
  }
};
}  // namespace

OwningOpRef<ModuleOp> import_graph(MLIRContext& context, graph::Graph& graph, const graph::Specialization& specialization) {
  return Importer(context, graph, specialization).run();
}

}  // namespace tine::compiler
