#include "kernel.hpp"

#include <algorithm>

namespace tine::fuzz {
namespace {

using core::Handle;
using core::Op;
using core::Operand;

constexpr Loc nowhere{};

// `offsets(p)` without a dim: recorded by the front end and evaluated, but the compiler does not import it yet.
constexpr bool row_major_offsets = false;

const std::vector<DType> storage_types = {DType::b1,  DType::i8,  DType::i16, DType::i32,      DType::i64,   DType::u8,
                                          DType::u16, DType::u32, DType::u64, DType::f16,      DType::bf16,  DType::f32,
                                          DType::f64, DType::f32, DType::i32, DType::f8e4m3fn, DType::f8e5m2};
bool arithmetic(DType t) { return t != DType::b1 && t != DType::f8e4m3fn && t != DType::f8e5m2; }

// ---- arrangement

// One operation on level 0, the same for all sources.
struct Step {
  enum Kind { pad, permute, slice, flatten, unsqueeze } kind;
  std::vector<int64_t> a, b, c;
};

std::vector<Step> random_steps(Random& r, int& rank) {
  std::vector<Step> steps;
  for (int64_t n = r.below(3); n > 0; --n) {
    Step s{static_cast<Step::Kind>(r.below(5)), {}, {}, {}};
    switch (s.kind) {
      case Step::pad:
        for (int d = 0; d < rank; ++d) s.a.push_back(r.below(3)), s.b.push_back(r.chance(20) ? -1 : r.below(3));
        break;
      case Step::permute:
        for (int d = 0; d < rank; ++d) s.a.push_back(d);
        for (int d = rank; d-- > 1;)
          std::swap(s.a[static_cast<std::size_t>(d)], s.a[static_cast<std::size_t>(r.below(d + 1))]);
        break;
      case Step::slice:
        for (int d = 0; d < rank; ++d) {
          s.a.push_back(r.below(3));                            // start
          s.b.push_back(r.chance(50) ? -99 : r.between(3, 9));  // stop; -99: none
          s.c.push_back(r.chance(30) ? -1 : r.between(1, 2));   // step
        }
        break;
      case Step::flatten:
        if (rank < 2) continue;
        s.a = {r.below(rank - 1)};
        s.b = {s.a[0] + 2};
        --rank;
        break;
      case Step::unsqueeze:
        if (rank >= 3) continue;
        s.a = {r.below(rank + 1)};
        ++rank;
        break;
    }
    steps.push_back(std::move(s));
  }
  return steps;
}

int32_t apply(int32_t v, const Step& s) {
  switch (s.kind) {
    case Step::pad: {
      std::vector<Pad> pads;
      for (std::size_t d = 0; d < s.a.size(); ++d) pads.push_back({s.a[d], s.b[d]});
      return core::view_pad(v, 0, pads.data(), pads.size(), nowhere);
    }
    case Step::permute: {
      const std::vector<int> order(s.a.begin(), s.a.end());
      return core::view_permute(v, 0, order.data(), order.size(), nowhere);
    }
    case Step::slice: {
      std::vector<core::Index> items;
      for (std::size_t d = 0; d < s.a.size(); ++d) {
        core::Index i;
        i.step = s.c[d];
        if (i.step > 0) {
          i.has_start = true;
          i.start = s.a[d];
          i.has_stop = s.b[d] != -99;
          if (i.has_stop) i.stop = s.b[d];
        }
        items.push_back(i);
      }
      return core::view_slice(v, 0, items.data(), items.size(), nowhere);
    }
    case Step::flatten: return core::view_flatten(v, 0, static_cast<int>(s.a[0]), static_cast<int>(s.b[0]), nowhere);
    case Step::unsqueeze: return core::view_unsqueeze(v, 0, static_cast<int>(s.a[0]), nowhere);
  }
  return v;
}

int32_t tile(int32_t v, const std::vector<int64_t>& sizes) {
  std::vector<Size> s;
  for (int64_t n : sizes) s.push_back(n < 0 ? Size(Whole{}) : Size(n));
  return core::view_tile(v, 0, s.data(), s.size(), {}, nowhere);
}

// ---- application

struct Value {
  Handle handle;
  DType type;
  int rank;
  bool full;  // has the tile's shape; else it only broadcasts to it
};
Operand operand(const Value& v) { return {Operand::tile, v.type, v.handle}; }
Operand number(DType t, int64_t v) {
  Operand o{Operand::integer, t};
  o.integer_value = v;
  return o;
}

class Application {
 public:
  Application(Random& r, const RandomKernel& k, int tile_rank, int middle_rank)
      : r_(r), k_(k), tile_rank_(tile_rank), middle_rank_(middle_rank) {}

  void run() {
    const Handle out = core::parameter(output());
    if (middle_rank_ == 0) return core::store(out, cast(expression({}), out_type()).handle, nowhere);
    // Loops over the middle level, with a sum that is carried through all of it.
    Value carried = cast(literal(DType::i32, 1), DType::i32);
    std::vector<Handle> index;
    loop(out, index, carried);
  }

 private:
  int output() const { return static_cast<int>(k_.sources.size()) - 1; }
  DType out_type() const { return k_.sources.back().type; }

  void loop(const Handle& out, std::vector<Handle>& index, Value& carried) {
    const auto dim = static_cast<int>(index.size());
    if (dim == middle_rank_) {
      const Value v = expression(index);
      const Value any = reduce(Op::any, v, {}, true);
      assign(carried, binary(Op::add, DType::i32, binary(Op::mul, DType::i32, carried, literal(DType::i32, 3)), any));
      const Value stored = binary(Op::bxor, DType::i32, cast(v, DType::i32), carried);
      const Handle place = core::cell(out, index.data(), middle_rank_, false, nowhere);
      return core::store(place, cast(stored, out_type()).handle, nowhere);
    }
    Operand stop{Operand::size, DType::i64};
    stop.size_value = core::level_size(out, middle_rank_, dim, nowhere);
    index.push_back(core::open_for(number(DType::i64, 0), stop, number(DType::i64, 1), nowhere));
    loop(out, index, carried);
    core::close_structure();
  }

  // A tile of the parameters' tile shape.
  Value expression(const std::vector<Handle>& index) {
    std::vector<Value> values;
    for (int s = 0; s < output(); ++s) values.push_back(load(s, index));
    if (r_.chance(30)) values.push_back(load(output(), index));
    for (int64_t n = r_.between(1, 9); n > 0; --n) values.push_back(step(values, index));
    Value v = values.back();
    if (!v.full) v = binary(Op::add, DType::i32, cast(v, DType::i32), cast(values[0], DType::i32));
    return v;
  }

  Value load(int source, const std::vector<Handle>& index) {
    const DType t = k_.sources[static_cast<std::size_t>(source)].type;
    Handle place = core::parameter(source);
    if (k_.sources[static_cast<std::size_t>(source)].scalar)
      return {core::convert(t, {Operand::tile, t, place}, 0, nowhere), t, 0, false};
    if (middle_rank_ > 0) place = core::cell(place, index.data(), middle_rank_, true, nowhere);
    return {core::convert(t, {Operand::tile, t, place}, 0, nowhere), t, tile_rank_, true};
  }

  Value step(const std::vector<Value>& values, const std::vector<Handle>& index) {
    const Value a = r_.chance(70) ? values.back() : r_.of(values), b = r_.of(values);  // so that most steps count
    switch (r_.below(14)) {
      case 0:
      case 1:
      case 2: return arithmetic_step(a, b);
      case 3: {
        const std::vector<Op> ops = {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge};
        const DType t = common(a, b);
        const Op op = r_.of(ops);
        return {core::binary(op, t, DType::b1, operand(a), operand(b), nowhere), DType::b1, std::max(a.rank, b.rank),
                a.full || b.full};
      }
      case 4: {
        const Value c = r_.of(values);
        const DType t = common(a, b);
        return {core::where(t, operand(cast(c, DType::b1)), operand(a), operand(b), nowhere), t,
                std::max({a.rank, b.rank, c.rank}), a.full || b.full || c.full};
      }
      case 5: return cast(a, r_.of(storage_types));
      case 6: return unary_step(a);
      case 7: return reduction(a);
      case 8: {
        Handle place = core::parameter(output());
        if (middle_rank_ > 0) place = core::cell(place, index.data(), middle_rank_, false, nowhere);
        if (r_.chance(30)) return {core::valid(place, nowhere), DType::b1, tile_rank_, true};
        const int dim = static_cast<int>(r_.below(k_.rank));
        return {core::offsets(place, dim, r_.chance(30) && row_major_offsets, nowhere), DType::i64, tile_rank_, true};
      }
      case 9: return turned(a);
      case 10: return branch(a, b);
      case 11: return product(a);
      case 12: return searched(a, b);
      default: return repeated(a, b);
    }
  }

  DType common(const Value& a, const Value& b) {
    const DType t = r_.chance(50) ? a.type : b.type;
    return arithmetic(t) ? t : r_.of(std::vector<DType>{DType::i32, DType::f32, DType::f16});
  }

  Value arithmetic_step(const Value& a, const Value& b) {
    const DType t = common(a, b);
    const std::vector<Op> floats = {Op::add, Op::sub, Op::mul, Op::min, Op::max, Op::fmin, Op::fmax};
    const std::vector<Op> ints = {Op::add,      Op::sub,  Op::mul,  Op::min, Op::max,  Op::div, Op::mod, Op::floordiv,
                                  Op::floormod, Op::cdiv, Op::band, Op::bor, Op::bxor, Op::shl, Op::shr, Op::umulhi};
    const Op op = r_.of(is_float(t) ? floats : ints);
    return tame(binary(op, t, a, b));
  }

  Value unary_step(const Value& a) {
    const DType t = arithmetic(a.type) ? a.type : DType::i16;
    const Op op = r_.of(is_float(t) ? std::vector<Op>{Op::neg, Op::abs, Op::floor, Op::ceil, Op::round, Op::trunc}
                                    : std::vector<Op>{Op::neg, Op::abs, Op::bnot, Op::popcount, Op::clz});
    const Value x = cast(a, t);
    return {core::unary(op, t, t, operand(x), nowhere), t, a.rank, a.full};
  }

  Value reduction(const Value& a) {
    if (a.rank == 0) return cast(a, DType::i64);
    const Value x = arithmetic(a.type) ? a : cast(a, DType::i32);
    const std::vector<Op> floats = {Op::sum, Op::rmax, Op::rmin, Op::any, Op::all, Op::argmax, Op::argmin};
    const std::vector<Op> ints = {Op::sum, Op::prod,   Op::rmax,   Op::rmin, Op::any,
                                  Op::all, Op::argmax, Op::argmin, Op::rxor};
    const Op op = r_.of(is_float(x.type) ? floats : ints);
    std::vector<int> axes;
    for (int d = 0; d < a.rank; ++d)
      if (r_.chance(60)) axes.push_back(d);
    if (axes.empty()) axes.push_back(0);
    return tame(reduce(op, x, axes, false));
  }

  // Reduces with the reduced dims kept, so that the result broadcasts with the tile; `all`: to a scalar.
  Value reduce(Op op, const Value& of, const std::vector<int>& axes, bool all) {
    const Value x =
        of.type == DType::f8e4m3fn || of.type == DType::f8e5m2 ? cast(of, DType::f32) : of;  // fp8 does no arithmetic
    DType result = x.type;
    if (op == Op::any || op == Op::all) result = DType::b1;
    if (op == Op::argmax || op == Op::argmin) result = DType::i32;
    if (op == Op::sum || op == Op::prod) {
      if (is_float(x.type))
        result = x.type == DType::f64 ? DType::f64 : DType::f32;
      else if (bytes(x.type) < 4)
        result = is_unsigned(x.type) && x.type != DType::b1 ? DType::u32 : DType::i32;
    }
    const Handle h =
        core::reduce(op, x.type, result, operand(x), axes.data(), static_cast<int>(axes.size()), all, !all, nowhere);
    return {h, result, all ? 0 : x.rank, false};
  }

  // Through a permutation and back.
  Value turned(const Value& a) {
    if (a.rank < 2) return a;
    std::vector<int> order(static_cast<std::size_t>(a.rank)), back(order.size());
    for (int d = 0; d < a.rank; ++d) order[static_cast<std::size_t>(d)] = (d + 1) % a.rank;
    for (int d = 0; d < a.rank; ++d) back[static_cast<std::size_t>(order[static_cast<std::size_t>(d)])] = d;
    Value t{core::permute(operand(a), order.data(), a.rank, nowhere), a.type, a.rank, a.full};
    const Value changed = arithmetic(a.type) ? tame(binary(Op::add, a.type, t, t)) : t;
    return {core::permute(operand(changed), back.data(), a.rank, nowhere), a.type, a.rank, a.full};
  }

  // The largest element of x times its transpose.
  Value product(const Value& a) {
    if (a.rank < 2) return cast(a, DType::bf16);
    const std::vector<DType> types = {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::u8};
    const DType t = r_.of(types);
    const DType result = t == DType::f64 ? t : is_float(t) ? DType::f32 : DType::i32;
    const Value x = tame(cast(a, t));
    std::vector<int> order;
    for (int d = 0; d < a.rank; ++d) order.push_back(d);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    const Value y{core::permute(operand(x), order.data(), a.rank, nowhere), t, a.rank, false};
    const Value z{core::dot(t, t, result, operand(x), operand(y), a.rank, 0, nowhere), result, a.rank, false};
    return tame(reduce(r_.chance(50) ? Op::rmax : Op::rmin, z, {a.rank - 2, a.rank - 1}, false));
  }

  // A loop whose end is found as it runs: n = 1; while (n < limit) { n += n; v += b; }
  Value searched(const Value& a, const Value& b) {
    if (!a.full || !b.full) return cast(a, DType::u8);
    Value v = cast(a, DType::i16), n = literal(DType::i32, 1);
    const Value some = reduce(Op::rmax, cast(b, DType::i8), {}, true);
    const Value limit = cast(some, DType::i32);
    core::open_while(nowhere);
    const Value more{core::binary(Op::lt, DType::i32, DType::b1, operand(n), operand(limit), nowhere), DType::b1, 0,
                     false};
    core::while_body(operand(more), nowhere);
    assign(n, binary(Op::add, DType::i32, n, n));
    assign(v, binary(Op::add, DType::i16, v, cast(b, DType::i16)));
    core::close_structure();
    return v;
  }

  Value branch(const Value& a, const Value& b) {
    if (!a.full || !b.full) return cast(a, DType::i16);
    Value v = cast(a, DType::i32);
    const Value c = reduce(r_.chance(50) ? Op::any : Op::all, b, {}, true);
    core::open_if(operand(c), nowhere);
    assign(v, binary(Op::add, DType::i32, v, cast(b, DType::i32)));
    core::open_else();
    if (r_.chance(60)) assign(v, binary(Op::sub, DType::i32, v, literal(DType::i32, 7)));
    core::close_structure();
    return v;
  }

  Value repeated(const Value& a, const Value& b) {
    if (!a.full || !b.full) return cast(a, DType::u16);
    Value v = cast(a, DType::i64);
    const Handle k = core::open_for(number(DType::i64, r_.between(-2, 2)), number(DType::i64, r_.between(-1, 4)),
                                    number(DType::i64, r_.chance(20) ? -1 : r_.between(1, 2)), nowhere);
    const Value index{k, DType::i64, 0, false};
    assign(v, binary(Op::add, DType::i64, binary(Op::mul, DType::i64, v, index), cast(b, DType::i64)));
    core::close_structure();
    return v;
  }

  // Keeps floats small, so that all that follows is exact or rounds the same way everywhere.
  Value tame(const Value& v) {
    if (!is_float(v.type)) return v;
    Value x{core::binary(Op::min, v.type, v.type, operand(v), number(v.type, 8), nowhere), v.type, v.rank, v.full};
    return {core::binary(Op::max, v.type, v.type, operand(x), number(v.type, -8), nowhere), v.type, v.rank, v.full};
  }

  Value cast(const Value& v, DType t) { return {core::convert(t, operand(v), 0, nowhere), t, v.rank, v.full}; }
  Value literal(DType t, int64_t v) { return {core::convert(t, number(t, v), 0, nowhere), t, 0, false}; }
  Value binary(Op op, DType t, const Value& a, const Value& b) {
    return {core::binary(op, t, t, operand(a), operand(b), nowhere), t, std::max(a.rank, b.rank), a.full || b.full};
  }
  void assign(const Value& variable, const Value& v) {
    core::assign(variable.handle, cast(v, variable.type).handle, nowhere);
  }

  Random& r_;
  const RandomKernel& k_;
  int tile_rank_, middle_rank_;
};

}  // namespace

RandomKernel::RandomKernel(uint64_t s) : seed(s) {
  Random r(seed);
  rank = static_cast<int>(r.between(1, 3));
  const int64_t count = r.between(2, 4);
  for (int64_t i = 0; i < count; ++i) {
    Source source{r.of(storage_types), i > 0 && i + 1 < count && r.chance(25),
                  std::vector<bool>(static_cast<std::size_t>(rank), false)};
    if (i + 1 < count && !source.scalar && r.chance(25)) source.single[static_cast<std::size_t>(r.below(rank))] = true;
    sources.push_back(source);
  }
  in_place = r.chance(25);
  if (in_place) sources[0] = sources.back();
  for (const Source& source : sources) types.push_back({source.type, source.scalar ? 0 : rank});
}

void RandomKernel::run(const void* state) {
  const RandomKernel& k = *static_cast<const RandomKernel*>(state);
  Random r(k.seed ^ 0x5eed);
  const std::size_t n = k.sources.size();
  std::vector<int32_t> views(n);
  for (std::size_t s = 0; s < n; ++s)  // -1 - source stands for a scalar
    views[s] = k.sources[s].scalar ? -1 - static_cast<int32_t>(s) : core::view_source(static_cast<int>(s), k.rank);
  for (std::size_t s = 0; s + 1 < n; ++s) {
    if (k.sources[s].scalar) continue;
    std::vector<Size> shape;
    bool expands = false;
    for (int d = 0; d < k.rank; ++d) {
      const bool single = k.sources[s].single[static_cast<std::size_t>(d)];
      expands |= single;
      shape.push_back(single ? core::view_size(views[n - 1], 0, d, nowhere) : Size(Keep{}));
    }
    if (expands) views[s] = core::view_expand(views[s], 0, shape.data(), shape.size(), nowhere);
  }
  int level_rank = k.rank;
  const std::vector<Step> steps = random_steps(r, level_rank);
  std::vector<int64_t> inner, outer;
  for (int d = 0; d < level_rank; ++d)
    inner.push_back(r.chance(15) ? -1 : r.of(std::vector<int64_t>{1, 2, 3, 4, 5, 7, 8, 16, 32, k.rank == 1 ? 64 : 6}));
  const bool middle = r.chance(35);
  for (int d = 0; d < level_rank; ++d) outer.push_back(r.chance(40) ? -1 : r.between(1, 3));
  for (int32_t& v : views) {
    if (v < 0) continue;
    for (const Step& s : steps) v = apply(v, s);
    v = tile(v, inner);
    if (middle) v = tile(v, outer);
  }
  if (!core::arranged(views.data(), static_cast<int>(n))) return;
  Application(r, k, level_rank, middle ? level_rank : 0).run();
}

core::Definition* RandomKernel::define() const {
  auto* copy = new RandomKernel(*this);
  return core::define({copy, sizeof *copy, run, [](const void* p) { delete static_cast<const RandomKernel*>(p); },
                       "[K = Fuzz]", copy->types.data(), static_cast<int>(copy->types.size()), nullptr, nullptr, 0,
                       true});
}

}  // namespace tine::fuzz
