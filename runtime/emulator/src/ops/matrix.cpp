// Matrix units: mma.sync, wmma, ldmatrix, stmatrix, movmatrix. Products of floats are summed in double and rounded once per instruction:
// hardware sums in its own order and precision, so compare with a tolerance.
#include <algorithm>
#include <cmath>
#include <limits>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/access_space.hpp"
#include "ops/fragments.hpp"
#include "ops/lanes.hpp"
#include "ops/numbers.hpp"

namespace tine::emulator::detail {
namespace {

struct Shape {
  int m = 0, n = 0, k = 0;
};
Shape shape_of(const Match& m) {
  for (const std::string_view s : *m.modifiers) {
    if (s.size() < 6 || s[0] != 'm') continue;
    const std::size_t n = s.find('n'), k = s.find('k');
    if (n == std::string_view::npos || k == std::string_view::npos || n < 2) continue;
    auto number = [](std::string_view t) {
      int v = 0;
      for (const char c : t) v = v * 10 + (c - '0');
      return v;
    };
    return {number(s.substr(1, n - 1)), number(s.substr(n + 1, k - n - 1)), number(s.substr(k + 1))};
  }
  return {};
}
std::int64_t pack_shape(Shape s) { return s.m | (s.n << 10) | (s.k << 20); }
Shape unpack_shape(std::int64_t v) { return {static_cast<int>(v & 1023), static_cast<int>(v >> 10 & 1023), static_cast<int>(v >> 20 & 1023)}; }

enum : std::uint16_t { kSatFinite = 1, kAnd = 2, kARow = 4, kBRow = 8, kWmma = 16, kVolta = 32, kTrans = 64, kOpB = 128 };

int elements_per_register(Type t) { return t == Type::f64 ? 1 : 32 / static_cast<int>(bits_of(t)); }
bool is_int_matrix(Type t) { return t == Type::u8 || t == Type::s8 || t == Type::u4 || t == Type::s4 || t == Type::b1; }

// One element out of a register.
double float_element(Type t, std::uint64_t reg, int sub) {
  switch (t) {
    case Type::f16: return static_cast<double>(half_to_float(static_cast<std::uint16_t>(reg >> (16 * sub))));
    case Type::bf16: return static_cast<double>(bf16_to_float(static_cast<std::uint16_t>(reg >> (16 * sub))));
    case Type::tf32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(reg) & 0xFFFFE000u));
    case Type::e4m3: return to_double(kE4m3, reg >> (8 * sub) & 0xFF);
    case Type::e5m2: return to_double(kE5m2, reg >> (8 * sub) & 0xFF);
    case Type::f64: return std::bit_cast<double>(reg);
    default: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(reg)));
  }
}
int int_element(Type t, std::uint64_t reg, int sub, bool as_unsigned) {
  switch (t) {
    case Type::u8: return static_cast<int>(reg >> (8 * sub) & 0xFF);
    case Type::s8: return as_unsigned ? static_cast<int>(reg >> (8 * sub) & 0xFF) : static_cast<std::int8_t>(reg >> (8 * sub));
    case Type::u4: return static_cast<int>(reg >> (4 * sub) & 15);
    case Type::s4: return static_cast<std::int8_t>((reg >> (4 * sub) & 15) << 4) >> 4;
    default: return static_cast<int>(reg >> sub & 1);
  }
}

// Where element e of a wmma fragment lies. The layout is ours (PTX leaves it open): element numbers run through the lanes;
// a fragment with room for more elements than it has holds them several times.
Coord wmma_coord(int lane, int e, int rows, int cols) {
  const int each_lane = rows * cols / 32, i = lane * each_lane + e % each_lane;
  return {static_cast<std::uint16_t>(i / cols), static_cast<std::uint16_t>(i % cols)};
}

// B runs along k, so that the elements of one register lie side by side in column-major memory.
Coord wmma_b_coord(int lane, int e, int rows, int cols) {
  const Coord c = wmma_coord(lane, e, cols, rows);
  return {c.col, c.row};
}

// Scratch for one product; big enough for every shape (16 x 256 of b1).
struct Scratch {
  double af[32 * 32], bf[32 * 32], cf[32 * 32];
  int ai[16 * 256], bi[256 * 32];
  std::int64_t ci[32 * 32];
};
Scratch& scratch() {
  static thread_local Scratch s;
  return s;
}

// lists: aux -> D registers, aux+1 -> A, aux+2 -> B, aux+3 -> C
struct Layout {
  Shape s;
  Type d, a, b, c;
  int pa, pb, pc, pd;  // elements per register
  bool wmma;
  Coord at_a(int l, int e) const { return wmma ? wmma_coord(l, e, s.m, s.k) : mma_a(l, e, pa, s.m); }
  Coord at_b(int l, int e) const { return wmma ? wmma_b_coord(l, e, s.k, s.n) : mma_b(l, e, pb); }
  Coord at_c(int l, int e) const { return wmma ? wmma_coord(l, e, s.m, s.n) : mma_d(l, e); }
};

void round_out(Exec& x, const Instr& in, const Layout& f, const double* sum) {
  const auto& regs = x.list(in.aux);
  const bool column = x.fault == Fault::mma_wrong_column;
  for (int l = 0; l < 32; ++l)
    for (std::size_t r = 0; r < regs.size(); ++r) {
      std::uint64_t v = 0;
      for (int sub = 0; sub < f.pd; ++sub) {
        Coord c = f.at_c(l, static_cast<int>(r) * f.pd + sub);
        if (column) c.col ^= 1;
        const double s = sum[c.row * f.s.n + c.col];
        if (f.d == Type::f16)
          v |= from_double(kF16, s, Round::nearest, (in.flags & kSatFinite) != 0) << (16 * sub);
        else if (f.d == Type::f64)
          v = std::bit_cast<std::uint64_t>(s);
        else
          v = put(canonical(static_cast<float>(s)));
      }
      x.slot(regs[r])[l] = v;
    }
}

void product_float(Exec& x, const Instr& in, const Layout& f) {
  Scratch& t = scratch();
  const auto &ra = x.list(in.aux + 1), &rb = x.list(in.aux + 2), &rc = x.list(in.aux + 3);
  const bool swap_rows = x.fault == Fault::mma_swapped_rows;
  for (std::size_t r = 0; r < ra.size(); ++r) {
    const std::uint64_t* v = x.slot(ra[r]);
    for (int l = 0; l < 32; ++l)
      for (int sub = 0; sub < f.pa; ++sub) {
        Coord c = f.at_a(l, static_cast<int>(r) * f.pa + sub);
        if (swap_rows && f.s.m == 16) c.row ^= 8;
        t.af[c.row * f.s.k + c.col] = float_element(f.a, v[l], sub);
      }
  }
  for (std::size_t r = 0; r < rb.size(); ++r) {
    const std::uint64_t* v = x.slot(rb[r]);
    for (int l = 0; l < 32; ++l)
      for (int sub = 0; sub < f.pb; ++sub) {
        const Coord c = f.at_b(l, static_cast<int>(r) * f.pb + sub);
        t.bf[c.row * f.s.n + c.col] = float_element(f.b, v[l], sub);
      }
  }
  for (std::size_t r = 0; r < rc.size(); ++r) {
    const std::uint64_t* v = x.slot(rc[r]);
    for (int l = 0; l < 32; ++l)
      for (int sub = 0; sub < f.pc; ++sub) {
        const Coord c = f.at_c(l, static_cast<int>(r) * f.pc + sub);
        t.cf[c.row * f.s.n + c.col] = float_element(f.c, v[l], sub);
      }
  }
  const int n = f.s.n;
  for (int i = 0; i < f.s.m; ++i) {
    double* row = t.cf + i * n;
    for (int k = 0; k < f.s.k; ++k) {
      const double a = t.af[i * f.s.k + k];
      const double* b = t.bf + k * n;
      if (f.a == Type::f64)
        for (int j = 0; j < n; ++j) row[j] = std::fma(a, b[j], row[j]);
      else
        for (int j = 0; j < n; ++j) row[j] += a * b[j];
    }
  }
  round_out(x, in, f, t.cf);
}

void product_int(Exec& x, const Instr& in, const Layout& f) {
  Scratch& t = scratch();
  const auto &rd = x.list(in.aux), &ra = x.list(in.aux + 1), &rb = x.list(in.aux + 2), &rc = x.list(in.aux + 3);
  const bool wrong_sign = x.fault == Fault::mma_signed_as_unsigned, swap_rows = x.fault == Fault::mma_swapped_rows;
  for (std::size_t r = 0; r < ra.size(); ++r)
    for (int l = 0; l < 32; ++l)
      for (int sub = 0; sub < f.pa; ++sub) {
        Coord c = f.at_a(l, static_cast<int>(r) * f.pa + sub);
        if (swap_rows && f.s.m == 16) c.row ^= 8;
        t.ai[c.row * f.s.k + c.col] = int_element(f.a, x.slot(ra[r])[l], sub, wrong_sign);
      }
  for (std::size_t r = 0; r < rb.size(); ++r)
    for (int l = 0; l < 32; ++l)
      for (int sub = 0; sub < f.pb; ++sub) {
        const Coord c = f.at_b(l, static_cast<int>(r) * f.pb + sub);
        t.bi[c.row * f.s.n + c.col] = int_element(f.b, x.slot(rb[r])[l], sub, wrong_sign);
      }
  for (std::size_t r = 0; r < rc.size(); ++r)
    for (int l = 0; l < 32; ++l) {
      const Coord c = f.at_c(l, static_cast<int>(r));
      t.ci[c.row * f.s.n + c.col] = static_cast<std::int32_t>(x.slot(rc[r])[l]);
    }
  for (int i = 0; i < f.s.m; ++i)
    for (int k = 0; k < f.s.k; ++k) {
      const int a = t.ai[i * f.s.k + k];
      const int* b = t.bi + k * f.s.n;
      std::int64_t* row = t.ci + i * f.s.n;
      if (f.a != Type::b1)
        for (int j = 0; j < f.s.n; ++j) row[j] += a * b[j];
      else if ((in.flags & kAnd) != 0)
        for (int j = 0; j < f.s.n; ++j) row[j] += a & b[j];
      else
        for (int j = 0; j < f.s.n; ++j) row[j] += a ^ b[j];
    }
  for (std::size_t r = 0; r < rd.size(); ++r)
    for (int l = 0; l < 32; ++l) {
      const Coord c = f.at_c(l, static_cast<int>(r));
      std::int64_t v = t.ci[c.row * f.s.n + c.col];
      if ((in.flags & kSatFinite) != 0) v = std::clamp<std::int64_t>(v, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
      x.slot(rd[r])[l] = static_cast<std::uint32_t>(v);
    }
}

// Four 8x8x4 products, one per quad pair.
void product_volta(Exec& x, const Instr& in, Type td, Type tc) {
  Scratch& t = scratch();
  const auto &rd = x.list(in.aux), &ra = x.list(in.aux + 1), &rb = x.list(in.aux + 2), &rc = x.list(in.aux + 3);
  const bool a_row = (in.flags & kARow) != 0, b_row = (in.flags & kBRow) != 0, c32 = tc == Type::f32, d32 = td == Type::f32;
  for (int q = 0; q < 4; ++q) {
    for (int l = 0; l < 32; ++l) {
      if (volta_quad(l) != q) continue;
      for (int i = 0; i < 4; ++i) {
        const Coord a = volta_a(l, i, a_row), b = volta_b(l, i, b_row);
        t.af[a.row * 4 + a.col] = float_element(Type::f16, x.slot(ra[static_cast<std::size_t>(i / 2)])[l], i % 2);
        t.bf[b.row * 8 + b.col] = float_element(Type::f16, x.slot(rb[static_cast<std::size_t>(i / 2)])[l], i % 2);
      }
      for (int i = 0; i < 8; ++i) {
        const Coord c = volta_d(l, i, c32);
        t.cf[c.row * 8 + c.col] = c32 ? float_element(Type::f32, x.slot(rc[static_cast<std::size_t>(i)])[l], 0) : float_element(Type::f16, x.slot(rc[static_cast<std::size_t>(i / 2)])[l], i % 2);
      }
    }
    for (int i = 0; i < 8; ++i)
      for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 8; ++j) t.cf[i * 8 + j] += t.af[i * 4 + k] * t.bf[k * 8 + j];
    for (int l = 0; l < 32; ++l) {
      if (volta_quad(l) != q) continue;
      for (int i = 0; i < 8; ++i) {
        const Coord c = volta_d(l, i, d32);
        const double v = t.cf[c.row * 8 + c.col];
        if (d32)
          x.slot(rd[static_cast<std::size_t>(i)])[l] = put(canonical(static_cast<float>(v)));
        else {
          std::uint64_t& r = x.slot(rd[static_cast<std::size_t>(i / 2)])[l];
          const std::uint64_t h = from_double(kF16, v);
          r = i % 2 == 0 ? h : (r & 0xFFFF) | (h << 16);
        }
      }
    }
  }
}

// t0 t1: D and A; imm bits 30 up: B and C.
void mma(Exec& x, const Instr& in, std::uint32_t) {
  Layout f;
  f.s = unpack_shape(in.imm & 0x3FFFFFFF);
  f.d = in.t0;
  f.a = in.t1;
  f.b = static_cast<Type>(in.imm >> 32 & 0xFF);
  f.c = static_cast<Type>(in.imm >> 40 & 0xFF);
  if ((in.flags & kVolta) != 0) return product_volta(x, in, f.d, f.c);
  f.pa = elements_per_register(f.a);
  f.pb = elements_per_register(f.b);
  f.pc = elements_per_register(f.c);
  f.pd = elements_per_register(f.d);
  f.wmma = (in.flags & kWmma) != 0;
  if (is_int_matrix(f.a))
    product_int(x, in, f);
  else
    product_float(x, in, f);
}

Type register_type(Type t) { return t == Type::f64 ? Type::f64 : t == Type::f32 ? Type::f32 : t == Type::f16 ? Type::f16x2 : t == Type::s32 ? Type::s32 : Type::b32; }

std::vector<Ref> fragment(Builder& b, const AstOperand& o, Type t, std::size_t n, bool dest) {
  const Type rt = register_type(t);
  std::vector<Ref> refs;
  for (const Operand& e : b.vector(o, rt, n, dest).elements) refs.push_back(e.kind == Operand::sink ? kSinkRef : e.ref);
  return refs;
}

void emit_product(Builder& b, const Match& m, Shape s, Type d, Type a, Type bt, Type c, std::size_t nd, std::size_t na, std::size_t nb, std::size_t nc, std::uint16_t flags) {
  const auto& ops = b.statement().operands;
  if (ops.size() != 4) b.fail(ErrorKind::semantic, "a matrix product has four operands");
  std::vector<Ref> rd = fragment(b, ops[0], d, nd, true), ra = fragment(b, ops[1], a, na, false), rb = fragment(b, ops[2], bt, nb, false), rc = fragment(b, ops[3], c, nc, false);
  Instr& in = b.emit(m, mma);
  in.t0 = d;
  in.t1 = a;
  in.imm = pack_shape(s) | (std::int64_t{static_cast<std::uint8_t>(bt)} << 32) | (std::int64_t{static_cast<std::uint8_t>(c)} << 40);
  in.rendezvous = Rendezvous::aligned;
  in.flags = static_cast<std::uint16_t>(flags | (m.has("satfinite") ? kSatFinite : 0) | (m.has("and") ? kAnd : 0));
  in.d = kSinkRef;
  in.aux = b.list(std::move(rd));
  (void)b.list(std::move(ra));
  (void)b.list(std::move(rb));
  (void)b.list(std::move(rc));
}

std::size_t registers(int elements, Type t) { return static_cast<std::size_t>((elements + 31) / 32 / elements_per_register(t)); }

void build_mma(Builder& b, const Match& m) {
  const Shape s = shape_of(m);
  const Type d = m.type(0), a = m.type(1), bt = m.type(2), c = m.type(3);
  emit_product(b, m, s, d, a, bt, c, registers(s.m * s.n, d), registers(s.m * s.k, a), registers(s.k * s.n, bt), registers(s.m * s.n, c), 0);
}
void build_volta(Builder& b, const Match& m) {
  // The two layouts stand behind the shape.
  std::vector<std::string_view> layouts;
  for (const std::string_view t : *m.modifiers)
    if (t == "row" || t == "col") layouts.push_back(t);
  const Type d = m.type(0), c = m.type(3);
  const auto flags = static_cast<std::uint16_t>(kVolta | (layouts[0] == "row" ? kARow : 0) | (layouts[1] == "row" ? kBRow : 0));
  emit_product(b, m, {8, 8, 4}, d, Type::f16, Type::f16, c, d == Type::f32 ? 8 : 4, 2, 2, c == Type::f32 ? 8 : 4, flags);
}

// --- ldmatrix, stmatrix, movmatrix

void ldmatrix(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t* a = x.slot(in.a);
  const int matrices = in.n;
  std::uint64_t at[32];
  each(mask, [&](int l) { at[l] = in.address(a[l]); });
  Access access;
  access.size = 16;
  const std::uint32_t suppliers = matrices == 4 ? kFull : (1u << (8 * matrices)) - 1;
  if (x.launch->count_lines && (mask & suppliers) != 0) x.count_access(in, at, mask & suppliers, 16);
  std::uint8_t rows[32][16];
  for (int i = 0; i < 8 * matrices; ++i) {
    std::memset(rows[i], 0, 16);
    if ((mask >> i & 1u) == 0) continue;
    const Place p = x.resolve(in, at[i], i, access);
    if (p.host == nullptr) continue;
    x.before_load(in, p, i, access);
    std::memcpy(rows[i], p.host, 16);
  }
  const bool trans = (in.flags & kTrans) != 0 && x.fault != Fault::ldmatrix_ignores_trans;
  const bool order = x.fault == Fault::ldmatrix_row_order;
  for (int j = 0; j < matrices; ++j) {
    std::uint64_t* d = x.slot(x.list(in.aux)[static_cast<std::size_t>(j)]);
    each(mask, [&](int l) {
      std::uint32_t v = 0;
      for (int sub = 0; sub < 2; ++sub) {
        const Coord c = ldmatrix_element(l, sub, trans);
        std::uint16_t h = 0;
        std::memcpy(&h, rows[8 * j + (order ? 7 - c.row : c.row)] + 2 * c.col, 2);
        v |= std::uint32_t{h} << (16 * sub);
      }
      d[l] = v;
    });
  }
}
void stmatrix(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t* a = x.slot(in.a);
  const int matrices = in.n;
  std::uint64_t at[32];
  each(mask, [&](int l) { at[l] = in.address(a[l]); });
  Access access;
  access.kind = Access::store;
  access.size = 16;
  const std::uint32_t suppliers = matrices == 4 ? kFull : (1u << (8 * matrices)) - 1;
  if (x.launch->count_lines && (mask & suppliers) != 0) x.count_access(in, at, mask & suppliers, 16);
  std::uint8_t rows[32][16];
  for (int j = 0; j < matrices; ++j) {
    const std::uint64_t* s = x.slot(x.list(in.aux)[static_cast<std::size_t>(j)]);
    each(mask, [&](int l) {
      for (int sub = 0; sub < 2; ++sub) {
        const Coord c = ldmatrix_element(l, sub, (in.flags & kTrans) != 0);
        const auto h = static_cast<std::uint16_t>(s[l] >> (16 * sub));
        std::memcpy(rows[8 * j + c.row] + 2 * c.col, &h, 2);
      }
    });
  }
  for (int i = 0; i < 8 * matrices; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    const Place p = x.resolve(in, at[i], i, access);
    if (p.host == nullptr) continue;
    x.before_store(in, p, i, access, rows[i]);
    std::memcpy(p.host, rows[i], 16);
  }
}
void build_ldmatrix(Builder& b, const Match& m) {
  const bool store = m.form->name == std::string_view("stmatrix");
  const auto& ops = b.statement().operands;
  if (ops.size() != 2) b.fail(ErrorKind::semantic, "this has a vector and an address");
  const std::size_t n = m.has("x1") ? 1 : m.has("x2") ? 2 : 4;
  std::vector<Ref> refs;
  for (const Operand& e : b.vector(ops[store ? 1 : 0], Type::b32, n, !store).elements) refs.push_back(e.kind == Operand::sink ? kSinkRef : e.ref);
  const Operand address = b.address(ops[store ? 0 : 1]);
  const Space space = space_of(b, m, address);
  Instr& in = b.emit(m, store ? stmatrix : ldmatrix);
  in.a = address.base;
  in.imm = address.offset;
  in.narrow = !address.wide;
  in.space = space;
  in.n = static_cast<std::uint8_t>(n);
  in.flags = m.has("trans") ? kTrans : 0;
  in.rendezvous = Rendezvous::aligned;
  in.aux = b.list(std::move(refs));
  in.d = kSinkRef;
}
void movmatrix(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t* a = x.slot(in.a);
  std::uint64_t* d = x.slot(in.d);
  std::uint16_t t[8][8];
  for (int l = 0; l < 32; ++l)
    for (int sub = 0; sub < 2; ++sub) {
      const Coord c = ldmatrix_element(l, sub, false);
      t[c.row][c.col] = static_cast<std::uint16_t>(a[l] >> (16 * sub));
    }
  each(mask, [&](int l) {
    std::uint32_t v = 0;
    for (int sub = 0; sub < 2; ++sub) {
      const Coord c = ldmatrix_element(l, sub, false);
      v |= std::uint32_t{t[c.col][c.row]} << (16 * sub);
    }
    d[l] = v;
  });
}
void build_movmatrix(Builder& b, const Match& m) {
  Instr& in = b.emit(m, movmatrix);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.rendezvous = Rendezvous::aligned;
}

// --- wmma: load, store, product

struct Fragment {
  int rows, cols;
  std::size_t registers;
};
Fragment wmma_fragment(char which, Shape s, Type t) {
  Fragment f{which == 'b' ? s.k : s.m, which == 'a' ? s.k : s.n, 0};
  if ((which == 'a' || which == 'b') && t == Type::f16)
    f.registers = 8;  // always 16 elements, whatever the shape
  else
    f.registers = registers(f.rows * f.cols, t);
  return f;
}

// in.b: stride in elements; imm: rows | cols << 10; flags kTrans: column-major
template <bool is_store> void wmma_access(Exec& x, const Instr& in, std::uint32_t mask) {
  const Shape s = unpack_shape(static_cast<std::int64_t>(in.mask_ref));
  const int rows = s.m, cols = s.n, per = elements_per_register(in.t0);
  const unsigned bits = bits_of(in.t0);
  const auto& regs = x.list(in.aux);
  const int lane0 = std::countr_zero(mask);
  const std::uint64_t base = in.address(x.slot(in.a)[lane0]), stride = x.slot(in.b)[lane0] & 0xFFFFFFFF;
  const bool column = (in.flags & kTrans) != 0;
  const int distinct = rows * cols / 32;
  Access access;
  access.kind = is_store ? Access::store : Access::load;
  access.size = bits < 8 ? 4 : bits / 8;
  const int group = bits < 8 ? per : 1;  // sub-byte elements travel by whole registers
  each(mask, [&](int l) {
    for (int e = 0; e < distinct; e += group) {
      const Coord c = (in.flags & kOpB) != 0 ? wmma_b_coord(l, e, rows, cols) : wmma_coord(l, e, rows, cols);
      const std::uint64_t index = column ? c.col * stride + c.row : c.row * stride + c.col;
      const std::uint64_t at = base + index * bits / 8;
      const Place p = x.resolve(in, at, l, access);
      if (p.host == nullptr) continue;
      std::uint64_t& r = x.slot(regs[static_cast<std::size_t>(e / per)])[l];
      if constexpr (is_store) {
        const std::uint64_t v = group > 1 ? r : r >> ((e % per) * static_cast<int>(bits));
        std::uint8_t data[8];
        std::memcpy(data, &v, 8);
        x.before_store(in, p, l, access, data);
        std::memcpy(p.host, data, access.size);
      } else {
        x.before_load(in, p, l, access);
        std::uint64_t v = 0;
        std::memcpy(&v, p.host, access.size);
        const int at_bit = group > 1 ? 0 : (e % per) * static_cast<int>(bits);
        if (at_bit == 0)
          r = v;
        else
          r |= v << at_bit;
      }
    }
    if constexpr (!is_store)  // room beyond the distinct elements repeats them
      for (std::size_t k = static_cast<std::size_t>(distinct / per); k < regs.size() && distinct >= per; ++k) x.slot(regs[k])[l] = x.slot(regs[k % static_cast<std::size_t>(distinct / per)])[l];
  });
}
void build_wmma_access(Builder& b, const Match& m) {
  const bool store = m.has("store");
  const auto& ops = b.statement().operands;
  if (ops.size() < 2 || ops.size() > 3) b.fail(ErrorKind::semantic, "this has a fragment, an address and maybe a stride");
  const Shape s = shape_of(m);
  const char which = m.has("a") ? 'a' : m.has("b") ? 'b' : 'c';
  const Type t = m.type(0);
  const Fragment f = wmma_fragment(which, s, t);
  const bool column = m.has("col");
  std::vector<Ref> refs = fragment(b, ops[store ? 1 : 0], t, f.registers, !store);
  const Operand address = b.address(ops[store ? 0 : 1]);
  const Space space = space_of(b, m, address);
  const Ref stride = ops.size() == 3 ? b.source(ops[2], Type::u32).ref : b.constant(static_cast<std::uint64_t>(column ? f.rows : f.cols));
  Instr& in = b.emit(m, store ? wmma_access<true> : wmma_access<false>);
  in.cls = InstrClass::matrix_move;
  in.a = address.base;
  in.imm = address.offset;
  in.narrow = !address.wide;
  in.b = stride;
  in.space = space;
  in.mask_ref = static_cast<Ref>(pack_shape({f.rows, f.cols, 0}));
  in.flags = static_cast<std::uint16_t>((column ? kTrans : 0) | (which == 'b' ? kOpB : 0));
  in.rendezvous = Rendezvous::aligned;
  in.aux = b.list(std::move(refs));
  in.d = kSinkRef;
}
void build_wmma(Builder& b, const Match& m) {
  const Shape s = shape_of(m);
  Type d = m.type(0), a = m.type(1), bt = m.type(2), c = m.type(3);
  if (m.types.size() == 2) {  // the f16 form names D and C only
    c = a;
    a = bt = Type::f16;
  }
  emit_product(b, m, s, d, a, bt, c, wmma_fragment('c', s, d).registers, wmma_fragment('a', s, a).registers, wmma_fragment('b', s, bt).registers, wmma_fragment('c', s, c).registers, kWmma);
}

constexpr InstrClass X = InstrClass::matrix, V = InstrClass::matrix_move;
#define RC "sync aligned "
#define SH "shared|shared::cta? "
#define GS "global|shared? "
const Form kForms[] = {
    {"mma", RC "m8n8k4 row|col row|col f16 f16 f16 f16", "*", 64, 70, X, build_volta},
    {"mma", RC "m8n8k4 row|col row|col f32 f16 f16 f16|f32", "*", 64, 70, X, build_volta},
    {"mma", RC "m16n8k8 row col f16 f16 f16 f16", "*", 65, 75, X, build_mma},
    {"mma", RC "m16n8k8 row col f32 f16 f16 f32", "*", 65, 75, X, build_mma},
    {"mma", RC "m16n8k16 row col f16 f16 f16 f16", "*", 70, 80, X, build_mma},
    {"mma", RC "m16n8k16 row col f32 f16 f16 f32", "*", 70, 80, X, build_mma},
    {"mma", RC "m16n8k8|m16n8k16 row col f32 bf16 bf16 f32", "*", 70, 80, X, build_mma},
    {"mma", RC "m16n8k4|m16n8k8 row col f32 tf32 tf32 f32", "*", 70, 80, X, build_mma},
    {"mma", RC "m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32", "*", 84, 89, X, build_mma},
    {"mma", RC "m16n8k32 row col f16 e4m3|e5m2 e4m3|e5m2 f16", "*", 87, 89, X, build_mma},
    {"mma", RC "m16n8k16 row col f32 e4m3|e5m2 e4m3|e5m2 f32", "*", 87, 89, X, build_mma},
    {"mma", RC "m16n8k16 row col f16 e4m3|e5m2 e4m3|e5m2 f16", "*", 87, 89, X, build_mma},
    {"mma", RC "m8n8k4 row col rn? f64 f64 f64 f64", "*", 70, 80, X, build_mma},
    {"mma", RC "m16n8k4|m16n8k8|m16n8k16 row col rn? f64 f64 f64 f64", "*", 78, 90, X, build_mma},
    {"mma", RC "m8n8k16 row col satfinite? s32 u8|s8 u8|s8 s32", "*", 65, 75, X, build_mma},
    {"mma", RC "m16n8k16|m16n8k32 row col satfinite? s32 u8|s8 u8|s8 s32", "*", 70, 80, X, build_mma},
    {"mma", RC "m8n8k32 row col satfinite? s32 u4|s4 u4|s4 s32", "*", 65, 75, X, build_mma},
    {"mma", RC "m16n8k32|m16n8k64 row col satfinite? s32 u4|s4 u4|s4 s32", "*", 70, 80, X, build_mma},
    {"mma", RC "m8n8k128|m16n8k128|m16n8k256 row col s32 b1 b1 s32 xor.popc", "*", 70, 80, X, build_mma},
    {"mma", RC "m8n8k128|m16n8k128|m16n8k256 row col s32 b1 b1 s32 and.popc", "*", 71, 80, X, build_mma},
    {"ldmatrix", RC "m8n8 x1|x2|x4 trans? shared b16", "*", 65, 75, V, build_ldmatrix},
    {"ldmatrix", RC "m8n8 x1|x2|x4 trans? shared::cta b16", "*", 78, 75, V, build_ldmatrix},
    {"ldmatrix", RC "m8n8 x1|x2|x4 trans? b16", "*", 65, 75, V, build_ldmatrix},
    {"stmatrix", RC "m8n8 x1|x2|x4 trans? " SH "b16", "*", 78, 90, V, build_ldmatrix},
    {"movmatrix", RC "m8n8 trans b16", "=b32 b32", 78, 75, V, build_movmatrix},
    {"wmma", "load a|b " RC "row|col m16n16k16|m32n8k16|m8n32k16 " GS "f16", "*", 61, 70, V, build_wmma_access},
    {"wmma", "load c " RC "row|col m16n16k16|m32n8k16|m8n32k16 " GS "f16|f32", "*", 61, 70, V, build_wmma_access},
    {"wmma", "load a|b " RC "row|col m16n16k16|m32n8k16|m8n32k16 " GS "s8|u8", "*", 63, 72, V, build_wmma_access},
    {"wmma", "load c " RC "row|col m16n16k16|m32n8k16|m8n32k16 " GS "s32", "*", 63, 72, V, build_wmma_access},
    {"wmma", "load a|b " RC "row|col m16n16k16|m32n8k16|m8n32k16 " GS "bf16", "*", 70, 80, V, build_wmma_access},
    {"wmma", "load a|b " RC "row|col m16n16k8 " GS "tf32", "*", 70, 80, V, build_wmma_access},
    {"wmma", "load c " RC "row|col m16n16k8 " GS "f32", "*", 70, 80, V, build_wmma_access},
    {"wmma", "load a|b|c " RC "row|col m8n8k4 " GS "f64", "*", 70, 80, V, build_wmma_access},
    {"wmma", "load a " RC "row m8n8k32 " GS "s4|u4", "*", 63, 75, V, build_wmma_access},
    {"wmma", "load b " RC "col m8n8k32 " GS "s4|u4", "*", 63, 75, V, build_wmma_access},
    {"wmma", "load a " RC "row m8n8k128 " GS "b1", "*", 63, 75, V, build_wmma_access},
    {"wmma", "load b " RC "col m8n8k128 " GS "b1", "*", 63, 75, V, build_wmma_access},
    {"wmma", "load c " RC "row|col m8n8k32|m8n8k128 " GS "s32", "*", 63, 75, V, build_wmma_access},
    {"wmma", "store d " RC "row|col m16n16k16|m32n8k16|m8n32k16 " GS "f16|f32", "*", 61, 70, V, build_wmma_access},
    {"wmma", "store d " RC "row|col m16n16k16|m32n8k16|m8n32k16 " GS "s32", "*", 63, 72, V, build_wmma_access},
    {"wmma", "store d " RC "row|col m16n16k8 " GS "f32", "*", 70, 80, V, build_wmma_access},
    {"wmma", "store d " RC "row|col m8n8k4 " GS "f64", "*", 70, 80, V, build_wmma_access},
    {"wmma", "store d " RC "row|col m8n8k32|m8n8k128 " GS "s32", "*", 63, 75, V, build_wmma_access},
    {"wmma", "mma " RC "row|col row|col m16n16k16|m32n8k16|m8n32k16 f16|f32 f16|f32", "*", 61, 70, X, build_wmma},
    {"wmma", "mma " RC "row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 s8 s8 s32 satfinite?", "*", 63, 72, X, build_wmma},
    {"wmma", "mma " RC "row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 u8 u8 s32 satfinite?", "*", 63, 72, X, build_wmma},
    {"wmma", "mma " RC "row|col row|col m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32", "*", 70, 80, X, build_wmma},
    {"wmma", "mma " RC "row|col row|col m16n16k8 f32 tf32 tf32 f32", "*", 70, 80, X, build_wmma},
    {"wmma", "mma " RC "row|col row|col m8n8k4 f64 f64 f64 f64 rn?", "*", 70, 80, X, build_wmma},
    {"wmma", "mma " RC "row col m8n8k32 s32 s4 s4 s32 satfinite?", "*", 63, 75, X, build_wmma},
    {"wmma", "mma " RC "row col m8n8k32 s32 u4 u4 s32 satfinite?", "*", 63, 75, X, build_wmma},
    {"wmma", "mma xor.popc " RC "row col m8n8k128 s32 b1 b1 s32", "*", 63, 75, X, build_wmma},
    {"wmma", "mma and.popc " RC "row col m8n8k128 s32 b1 b1 s32", "*", 71, 80, X, build_wmma},
};

}  // namespace

std::span<const Form> matrix_forms() { return kForms; }

}  // namespace tine::emulator::detail
