#include "application.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tine::fuzz {
namespace {

using core::Handle;
using core::Op;
using core::Operand;

const Loc here = Loc::here();
constexpr int64_t largest_tile = 4096;

int64_t product(const std::vector<Dim>& d) {
  int64_t n = 1;
  for (const Dim& x : d) n *= x.size;
  return n;
}
bool fp8(DType t) { return is_float(t) && bytes(t) == 1; }
int kind(DType t) { return t == DType::b1 ? 0 : is_float(t) ? 2 : 1; }
/// Significant bits of a float type.
int precision(DType t) {
  switch (t) {
    case DType::f8e4m3fn:
      return 4;
    case DType::f8e5m2:
      return 3;
    case DType::f16:
      return 11;
    case DType::bf16:
      return 8;
    case DType::f32:
      return 24;
    default:
      return 53;
  }
}
double largest(DType t) {
  return t == DType::f8e4m3fn ? 448 : t == DType::f8e5m2 ? 57344 : t == DType::f16 ? 65504 : 1e30;
}
/// Whether these numbers are exact in a float type.
Numbers fitted(DType t, Numbers n) {
  n.exact = n.exact && n.bound < std::ldexp(1.0, precision(t)) && n.bound * std::ldexp(1.0, -n.scale) <= largest(t) &&
            n.scale <= 12;
  if (!n.exact) n.steps = std::min(n.steps, 1);
  return n;
}
Numbers integers(DType t) { return {true, t == DType::b1 ? 1 : std::ldexp(1.0, 8 * bytes(t)), 0, 0, 1, true}; }
Numbers joined(const Numbers& a, const Numbers& b) {
  Numbers n = a;
  n.scale = std::max(a.scale, b.scale);
  n.bound = std::max(std::ldexp(a.bound, n.scale - a.scale), std::ldexp(b.bound, n.scale - b.scale));
  n.exact = a.exact && b.exact;
  n.ulps = std::max(a.ulps, b.ulps);
  n.steps = std::min(a.steps, b.steps);
  n.signed_zeros = a.signed_zeros && b.signed_zeros;
  return n;
}

// The rules of section 5, written again.
DType promoted(DType a, DType b) {
  if (a == b) return a;
  if (kind(a) != kind(b)) return kind(a) > kind(b) ? a : b;
  if (bytes(a) != bytes(b)) return bytes(a) > bytes(b) ? a : b;
  if (is_float(a)) return DType::f32;
  return is_unsigned(a) ? a : b;
}
DType accumulator(DType t) {
  if (is_float(t)) return bytes(t) < 4 ? DType::f32 : t;
  if (bytes(t) >= 4) return t;
  return t != DType::b1 && is_unsigned(t) ? DType::u32 : DType::i32;
}

}  // namespace

Application::Application(Program& program, Choices& choices)
    : program_(program), choices_(choices), tracer_(core::Tracer::get({})), stored_(program.sources.size(), 0) {}

int64_t Application::value_of(const Size& s) const {
  if (s.kind() == Size::plain) return s.number();
  return tracer_.pool.eval(graph::Ex{s.id()}, [&](graph::Sym k, int a, int b) -> int64_t {
    const Source& source = program_.sources[static_cast<std::size_t>(a)];
    return k == graph::Sym::size ? source.shape[static_cast<std::size_t>(b)]
                                 : source.strides[static_cast<std::size_t>(b)];
  });
}
std::vector<Dim> Application::dims_of(const Handle& h) const {
  const int rank = int(tracer_.shape(tracer_.read(h, {})).size());
  std::vector<Size> s(static_cast<std::size_t>(rank) + 1);
  core::shape_of(h, rank, s.data());
  std::vector<Dim> dims;
  for (int d = 0; d < rank; ++d)
    dims.push_back({value_of(s[static_cast<std::size_t>(d)]), s[static_cast<std::size_t>(d)].kind() == Size::plain});
  return dims;
}
void Application::add(Handle h, DType t, Numbers n) {
  if (!is_float(t)) n.exact = true, n.scale = 0;
  pool_.push_back({h, t, dims_of(h), n, false});
}

namespace {
Operand operand(const Tile& t) { return {Operand::tile, t.type, t.handle}; }
Operand number(DType t, double v) {
  Operand o{is_float(t) ? Operand::real : Operand::integer, t};
  o.integer_value = static_cast<int64_t>(v);
  o.real_value = v;
  return o;
}
}  // namespace

// ---- places

std::vector<Handle> Application::indices(int parameter) {
  const auto& levels = program_.parameters[static_cast<std::size_t>(parameter)].arrangement.levels();
  static constexpr std::initializer_list<int64_t> far = {(int64_t{1} << 31) + 1, -(int64_t{1} << 40), int64_t{1} << 33};
  std::vector<Handle> out;
  for (std::size_t l = 1; l + 1 < levels.size(); ++l)
    for (int64_t size : levels[l]) {
      const Tile* run_time = choices_.once_in(6) ? scalar_integer() : nullptr;
      if (!loop_indices_.empty() && choices_.below(3))
        out.push_back(core::index({Operand::tile, DType::i64, choices_.pick(loop_indices_)}, here));
      else if (run_time)
        out.push_back(core::index(operand(*run_time), here));
      else
        out.push_back(core::index(number(DType::i64, double(!choices_.once_in(10) ? choices_.below(size)
                                                            : choices_.below(4)   ? choices_.between(-1, size)
                                                                                  : choices_.pick(far))),
                                  here));
    }
  return out;
}
Handle Application::place(int parameter, const std::vector<Handle>& index) {
  const auto& levels = program_.parameters[static_cast<std::size_t>(parameter)].arrangement.levels();
  Handle h = core::parameter(parameter);
  std::size_t at = 0;
  for (std::size_t l = 1; l + 1 < levels.size(); ++l) {
    h = core::cell(h, index.data() + at, int(levels[l].size()), l + 2 == levels.size(), here);
    at += levels[l].size();
  }
  return h;
}
Tile Application::read(int parameter, const std::vector<Handle>& index) {
  const Parameter& p = program_.parameters[static_cast<std::size_t>(parameter)];
  const Source& s = program_.sources[static_cast<std::size_t>(p.source)];
  const Handle h = core::copy(place(parameter, index), here);
  Numbers n = integers(s.type);
  if (is_float(s.type)) n = {true, 8, 1, 0, 1, true};
  return {h, s.type, dims_of(h), n, false};
}

void Application::store(int parameter) {
  const Parameter& p = program_.parameters[static_cast<std::size_t>(parameter)];
  const Source& s = program_.sources[static_cast<std::size_t>(p.source)];
  const auto& levels = p.arrangement.levels();
  std::vector<int64_t> tile = levels.size() > 1 ? levels.back() : std::vector<int64_t>{};
  std::vector<Dim> to;
  for (int64_t n : tile) to.push_back({n, false});
  // What broadcasts into the tile.
  const auto fit = [&](const std::vector<Dim>& d) {
    if (d.size() > to.size()) return false;
    for (std::size_t k = 0; k < d.size(); ++k)
      if (!(d[k].known && d[k].size == 1) && d[k].size != to[to.size() - d.size() + k].size) return false;
    return true;
  };
  std::vector<std::size_t> fits;
  for (std::size_t i = 0; i < pool_.size(); ++i)
    if (fit(pool_[i].dims)) fits.push_back(i);
  Tile value = literal(s.type);
  if (!fits.empty() && !choices_.once_in(30)) {
    // The later values are made of more.
    const std::size_t back =
        std::min<std::size_t>(static_cast<std::size_t>(choices_.pick({0, 0, 1, 2, 3, 5, 8})), fits.size() - 1);
    value = pool_[fits[fits.size() - 1 - back]];
  }
  // Other values take part, as they are or reduced, so that few are made in vain.
  for (int64_t n = choices_.pick({2, 1, 3, 0, 5}); n > 0 && !pool_.empty(); --n) {
    Tile other = any();
    if (!fit(other.dims)) {
      if (!reduce(other, true)) continue;
      other = pool_.back();
    }
    const Tile now = value;
    if (fit(other.dims) && binary(now, other) && fit(pool_.back().dims)) value = pool_.back();
  }
  store_as(value, parameter);
}

void Application::store_as(const Tile& tile, int parameter) {
  const Parameter& p = program_.parameters[static_cast<std::size_t>(parameter)];
  const Source& s = program_.sources[static_cast<std::size_t>(p.source)];
  // Neighbours may round to other integers.
  const bool open = !is_float(s.type) && is_float(tile.type) && !tile.numbers.exact;
  const Tile value = open ? literal(s.type) : converted(tile, s.type);
  core::store(place(parameter, indices(parameter)), value.handle, here);
  stored_[static_cast<std::size_t>(p.source)] = 1;
  Accuracy& a = program_.accuracies_[static_cast<std::size_t>(p.source)];
  if (is_float(s.type)) {
    a.ulps = std::max(a.ulps, value.numbers.exact ? 0 : value.numbers.ulps);
    a.signed_zeros &= value.numbers.signed_zeros;
  }
}

// ---- values

Tile Application::literal(DType t) {
  const double v = choices_.pick<double>({1, 0, 2, 3, 5});
  const Handle h = core::convert(t == DType::b1 ? DType::i32 : t, number(t == DType::b1 ? DType::i32 : t, v), 0, here);
  if (t == DType::b1) return {core::convert(t, {Operand::tile, DType::i32, h}, 0, here), t, {}, integers(t), false};
  Numbers n{true, 8, 0, 0, 1, true};
  if (!is_float(t)) n = integers(t);
  return {h, t, {}, n, false};
}
Tile Application::converted(const Tile& a, DType t) {
  if (a.type == t) return a;
  Tile r = a;
  r.handle = core::convert(t, operand(a), 0, here);
  r.type = t;
  r.variable = false;
  if (!is_float(t)) {
    r.numbers = integers(t);
  } else if (!is_float(a.type)) {
    r.numbers = fitted(t, {true, a.type == DType::b1 ? 2 : std::ldexp(1.0, 8 * bytes(a.type)), 0, 0, 1, true});
  } else if (a.numbers.exact) {
    r.numbers = fitted(t, a.numbers);
  } else {
    const int lost = precision(a.type) - precision(t);
    r.numbers.ulps = a.numbers.ulps == 0 ? 0
                     : lost > 0          ? std::ceil(std::ldexp(a.numbers.ulps, -lost)) + 1
                                         : std::ldexp(a.numbers.ulps, -lost);
    r.numbers.steps = 0;
  }
  return r;
}
const Tile* Application::scalar_integer() {
  std::vector<const Tile*> found;
  for (const Tile& t : pool_)
    if (t.dims.empty() && kind(t.type) == 1) found.push_back(&t);
  return found.empty() ? nullptr : choices_.pick(found);
}
bool Application::broadcast(const std::vector<Dim>& a, const std::vector<Dim>& b) const {
  int64_t elements = 1;
  for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
    const Dim x = k < a.size() ? a[a.size() - 1 - k] : Dim{1, true},
              y = k < b.size() ? b[b.size() - 1 - k] : Dim{1, true};
    if (x.size != y.size && !(x.known && x.size == 1) && !(y.known && y.size == 1)) return false;
    elements *= x.known && x.size == 1 ? y.size : x.size;
  }
  return elements <= largest_tile;
}

bool Application::binary(const Tile& x, const Tile& y) {
  if (!broadcast(x.dims, y.dims)) return false;
  const DType joint = promoted(x.type, y.type);
  if (fp8(x.type) || fp8(y.type)) return false;
  const DType arithmetic = joint == DType::b1 ? DType::i32 : joint;
  if (!is_float(joint)) {
    static const std::vector<Op> ops = {Op::add,      Op::sub,  Op::mul, Op::div,   Op::mod,  Op::floordiv,
                                        Op::floormod, Op::cdiv, Op::min, Op::max,   Op::band, Op::bor,
                                        Op::bxor,     Op::shl,  Op::shr, Op::eq,    Op::ne,   Op::lt,
                                        Op::le,       Op::gt,   Op::ge,  Op::umulhi};
    Op op = choices_.pick(ops);
    if (joint == DType::b1 && choices_.below(2)) op = choices_.below(2) ? Op::land : Op::lor;
    const bool compares = op >= Op::eq && op <= Op::ge, logical = op == Op::land || op == Op::lor;
    const DType t = compares || logical || op == Op::band || op == Op::bor || op == Op::bxor ? joint : arithmetic;
    const DType r = compares || logical ? DType::b1 : t;
    add(core::binary(op, t, r, operand(x), operand(y), here), r, integers(r));
    return true;
  }
  const Tile a = converted(x, joint), b = converted(y, joint);
  const Numbers &m = a.numbers, &n = b.numbers;
  static const std::vector<Op> any_ops = {Op::mul, Op::div, Op::min, Op::max};
  static const std::vector<Op> exact_ops = {Op::add,  Op::sub, Op::mul, Op::min,   Op::max,     Op::fmin,
                                            Op::fmax, Op::eq,  Op::ne,  Op::lt,    Op::le,      Op::gt,
                                            Op::ge,   Op::div, Op::pow, Op::atan2, Op::copysign};
  const bool exact = m.exact && n.exact;
  if (!exact && (m.steps == 0 || n.steps == 0)) return false;
  Op op = choices_.pick(exact ? exact_ops : any_ops);
  if ((op == Op::copysign || op == Op::atan2 || op == Op::div || op == Op::pow) && !(m.signed_zeros && n.signed_zeros))
    op = Op::max;
  if (!exact && bytes(joint) < 4) return false;  // products of subnormals lose what the bound says
  Numbers r = joined(m, n);
  DType t = joint;
  switch (op) {
    case Op::add:
    case Op::sub:
      r.bound *= 2;
      break;
    case Op::mul:
      r.bound = m.bound * n.bound;
      r.scale = m.scale + n.scale;
      if (!exact) r.ulps = 2 * (m.ulps + n.ulps) + 1, r.steps = 0;
      break;
    case Op::div:
      r.exact = false;
      r.ulps = exact ? 0 : 2 * (m.ulps + n.ulps) + 1;
      r.steps = exact ? 1 : 0;
      break;
    case Op::pow:
    case Op::atan2:
      r.exact = false;
      r.ulps = bytes(joint) < 4 ? 1 : 8;
      r.steps = 0;
      break;
    case Op::copysign:
      r = {m.exact, m.bound, m.scale, 0, 1, true};
      break;
    case Op::min:
    case Op::max:
    case Op::fmin:
    case Op::fmax:
      r.signed_zeros = false;
      break;
    default:
      t = DType::b1, r = integers(t);
  }
  add(core::binary(op, joint, t, operand(a), operand(b), here), t, is_float(t) ? fitted(t, r) : r);
  return true;
}

bool Application::unary(const Tile& a) {
  if (fp8(a.type)) return false;
  const DType t = a.type;
  if (!is_float(t)) {
    if (t == DType::b1) {
      add(core::unary(Op::lnot, t, t, operand(a), here), t, integers(t));
      return true;
    }
    static const std::vector<Op> ops = {Op::neg, Op::abs, Op::bnot, Op::popcount, Op::clz, Op::bitcast};
    const Op op = choices_.pick(ops);
    DType r = t;
    if (op == Op::bitcast) {  // to the other signedness: floats of any bits would have no bound
      static constexpr DType other[] = {DType::b1, DType::u8,  DType::u16, DType::u32, DType::u64,
                                        DType::i8, DType::i16, DType::i32, DType::i64};
      r = other[int(t)];
    }
    add(core::unary(op, t, r, operand(a), here), r, integers(r));
    return true;
  }
  const Numbers& m = a.numbers;
  static const std::vector<Op> moving = {Op::neg, Op::abs};
  static const std::vector<Op> exact_ops = {
      Op::neg,     Op::abs,   Op::floor, Op::ceil,  Op::round, Op::trunc,  Op::isnan, Op::isinf, Op::isfinite,
      Op::signbit, Op::exp,   Op::exp2,  Op::expm1, Op::log,   Op::log2,   Op::log10, Op::log1p, Op::sqrt,
      Op::rsqrt,   Op::sin,   Op::cos,   Op::tan,   Op::asin,  Op::acos,   Op::atan,  Op::sinh,  Op::cosh,
      Op::tanh,    Op::asinh, Op::acosh, Op::atanh, Op::erf,   Op::sigmoid};
  const Op op = choices_.pick(m.exact ? exact_ops : moving);
  if (op == Op::isnan || op == Op::isinf || op == Op::isfinite || op == Op::signbit) {
    if (op == Op::signbit && (!m.signed_zeros || program_.sources.empty())) return false;
    if (op == Op::signbit)
      for (const Source& s : program_.sources)
        if (s.special) return false;  // the sign of a NaN
    add(core::unary(op, t, DType::b1, operand(a), here), DType::b1, integers(DType::b1));
    return true;
  }
  Numbers r = m;
  if (op == Op::floor || op == Op::ceil || op == Op::round || op == Op::trunc) {
    r.bound = std::ldexp(m.bound, -m.scale) + 1;
    r.scale = 0;
  } else if (op != Op::neg && op != Op::abs) {
    if (std::ldexp(m.bound, -m.scale) > 60 || !m.signed_zeros) return false;
    r = {false, 0, 0, bytes(t) < 4 ? 1.0 : 8.0, t == DType::f32 || t == DType::f64 ? 1 : 0, true};
    if (op == Op::sqrt) r.ulps = 0;
  }
  add(core::unary(op, t, t, operand(a), here), t, fitted(t, r));
  return true;
}

bool Application::ternary(const Tile& x, const Tile& y, const Tile& z) {
  if (!broadcast(x.dims, y.dims) || !broadcast(x.dims, z.dims) || !broadcast(y.dims, z.dims)) return false;
  if (fp8(x.type) || fp8(y.type) || fp8(z.type)) return false;
  if (x.type == DType::b1 && choices_.below(2)) {
    const DType t = promoted(y.type, z.type);
    const Tile a = converted(y, t), b = converted(z, t);
    add(core::where(t, operand(x), operand(a), operand(b), here), t,
        is_float(t) ? joined(a.numbers, b.numbers) : integers(t));
    return true;
  }
  DType t = promoted(promoted(x.type, y.type), z.type);
  if (t == DType::b1) t = DType::i32;
  const Tile a = converted(x, t), b = converted(y, t), c = converted(z, t);
  const Op op = choices_.below(2) ? Op::clamp : Op::fma;
  Numbers r = integers(t);
  if (is_float(t)) {
    if (!a.numbers.exact || !b.numbers.exact || !c.numbers.exact) return false;
    if (op == Op::fma) {
      r = {true,
           a.numbers.bound * b.numbers.bound,
           a.numbers.scale + b.numbers.scale,
           0,
           1,
           a.numbers.signed_zeros && b.numbers.signed_zeros && c.numbers.signed_zeros};
      const Numbers sum = joined(r, c.numbers);
      r.bound = sum.bound * 2;
      r.scale = sum.scale;
    } else {
      r = joined(joined(a.numbers, b.numbers), c.numbers);
      r.signed_zeros = false;
    }
    r = fitted(t, r);
  }
  add(core::ternary(op, t, t, operand(a), operand(b), operand(c), here), t, r);
  return true;
}

bool Application::cast(const Tile& a) {
  using D = DType;
  static const std::vector<DType> types = {D::i32, D::f32, D::f16, D::i64, D::bf16, D::f64,      D::u8,    D::i8,
                                           D::u32, D::b1,  D::i16, D::u16, D::u64,  D::f8e4m3fn, D::f8e5m2};
  const DType t = choices_.pick(types);
  if (t == a.type || (!is_float(t) && is_float(a.type) && !a.numbers.exact)) return false;
  const Tile r = converted(a, t);
  add(r.handle, t, r.numbers);
  return true;
}

bool Application::reduce(const Tile& a, bool everything) {
  if (fp8(a.type) || a.dims.empty()) return false;
  const int rank = int(a.dims.size());
  std::vector<int> axes;
  const bool all = everything || choices_.once_in(3);
  int64_t group = 1;
  for (int d = 0; d < rank; ++d)
    if (all || choices_.below(2)) {
      axes.push_back(choices_.once_in(4) ? d - rank : d);
      group *= a.dims[static_cast<std::size_t>(d)].size;
    }
  if (axes.empty()) return false;
  static const std::vector<Op> integer_ops = {Op::sum,    Op::rmax,   Op::rmin, Op::rxor, Op::prod,
                                              Op::argmax, Op::argmin, Op::any,  Op::all};
  static const std::vector<Op> float_ops = {Op::sum,    Op::rmax,   Op::rmin, Op::prod,
                                            Op::argmax, Op::argmin, Op::any,  Op::all};
  static const std::vector<Op> bool_ops = {Op::sum, Op::any, Op::all, Op::rxor, Op::argmax, Op::argmin, Op::prod};
  static const std::vector<Op> moving = {Op::rmax, Op::rmin};
  const bool floats = is_float(a.type);
  const Op op = choices_.pick(a.type == DType::b1 ? bool_ops
                              : !floats           ? integer_ops
                              : a.numbers.exact   ? float_ops
                                                  : moving);
  const DType r = op == Op::sum || op == Op::prod        ? accumulator(a.type)
                  : op == Op::any || op == Op::all       ? DType::b1
                  : op == Op::argmax || op == Op::argmin ? DType::i32
                                                         : a.type;
  Numbers n = integers(r);
  if (is_float(r)) {
    n = a.numbers;
    if (op == Op::sum) {
      n.bound *= double(std::max<int64_t>(group, 1));
      n.signed_zeros = false;
      if (!fitted(r, n).exact) return false;  // no bound on what order does
    } else if (op == Op::prod) {
      if (group > 16) return false;
      n.bound = std::pow(std::max(a.numbers.bound, 2.0), double(group));
      n.scale = a.numbers.scale * int(group);
      n.ulps = 2.0 * double(group);
    } else {
      n.signed_zeros = false;
    }
    n = fitted(r, n);
    if (op == Op::prod && !n.exact) n.steps = 0;
  }
  add(core::reduce(op, a.type, r, operand(a), axes.data(), int(axes.size()), false,
                   !everything && choices_.below(2) != 0, here),
      r, n);
  return true;
}

bool Application::reshape(const Tile& a) {
  const int rank = int(a.dims.size());
  switch (choices_.below(4)) {
    case 0: {
      if (rank < 2) return false;
      std::vector<int> order;
      for (int d = 0; d < rank; ++d) order.push_back(d);
      for (int d = rank - 1; d > 0; --d)
        std::swap(order[static_cast<std::size_t>(d)], order[static_cast<std::size_t>(choices_.below(d + 1))]);
      add(core::permute(operand(a), order.data(), rank, here), a.type, a.numbers);
      return true;
    }
    case 1: {
      if (rank >= 4) return false;
      bool is_new[8] = {};
      is_new[choices_.below(rank + 1)] = true;
      add(core::new_axes(operand(a), is_new, rank + 1, here), a.type, a.numbers);
      return true;
    }
    case 2: {  // merged into fewer dims, or one dim split
      const int64_t count = product(a.dims);
      for (const Dim& d : a.dims)
        if (!d.known) return false;
      std::vector<Size> shape;
      const int64_t part = choices_.pick<int64_t>({1, 2, 4, 3});
      if (choices_.below(2) || count == 0 || count % part)
        shape = {Size(count)};
      else if (choices_.below(2))
        shape = {Size(part), Size(count / part)};
      else
        shape = {Size(count / part), Size(part)};
      add(core::reshape(operand(a), shape.data(), int(shape.size()), here), a.type, a.numbers);
      return true;
    }
    default: {
      std::vector<Size> shape;
      std::vector<Size> now(static_cast<std::size_t>(rank) + 1);
      core::shape_of(a.handle, rank, now.data());
      int64_t count = 1;
      if (choices_.below(2) && rank < 4) shape.push_back(Size(choices_.pick<int64_t>({2, 3, 1})));
      for (int d = 0; d < rank; ++d) {
        const Dim& x = a.dims[static_cast<std::size_t>(d)];
        shape.push_back(x.known && x.size == 1 ? Size(choices_.pick<int64_t>({4, 1, 3, 8}))
                                               : now[static_cast<std::size_t>(d)]);
      }
      for (const Size& s : shape) count *= value_of(s);
      if (count > largest_tile) return false;
      add(core::broadcast(operand(a), shape.data(), int(shape.size()), here), a.type, a.numbers);
      return true;
    }
  }
}

// The last two dims change places.
Tile Application::transposed(Tile a) {
  const std::size_t rank = a.dims.size();
  std::vector<int> order;
  for (int d = 0; d < int(rank); ++d) order.push_back(d);
  std::swap(order[rank - 1], order[rank - 2]);
  std::swap(a.dims[rank - 1], a.dims[rank - 2]);
  a.handle = core::permute(operand(a), order.data(), int(rank), here);
  return a;
}

bool Application::contract(Tile a, Tile b, bool as_is) {
  if (a.dims.size() < 2 || a.dims.size() != b.dims.size() || fp8(a.type) || fp8(b.type)) return false;
  const std::size_t rank = a.dims.size();
  if (!as_is && choices_.once_in(3)) a = transposed(a);
  if (a.dims[rank - 1].size != b.dims[rank - 2].size) b = transposed(b);
  if (a.dims[rank - 1].size != b.dims[rank - 2].size) return false;
  int64_t count = a.dims[rank - 2].size * b.dims[rank - 1].size;
  for (std::size_t k = 0; k + 2 < rank; ++k) {
    const Dim &x = a.dims[k], &y = b.dims[k];
    if (x.size != y.size && !(x.known && x.size == 1) && !(y.known && y.size == 1)) return false;
    count *= std::max(x.size, y.size);
  }
  if (count > largest_tile) return false;
  const auto int8 = [](DType t) { return t == DType::i8 || t == DType::u8; };
  DType t = a.type, u = b.type, r = DType::i32;
  Tile x = a, y = b;
  Numbers n = integers(r);
  if (int8(t) && int8(u)) {
  } else if (is_float(t) && is_float(u)) {
    t = u = promoted(t, u);
    x = converted(a, t);
    y = converted(b, t);
    if (!x.numbers.exact || !y.numbers.exact) return false;
    r = t == DType::f64 ? t : DType::f32;
    n = {true,
         x.numbers.bound * y.numbers.bound * double(std::max<int64_t>(a.dims[rank - 1].size, 1)),
         x.numbers.scale + y.numbers.scale,
         0,
         1,
         false};
    if (!fitted(r, n).exact) return false;
  } else {
    return false;
  }
  // 11 bits hold the elements of tf32; products of such are exact.
  const auto small = [](const Numbers& m) { return m.bound < 2048; };
  const int precision = t == DType::f32 && small(x.numbers) && small(y.numbers) ? int(choices_.pick({0, 1, 2})) : 0;
  add(core::dot(t, u, r, operand(x), operand(y), int(rank), precision, here), r, n);
  return true;
}

// A size of some source, as a number of the kernel.
Tile Application::source_size() {
  std::vector<int> tensors;
  for (int p = 0; p < int(program_.parameters.size()); ++p)
    if (!program_.sources[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(p)].source)].scalar)
      tensors.push_back(p);
  const int p = choices_.pick(tensors);
  const auto rank = int64_t(
      program_.sources[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(p)].source)].shape.size());
  Operand o{Operand::size, DType::i64};
  o.size_value = core::source_size(core::parameter(p), int(choices_.below(rank)), here);
  return {core::convert(DType::i64, o, 0, here), DType::i64, {}, integers(DType::i64), false};
}

bool Application::make() {
  const int parameter = int(choices_.below(int64_t(program_.parameters.size())));
  const bool scalar =
      program_.sources[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(parameter)].source)]
          .scalar;
  switch (choices_.below(7)) {
    case 5:
      pool_.push_back(source_size());
      return true;
    case 0: {
      const Tile l = literal(choices_.pick({DType::i32, DType::f32, DType::i64, DType::f16, DType::u8}));
      pool_.push_back(l);
      return true;
    }
    case 1: {
      const Size n = choices_.pick<int64_t>({8, 4, 1, 5, 16, 3});
      const int64_t step = choices_.pick<int64_t>({1, 2, 1});
      const Handle h = core::arange(Size(0), Size(n.number() * step), step, here);
      pool_.push_back({h, DType::i64, dims_of(h), integers(DType::i64), false});
      return true;
    }
    case 2: {
      if (scalar) return false;
      const Handle h = core::valid(place(parameter, indices(parameter)), here);
      add(h, DType::b1, integers(DType::b1));
      return true;
    }
    case 3: {
      if (scalar) return false;
      const int rank = int(
          program_.sources[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(parameter)].source)]
              .shape.size());
      const bool linear = choices_.below(2) != 0;
      // Only in range are coordinates the arrangement's.
      const Handle at = place(parameter, indices(parameter));
      const Handle h = core::offsets(at, linear ? 0 : int(choices_.below(rank)), linear, here);
      add(h, DType::i64, integers(DType::i64));
      return true;
    }
    case 4: {
      const int n = int(tracer_.graph.grid.size());
      if (n == 0) return false;
      add(core::program_index(int(choices_.below(n)), here), DType::i64, integers(DType::i64));
      return true;
    }
    default: {
      std::vector<Size> shape;
      for (int64_t k = choices_.between(0, 2); k > 0; --k)
        shape.push_back(Size(choices_.pick<int64_t>({4, 1, 8, 3, 16})));
      const Tile v = literal(choices_.pick({DType::f32, DType::i32, DType::bf16, DType::i8, DType::b1}));
      add(core::full(v.type, shape.data(), int(shape.size()), operand(v), here), v.type, v.numbers);
      return true;
    }
  }
}

void Application::expression() {
  for (int tries = 0; tries < 6; ++tries) {
    if (pool_.empty()) {
      make();
      continue;
    }
    // Copies: the pool moves when it grows.
    const Tile a = any(), b = any(), c = any();
    bool done = false;
    switch (program_.products() ? choices_.pick({7, 0, 7, 7, 7, 3, 4, 5, 7})
                                : choices_.pick({0, 0, 0, 0, 1, 1, 2, 3, 4, 4, 5, 5, 6, 7})) {
      case 0:
        done = binary(a, b);
        break;
      case 1:
        done = unary(a);
        break;
      case 2:
        done = ternary(a, b, c);
        break;
      case 3:
        done = cast(a);
        break;
      case 4:
        done = reduce(a);
        break;
      case 5:
        done = reshape(a);
        break;
      case 6:
        done = make();
        break;
      default:
        for (int k = 0; k < 8 && !done; ++k) {
          const Tile x = any(), y = any();
          done = contract(x, y);
        }
        break;
    }
    if (done) return;
  }
}

// ---- statements

// Assigns to a variable made before the structure: something of its type and shape among `from`, or a sum.
void Application::assign(Tile& variable, const std::vector<std::size_t>& from) {
  std::vector<std::size_t> fits;
  for (std::size_t i : from)
    if (pool_[i].type == variable.type && pool_[i].dims == variable.dims && !pool_[i].variable) fits.push_back(i);
  if (!fits.empty() && choices_.below(3)) {
    const Tile& v = pool_[choices_.pick(fits)];
    core::assign(variable.handle, v.handle, here);
    if (is_float(variable.type)) variable.numbers = joined(variable.numbers, v.numbers);
    return;
  }
  if (is_float(variable.type) || variable.type == DType::b1) return;
  const Tile one = literal(variable.type);
  core::assign(variable.handle,
               core::binary(choices_.pick({Op::add, Op::mul, Op::sub}), variable.type, variable.type, operand(variable),
                            operand(one), here),
               here);
}

// Statements within a structure. Floats that are variables are not read there: what they hold in a later round is not
// known yet.
void Application::body(int most) {
  const std::vector<Tile> outside = pool_;
  pool_.clear();
  std::vector<std::size_t> variables;
  for (std::size_t i = 0; i < outside.size(); ++i) {
    if (outside[i].variable) variables.push_back(i);
    if (!outside[i].variable || !is_float(outside[i].type)) pool_.push_back(outside[i]);
    if (!outside[i].variable) continue;
    if (!is_float(outside[i].type)) pool_.back().variable = true;
  }
  ++depth_;
  std::vector<Tile> changed = outside;
  for (int64_t n = choices_.between(1, most); n > 0; --n) statement();
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < pool_.size(); ++i) from.push_back(i);
  for (std::size_t v : variables)
    if (choices_.below(3)) assign(changed[v], from);
  --depth_;
  pool_ = changed;
}

void Application::loop() {
  const Tile* bound = choices_.once_in(4) ? scalar_integer() : nullptr;
  Operand start = number(DType::i64, double(choices_.pick({0, 0, 1, -2}))),
          stop = number(DType::i64, double(choices_.pick({3, 2, 4, 0, 1}))),
          step = number(DType::i64, double(choices_.pick({1, 1, 2, -1})));
  std::vector<int> leveled;
  for (int p = 0; p < int(program_.parameters.size()); ++p) {
    const auto& levels = program_.parameters[static_cast<std::size_t>(p)].arrangement.levels();
    if (levels.size() > 2 && !levels[1].empty() && levels[1][0] <= 16) leveled.push_back(p);
  }
  if (!leveled.empty() && choices_.below(3)) {  // over a level
    const int p = choices_.pick(leveled);
    const int rank = int(program_.parameters[static_cast<std::size_t>(p)].arrangement.levels()[1].size());
    stop = {Operand::size, DType::i64};
    stop.size_value = core::level_size(core::parameter(p), rank, 0, here);
    start = number(DType::i64, 0);
    step = number(DType::i64, 1);
  } else if (bound) {  // a run-time bound, kept small
    const Operand four = number(DType::i64, 4);
    const Handle small = core::binary(Op::floormod, DType::i64, DType::i64, operand(*bound), four, here);
    stop = {Operand::tile, DType::i64, small};
  }
  const Handle k = core::open_for(start, stop, step, here);
  loop_indices_.push_back(k);
  const std::vector<Tile> before = pool_;
  pool_.push_back({k, DType::i64, {}, integers(DType::i64), false});
  body(5);
  pool_.resize(before.size());
  loop_indices_.pop_back();
  core::close_structure();
}

void Application::branch() {
  std::vector<const Tile*> conditions;
  for (const Tile& t : pool_)
    if (t.dims.empty() && t.type == DType::b1) conditions.push_back(&t);
  Handle c;
  if (!conditions.empty() && choices_.below(3)) {
    c = choices_.pick(conditions)->handle;
  } else if (const Tile* n = scalar_integer()) {
    c = core::binary(choices_.pick({Op::lt, Op::eq, Op::ge}), n->type, DType::b1, operand(*n), number(n->type, 2),
                     here);
  } else if (!tracer_.graph.grid.empty()) {
    c = core::binary(Op::eq, DType::i64, DType::b1, {Operand::tile, DType::i64, core::program_index(0, here)},
                     number(DType::i64, 1), here);
  } else {
    return;
  }
  core::open_if({Operand::tile, DType::b1, c}, here);
  body(3);
  core::open_else();
  if (choices_.below(2)) body(3);
  core::close_structure();
}

void Application::repeat() {
  // A counter of its own, so that it ends.
  const Handle counter = core::full(DType::i32, nullptr, 0, number(DType::i32, 0), here);
  const int64_t rounds = choices_.pick<int64_t>({2, 0, 1, 3});
  core::open_while(here);
  const Operand count{Operand::tile, DType::i32, counter};
  core::while_body({Operand::tile, DType::b1,
                    core::binary(Op::lt, DType::i32, DType::b1, count, number(DType::i32, double(rounds)), here)},
                   here);
  const std::vector<Tile> before = pool_;
  body(3);
  core::assign(counter, core::binary(Op::add, DType::i32, DType::i32, count, number(DType::i32, 1), here), here);
  core::close_structure();
}

// Where the elements of a tile lie along a dim of what it is a block of: arange(size) + block * size, in some type.
Tile Application::positions(const Tile& tile, std::size_t dim, const Handle& block) {
  std::vector<Size> sizes(tile.dims.size() + 1);
  core::shape_of(tile.handle, int(tile.dims.size()), sizes.data());
  Handle h = core::arange(Size(0), sizes[dim], 1, here);
  const Operand first{Operand::tile, DType::i64,
                      core::binary(Op::mul, DType::i64, DType::i64, {Operand::tile, DType::i64, block},
                                   number(DType::i64, double(tile.dims[dim].size)), here)};
  h = core::binary(choices_.once_in(6) ? Op::sub : Op::add, DType::i64, DType::i64, {Operand::tile, DType::i64, h},
                   first, here);
  Tile t{h, DType::i64, dims_of(h), integers(DType::i64), false};
  return choices_.once_in(4) ? converted(t, choices_.pick({DType::i32, DType::u32, DType::i16, DType::u8, DType::i8}))
                             : t;
}

// The tile where its positions along a dim compare with a limit so, else a number. A limit of rank 1 lies along the
// other dim.
Tile Application::masked(const Tile& tile, const Tile& positions, const Tile& limit, std::size_t dim) {
  const auto along = [&](const Tile& t, std::size_t d) {
    if (t.dims.empty()) return operand(t);
    const bool is_new[2] = {d == 1, d == 0};
    return Operand{Operand::tile, t.type, core::new_axes(operand(t), is_new, 2, here)};
  };
  const DType joint = promoted(positions.type, limit.type);
  const Handle c = core::binary(choices_.pick({Op::lt, Op::ge, Op::gt, Op::le, Op::lt, Op::ne}), joint, DType::b1,
                                along(positions, dim), along(limit, 1 - dim), here);
  const Tile other = converted(literal(DType::i32), tile.type);
  const Handle h = core::where(tile.type, {Operand::tile, DType::b1, c}, operand(tile), operand(other), here);
  return {h, tile.type, dims_of(h), is_float(tile.type) ? joined(tile.numbers, {true, 8, 0, 0, 1, true}) : tile.numbers,
          false};
}

// sum += dot(a[k], b[k]) over blocks, with what kernels do to factors and products on the way.
void Application::accumulate() {
  const auto scalar = [&](const Operand& o) {
    const Handle h = core::convert(DType::i64, o, 0, here);
    return Tile{h, DType::i64, {}, integers(DType::i64), false};
  };
  const auto both = [&](Op op, const Tile& a, const Tile& b) {
    return Tile{
        core::binary(op, DType::i64, DType::i64, operand(a), operand(b), here), DType::i64, {}, a.numbers, false};
  };
  const auto integer = [&](int64_t n) { return scalar(number(DType::i64, double(n))); };
  const auto sized = [&](const Size& s) {
    Operand o{Operand::size, DType::i64};
    o.size_value = s;
    return scalar(o);
  };
  const Tile zero = integer(0), one = integer(1), rounds = sized(core::level_size(core::parameter(0), 1, 0, here));
  const Tile row = scalar({Operand::tile, DType::i64, core::program_index(0, here)}),
             column = scalar({Operand::tile, DType::i64, core::program_index(1, here)});
  const auto block = [&](const Tile& at) { return core::index(operand(at), here); };
  const Tile a0 = read(0, {block(zero)}), b0 = read(1, {block(zero)});
  const DType joint = is_float(a0.type) ? promoted(a0.type, b0.type) : DType::i32;
  const DType t = is_float(joint) && joint != DType::f64 ? DType::f32 : joint;
  Size shape[3], other[3];
  core::shape_of(a0.handle, 2, shape);
  core::shape_of(b0.handle, 2, other);
  shape[1] = other[1];
  Tile sum{core::copy(core::full(t, shape, 2, number(t, 0), here), here),
           t,
           {a0.dims[0], b0.dims[1]},
           {true, 1, 0, 0, 1, false},
           true};

  // As attention has them: the largest products of each row, and products times the right factor once more.
  Size rows[2] = {shape[0], other[0]};
  std::optional<Tile> top, next;
  if (choices_.once_in(3))
    top = {core::copy(core::full(t, rows, 1, number(t, 0), here), here), t, {a0.dims[0]}, sum.numbers, true};
  if (choices_.once_in(3))
    next = {
        core::copy(core::full(t, rows, 2, number(t, 0), here), here), t, {a0.dims[0], b0.dims[0]}, sum.numbers, true};

  const std::vector<Tile> before = pool_;
  const int around = choices_.pick({0, 0, 0, 1, 2});  // a loop, a branch
  std::vector<Tile> counters;
  if (around == 1) {
    const Handle j = core::open_for(number(DType::i64, 0), number(DType::i64, double(choices_.pick({2, 1, 0}))),
                                    number(DType::i64, 1), here);
    counters.push_back({j, DType::i64, {}, integers(DType::i64), false});
  } else if (around == 2) {
    core::open_if({Operand::tile, DType::b1,
                   core::binary(choices_.pick({Op::eq, Op::ge}), DType::i64, DType::b1,
                                operand(choices_.below(2) ? row : column), operand(zero), here)},
                  here);
  }
  Tile start = zero, stop = rounds, step = one;
  switch (choices_.below(8)) {
    case 1:
      start = one;
      break;
    case 2:
      stop = integer(choices_.pick({2, 1, 4, 0}));
      break;
    case 3:
      start = both(Op::sub, rounds, one), stop = integer(-1), step = integer(-1);
      break;
    case 4:
      start = integer(-1), stop = both(Op::add, rounds, one);
      break;
    case 5:
      step = integer(choices_.pick({2, 3}));
      break;
    case 6:
      stop = both(Op::min, rounds, both(Op::add, choices_.below(2) ? row : column, one));
      break;
    default:
      break;
  }
  const Handle h = core::open_for(operand(start), operand(stop), operand(step), here);
  const Tile k{h, DType::i64, {}, integers(DType::i64), false};
  counters.insert(counters.begin(), k);
  loop_indices_.push_back(h);
  ++depth_;
  const auto index = [&] {
    const Tile at = choices_.once_in(5) ? choices_.pick(counters) : k;
    switch (choices_.below(8)) {
      case 5:
        return both(Op::add, at, one);
      case 6:
        return both(Op::sub, rounds, both(Op::add, at, one));
      case 7:
        return both(Op::mul, at, integer(2));
      default:
        return at;
    }
  };
  const auto limit = [&]() -> Tile {
    const Tile size = source_size();
    switch (choices_.below(6)) {
      case 2:
        return integer(choices_.pick({16, 32, 40, 64, 1, 0, 48}));
      case 3:
        return both(Op::add, size, integer(choices_.pick({16, 1, -16, 1 << 21})));
      case 4:
        return both(Op::mul, choices_.below(2) ? row : k, integer(choices_.pick({16, 32, 8})));
      case 5:
        return both(Op::min, size, integer(choices_.pick({32, 48, 24})));
      default:
        return size;
    }
  };
  const Tile ia = index(), ib = choices_.below(3) ? ia : index();
  Tile a = read(0, {block(ia)}), b = read(1, {block(ib)});
  if (choices_.below(3) == 0) a = masked(a, positions(a, 1, ia.handle), limit(), 1);
  if (choices_.below(3) == 0) b = masked(b, positions(b, 0, ib.handle), limit(), 0);
  if (choices_.once_in(6))
    a = converted(a, is_float(a.type) ? choices_.pick({DType::f16, DType::bf16, DType::f32}) : a.type);
  pool_.insert(pool_.end(), {k, a, b});
  bool done = contract(a, b, true);
  Tile product = pool_.back();
  done = done && product.dims == sum.dims && product.type == t;
  if (done && choices_.below(2)) {
    const bool crossed = choices_.below(2) != 0;  // as causal attention does
    const std::size_t dim = std::size_t(choices_.below(2));
    product =
        crossed ? masked(product, positions(product, dim, dim ? k.handle : row.handle),
                         positions(product, 1 - dim, dim ? row.handle : k.handle), dim)
                : masked(product, positions(product, dim, choices_.below(2) ? k.handle : column.handle), limit(), dim);
  }
  if (done) {
    core::assign(sum.handle, core::binary(Op::add, t, t, operand(sum), operand(product), here), here);
    pool_.push_back(product);
    const int columns[1] = {1};
    if (top)
      core::assign(
          top->handle,
          core::binary(
              Op::max, t, t, operand(*top),
              {Operand::tile, t, core::reduce(Op::rmax, t, t, operand(product), columns, 1, false, false, here)}, here),
          here);
    if (next) {
      Tile small = product;
      small.handle = core::ternary(Op::clamp, t, t, operand(product), number(t, -8), number(t, 8), here);
      small.numbers.bound = std::min(small.numbers.bound, std::ldexp(8, small.numbers.scale) + 1);
      const DType narrow = t == DType::i32   ? DType::i8
                           : t == DType::f64 ? t
                                             : choices_.pick({DType::f16, DType::bf16, DType::f32});
      const bool again = contract(converted(small, narrow), transposed(b), true) && pool_.back().type == t &&
                         pool_.back().dims == next->dims;
      if (again) {
        next->numbers = pool_.back().numbers;
        core::assign(next->handle, core::binary(Op::add, t, t, operand(*next), operand(pool_.back()), here), here);
      } else {
        next.reset();
      }
    }
  }
  for (int64_t n = choices_.pick({0, 0, 0, 1, 2}); n > 0; --n) statement();
  --depth_;
  loop_indices_.pop_back();
  core::close_structure();
  if (around) core::close_structure();
  pool_ = before;
  if (!done) return;
  const auto finish = [&](Tile& tile, const Numbers& n) {
    tile.numbers = n;
    tile.numbers.bound *= 64;  // more than there are rounds
    if (is_float(t)) tile.numbers = fitted(t, tile.numbers);
    tile.variable = false;
    tile.handle = core::copy(tile.handle, here);
    return !is_float(t) || tile.numbers.exact;
  };
  if (!finish(sum, product.numbers)) return;
  const auto with_rows = [&](const Tile& tile) {
    const bool is_new[2] = {false, true};
    const Tile column{
        core::new_axes(operand(tile), is_new, 2, here), t, {tile.dims[0], {1, true}}, tile.numbers, false};
    sum.numbers = joined(sum.numbers, tile.numbers);
    sum.numbers.bound *= 2;
    sum.handle = core::binary(Op::add, t, t, operand(sum), operand(column), here);
  };
  if (top && finish(*top, product.numbers)) with_rows(*top);
  if (next && finish(*next, next->numbers)) {
    pool_.push_back(*next);
    const int columns[1] = {1};
    const Handle h = core::reduce(Op::rmax, t, t, operand(*next), columns, 1, false, false, here);
    with_rows({h, t, {next->dims[0]}, next->numbers, false});
  }
  if (choices_.once_in(3)) {  // of each column: other warps hold parts of it
    const int down[1] = {0};
    sum.handle =
        core::binary(Op::add, t, t, operand(sum),
                     {Operand::tile, t, core::reduce(Op::rmax, t, t, operand(sum), down, 1, false, false, here)}, here);
    sum.numbers.bound *= 2;
  }
  sum.numbers.signed_zeros = false;
  if (is_float(t)) sum.numbers = fitted(t, sum.numbers);
  if (is_float(t) && !sum.numbers.exact) return;
  pool_.push_back(sum);
  if (choices_.below(4)) store_as(sum, 2);
}

void Application::statement() {
  --budget_;
  const int parameter = int(choices_.below(int64_t(program_.parameters.size())));
  const Source& source =
      program_.sources[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(parameter)].source)];
  int what = choices_.pick({0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6});
  if (budget_ < 0 && what > 2) what = 0;
  if (depth_ >= 2 && what > 3) what = 0;
  switch (what) {
    case 1:
      // Floats that the application stores are not read: nothing is known of them.
      if (!(is_float(source.type) && source.output)) return pool_.push_back(read(parameter));
      return expression();
    case 2:
      if (source.output && !pool_.empty()) return store(parameter);
      return expression();
    case 3:
      if (!pool_.empty() && depth_ == 0) {
        Tile v = any();
        v.handle = core::copy(v.handle, here);
        v.variable = true;
        return pool_.push_back(v);
      }
      return expression();
    case 4:
      return loop();
    case 5:
      return branch();
    case 6:
      return repeat();
    default:
      return expression();
  }
}

void Application::run() {
  const int n = int(program_.parameters.size());
  budget_ = 30;
  for (int p = 0; p < n; ++p) {
    const Source& s =
        program_.sources[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(p)].source)];
    if (!(is_float(s.type) && s.output) && !choices_.once_in(4)) pool_.push_back(read(p));
  }
  if (program_.blocks())
    for (int64_t k = choices_.pick({1, 1, 2}); k > 0; --k) accumulate();
  for (int64_t k = program_.blocks() ? choices_.pick({0, 2, 4}) : choices_.pick({3, 6, 10, 2, 1, 14}); k > 0; --k)
    statement();
  // Each output is stored to, and there is one.
  for (int p = 0; p < n; ++p) {
    const Source& s =
        program_.sources[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(p)].source)];
    if (s.output && !stored_[static_cast<std::size_t>(program_.parameters[static_cast<std::size_t>(p)].source)])
      store(p);
  }
}

}  // namespace tine::fuzz
