#include "dsl/graph/expr.hpp"

#include <algorithm>
#include <stdexcept>

namespace tine::graph {
namespace {

__extension__ typedef __int128 wide;
constexpr int64_t inf = Pool::inf;

int64_t wrap_add(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
int64_t wrap_mul(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
int64_t saturate(wide v) { return v > inf ? inf : v < -inf ? -inf : int64_t(v); }
int64_t mul_bound(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (a <= -inf || a >= inf || b <= -inf || b >= inf) return (a < 0) == (b < 0) ? inf : -inf;
  return saturate(wide(a) * b);
}
int64_t add_bound(int64_t a, int64_t b) {  // of two lower or two upper bounds; an infinite one wins
  if (a <= -inf || b <= -inf) return -inf;
  if (a >= inf || b >= inf) return inf;
  return saturate(wide(a) + b);
}
int64_t floor_div(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return wrap_mul(a, -1);
  int64_t q = a / b;
  return a % b && (a < 0) != (b < 0) ? q - 1 : q;
}

}  // namespace

Pool::Pool() : table_(256, -1) {
  nodes_.reserve(128);
  data_.reserve(512);
}

bool Pool::is_id(ExKind k, int operand) const {
  if (k == ExKind::num || k == ExKind::sym) return false;
  return k != ExKind::sum || (operand >= 2 && operand % 2 == 0);
}

void Pool::grow() {
  std::vector<int32_t> t(table_.size() * 2, -1);
  for (int32_t i = 0; i < int32_t(nodes_.size()); ++i) {
    std::size_t h = nodes_[i].hash & (t.size() - 1);
    while (t[h] >= 0) h = (h + 1) & (t.size() - 1);
    t[h] = i;
  }
  table_.swap(t);
}

Ex Pool::intern(ExKind k, const int64_t* p, std::size_t n, Sym sk, Ex extent) {
  if (n > UINT16_MAX) throw std::length_error("an expression of too many terms");
  uint64_t h = 1469598103934665603ull ^ (uint64_t(k) * 31 + uint64_t(sk));
  for (std::size_t i = 0; i < n; ++i) {
    h = (h ^ uint64_t(p[i])) * 1099511628211ull;
    h ^= h >> 29;
  }
  std::size_t slot = h & (table_.size() - 1);
  for (; table_[slot] >= 0; slot = (slot + 1) & (table_.size() - 1)) {
    const Node& x = nodes_[table_[slot]];
    if (x.hash == h && x.kind == k && x.n == n && x.sk == sk && std::equal(p, p + n, &data_[x.at]))
      return {table_[slot]};
  }
  Ex e{int32_t(nodes_.size())};
  Node x{k, sk, false, k == ExKind::mod, uint16_t(n), 1, uint32_t(data_.size()), extent, h, 0, 0, 1};
  x.var = k == ExKind::sym && sk == Sym::var;
  data_.insert(data_.end(), p, p + n);
  for (int i = 0; i < int(n); ++i) {
    if (!is_id(k, i)) continue;
    const Node& y = nodes_[data_[x.at + i]];
    x.var |= y.var;
    x.mod |= k == ExKind::prod && y.mod;
    if (y.depth >= x.depth) x.depth = uint16_t(y.depth + 1);
    x.tree += y.tree;
  }
  if (x.depth > 4000) throw std::length_error("an expression nested too deeply");
  find_bounds(x);
  nodes_.push_back(x);
  table_[slot] = e.id;
  if (nodes_.size() * 2 > table_.size()) grow();
  return e;
}

void Pool::find_bounds(Node& x) const {
  const int64_t* p = &data_[x.at];
  auto node = [&](int i) -> const Node& { return nodes_[p[i]]; };
  switch (x.kind) {
    case ExKind::num:
      x.lo = x.hi = saturate(p[0]);
      return;
    case ExKind::sym:
      x.lo = x.sk == Sym::stride ? -inf : 0;
      x.hi = inf;
      if (x.sk == Sym::var && x.extent && nodes_[x.extent.id].hi < inf)
        x.hi = std::max<int64_t>(nodes_[x.extent.id].hi - 1, 0);
      return;
    case ExKind::sum:
      x.lo = x.hi = saturate(p[0]);
      for (int i = 1; i < x.n; i += 2) {
        int64_t u = mul_bound(p[i], node(i + 1).lo), v = mul_bound(p[i], node(i + 1).hi);
        x.lo = add_bound(x.lo, std::min(u, v));
        x.hi = add_bound(x.hi, std::max(u, v));
      }
      return;
    case ExKind::prod:
      x.lo = x.hi = 1;
      for (int i = 0; i < x.n; ++i) {
        const Node& y = node(i);
        int64_t c[] = {mul_bound(x.lo, y.lo), mul_bound(x.lo, y.hi), mul_bound(x.hi, y.lo), mul_bound(x.hi, y.hi)};
        x.lo = *std::min_element(c, c + 4);
        x.hi = *std::max_element(c, c + 4);
      }
      return;
    default:
      break;
  }
  int64_t a = node(0).lo, b = node(0).hi, c = node(1).lo, d = node(1).hi;
  switch (x.kind) {
    case ExKind::min:
      x.lo = std::min(a, c), x.hi = std::min(b, d);
      return;
    case ExKind::max:
      x.lo = std::max(a, c), x.hi = std::max(b, d);
      return;
    case ExKind::div: {
      if (c < 0) {
        x.hi = std::max(std::abs(a), std::abs(b));
        x.lo = -x.hi;
        return;
      }
      int64_t least = std::max<int64_t>(c, 1), most = std::max<int64_t>(d, 1);
      x.lo = a <= -inf ? -inf : a < 0 ? floor_div(a, least) : most >= inf ? 0 : a / most;
      x.hi = b >= inf ? inf : b >= 0 ? b / least : most >= inf ? -1 : floor_div(b, most);
      if (c == 0) x.lo = std::min<int64_t>(x.lo, 0), x.hi = std::max<int64_t>(x.hi, 0);
      return;
    }
    default:  // mod
      if (c < 0) {
        x.hi = std::max(std::abs(c), std::abs(d));
        x.lo = -x.hi;
        return;
      }
      x.lo = 0;
      x.hi = d >= inf ? inf : std::max<int64_t>(d - 1, 0);
      if (a >= 0) x.hi = std::min(x.hi, b);
  }
}

Ex Pool::num(int64_t v) { return intern(ExKind::num, &v, 1); }
Ex Pool::sym(Sym kind, int a, int b, Ex extent) {
  int64_t p[2] = {a, b};
  return intern(ExKind::sym, p, 2, kind, extent);
}

int64_t Pool::terms(Ex e, Terms& out) const {
  const Node& x = nodes_[e.id];
  const int64_t* p = &data_[x.at];
  if (x.kind == ExKind::num) return p[0];
  if (x.kind != ExKind::sum) {
    out.push_back({e.id, 1});
    return 0;
  }
  for (int i = 1; i < x.n; i += 2) out.push_back({int32_t(p[i + 1]), p[i]});
  return p[0];
}

int Pool::order(Ex a, Ex b) const {
  if (a == b) return 0;
  const Node &x = nodes_[a.id], &y = nodes_[b.id];
  if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;
  if (x.sk != y.sk) return x.sk < y.sk ? -1 : 1;
  if (x.n != y.n) return x.n < y.n ? -1 : 1;
  for (int i = 0; i < x.n; ++i) {
    int64_t u = data_[x.at + i], v = data_[y.at + i];
    if (u == v) continue;
    if (is_id(x.kind, i)) return order(Ex{int32_t(u)}, Ex{int32_t(v)});  // other ids, so other structures
    return u < v ? -1 : 1;
  }
  return 0;
}

Ex Pool::from_terms(int64_t c, Terms& t) {
  auto tidy = [&] {
    std::sort(t.begin(), t.end(), [&](auto& a, auto& b) { return order(Ex{a.first}, Ex{b.first}) < 0; });
    std::size_t m = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (m && t[m - 1].first == t[i].first)
        t[m - 1].second = wrap_add(t[m - 1].second, t[i].second);
      else
        t[m++] = t[i];
      if (t[m - 1].second == 0) --m;
    }
    t.resize(m);
  };
  tidy();
  while (join_remainder(c, t)) tidy();
  if (t.empty()) return num(c);
  if (c == 0 && t.size() == 1 && t[0].second == 1) return {t[0].first};
  int64_t few[33];  // enough for nearly all
  std::vector<int64_t> many;
  int64_t* p = few;
  if (t.size() > 16) {
    many.resize(1 + 2 * t.size());
    p = many.data();
  }
  p[0] = c;
  for (std::size_t i = 0; i < t.size(); ++i) p[1 + 2 * i] = t[i].second, p[2 + 2 * i] = t[i].first;
  return intern(ExKind::sum, p, 1 + 2 * t.size());
}

// d*floordiv(a, d)*f + floormod(a, d)*f = a*f: what flattening took apart comes together again.
bool Pool::join_remainder(int64_t& c, Terms& t) {
  if (t.size() < 2) return false;
  std::vector<int64_t> f;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!nodes_[t[i].first].mod) continue;
    f.clear();
    factors(t[i].first, f);
    for (std::size_t j = 0; j < f.size(); ++j) {
      const Node m = nodes_[f[j]];
      if (m.kind != ExKind::mod) continue;
      Ex a{int32_t(data_[m.at])}, d{int32_t(data_[m.at + 1])};
      if (!positive_divisor(a, d)) continue;
      Ex rest = num(1);
      for (std::size_t k = 0; k < f.size(); ++k)
        if (k != j) rest = mul(rest, Ex{int32_t(f[k])});
      Terms whole;
      if (terms(mul(mul(div(a, d), d), rest), whole) != 0 || whole.size() != 1) continue;
      int64_t k = t[i].second, want = wrap_mul(k, whole[0].second);
      for (std::size_t o = 0; o < t.size(); ++o) {
        if (t[o].first != whole[0].first || t[o].second != want) continue;
        t.erase(t.begin() + long(std::max(i, o)));
        t.erase(t.begin() + long(std::min(i, o)));
        c = wrap_add(c, terms(scale(mul(a, rest), k), t));
        return true;
      }
    }
  }
  return false;
}

Ex Pool::add(Ex a, Ex b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (is_num(a) && is_num(b)) return num(wrap_add(value(a), value(b)));
  Terms t;
  t.reserve(std::size_t(operand_count(a) + operand_count(b)) / 2 + 1);
  int64_t c = terms(a, t);
  c = wrap_add(c, terms(b, t));
  return from_terms(c, t);
}

Ex Pool::scale(Ex a, int64_t k) {
  if (k == 1) return a;
  if (k == 0) return num(0);
  if (is_num(a)) return num(wrap_mul(value(a), k));
  Terms t;
  t.reserve(std::size_t(operand_count(a)) / 2 + 1);
  int64_t c = wrap_mul(terms(a, t), k);
  for (auto& x : t) x.second = wrap_mul(x.second, k);
  return from_terms(c, t);
}

void Pool::factors(int32_t monomial, std::vector<int64_t>& out) const {
  const Node& m = nodes_[monomial];
  if (m.kind == ExKind::prod)
    out.insert(out.end(), data_.begin() + m.at, data_.begin() + m.at + m.n);
  else
    out.push_back(monomial);
}
Ex Pool::monomial(std::vector<int64_t>& f) {
  if (f.empty()) return num(1);
  if (f.size() == 1) return Ex{int32_t(f[0])};
  std::sort(f.begin(), f.end(), [&](int64_t a, int64_t b) { return order(Ex{int32_t(a)}, Ex{int32_t(b)}) < 0; });
  return intern(ExKind::prod, f.data(), f.size());
}

Ex Pool::mul(Ex a, Ex b) {
  if (is_num(a)) return scale(b, value(a));
  if (is_num(b)) return scale(a, value(b));
  Terms s, t, r;
  r.reserve(8);
  int64_t ca = terms(a, s), cb = terms(b, t);
  for (auto& x : s)
    if (cb) r.push_back({x.first, wrap_mul(x.second, cb)});
  for (auto& y : t)
    if (ca) r.push_back({y.first, wrap_mul(y.second, ca)});
  std::vector<int64_t> f;
  for (auto& x : s)
    for (auto& y : t) {
      f.clear();
      factors(x.first, f);
      factors(y.first, f);
      r.push_back({monomial(f).id, wrap_mul(x.second, y.second)});
    }
  return from_terms(wrap_mul(ca, cb), r);
}

bool Pool::positive_divisor(Ex a, Ex d) const {
  int64_t lo, hi;
  bounds(d, lo, hi);
  return lo > 0 || (lo == 0 && hi > 0 && (has_var(a) || has_var(d)));
}

// The least value of e over its variables, as an expression; e itself where nothing is known.
Ex Pool::lower(Ex e) {
  if (!has_var(e)) return e;
  Terms t, r;
  int64_t c = terms(e, t);
  std::vector<int64_t> f;
  for (auto [id, k] : t) {
    if (!has_var(Ex{id})) {
      r.push_back({id, k});
      continue;
    }
    if (k > 0) {  // at least its own lower bound
      int64_t lo, hi;
      bounds(Ex{id}, lo, hi);
      if (lo <= -inf) return e;
      c = wrap_add(c, saturate(wide(k) * lo));
      continue;
    }
    f.clear();
    factors(id, f);
    Ex most = num(1);
    for (int64_t x : f) {
      const Node n = nodes_[x];
      if (n.lo < 0) return e;
      Ex up{int32_t(x)};
      bool var = n.kind == ExKind::sym && n.sk == Sym::var && n.extent;
      if (var || n.kind == ExKind::mod) {
        up = var ? n.extent : Ex{int32_t(data_[n.at + 1])};
        if (kind(up) == ExKind::max) {  // max(0, x) is x, for the variable has a value
          Ex u{int32_t(operand(up, 0))}, v{int32_t(operand(up, 1))};
          if (is(u, 0))
            up = v;
          else if (is(v, 0))
            up = u;
        }
        up = add(up, num(-1));
      } else if (n.var) {
        return e;
      }
      most = mul(most, up);
    }
    c = wrap_add(c, terms(scale(most, k), r));
  }
  Ex low = from_terms(c, r);
  // -k*d*floordiv(x, d) >= -k*x
  t.clear();
  c = terms(low, t);
  for (auto& [id, k] : t) {
    const Node n = nodes_[id];
    if (k >= 0 || n.kind != ExKind::div) continue;
    Ex d{int32_t(data_[n.at + 1])};
    if (!is_num(d) || value(d) <= 0 || k % value(d)) continue;
    return add(low, scale(sub(scale(Ex{id}, value(d)), Ex{int32_t(data_[n.at])}), -(k / value(d))));
  }
  return low;
}

bool Pool::nonneg(Ex e) {
  if (nodes_[e.id].lo >= 0) return true;
  return has_var(e) && nodes_[lower(e).id].lo >= 0;
}
bool Pool::less(Ex a, Ex b) { return nonneg(add(sub(b, a), num(-1))); }
bool Pool::in_range(Ex r, Ex d) { return is(r, 0) || (nonneg(r) && less(r, d)); }

// a = d*q + r, as far as terms divide exactly
bool Pool::split(Ex a, Ex d, Ex& q, Ex& r) {
  Terms t, dq, rt;
  int64_t c = terms(a, t), qc = 0, rc = c;
  if (is_num(d)) {
    int64_t k = value(d);
    for (auto& x : t) (x.second % k == 0) ? dq.push_back({x.first, x.second / k}) : rt.push_back(x);
    qc = floor_div(c, k);
    rc = wrap_add(c, -wrap_mul(qc, k));
  } else if (kind(d) == ExKind::sum) {
    if (!(a == d)) return false;
    q = num(1);
    r = num(0);
    return true;
  } else {
    std::vector<int64_t> f, g;
    factors(d.id, f);
    for (auto& x : t) {
      g.clear();
      factors(x.first, g);
      bool divides = true;
      for (int64_t y : f) {
        auto it = std::find(g.begin(), g.end(), y);
        if (it == g.end()) {
          divides = false;
          break;
        }
        g.erase(it);
      }
      if (!divides)
        rt.push_back(x);
      else if (g.empty())
        qc = wrap_add(qc, x.second);
      else
        dq.push_back({monomial(g).id, x.second});
    }
  }
  q = from_terms(qc, dq);
  r = from_terms(rc, rt);
  return !is(q, 0);
}

Ex Pool::div(Ex a, Ex b) {
  if (is(a, 0)) return a;
  if (is(b, 1)) return a;
  if (is(b, 0)) return b;
  if (is_num(a) && is_num(b)) return num(floor_div(value(a), value(b)));
  if (positive_divisor(a, b)) {
    Ex q, r;
    if (split(a, b, q, r)) return add(q, div(r, b));
    if (in_range(a, b)) return num(0);
  }
  const Node n = nodes_[a.id];
  if (n.kind == ExKind::div) {  // floordiv(floordiv(x, c), b) = floordiv(x, c*b), with zeros too
    Ex x{int32_t(data_[n.at])}, c{int32_t(data_[n.at + 1])};
    int64_t lc, hc, lb, hb;
    bounds(c, lc, hc);
    bounds(b, lb, hb);
    bool fits = !is_num(c) || !is_num(b) || (value(c) < (int64_t(1) << 31) && value(b) < (int64_t(1) << 31));
    if (lc >= 0 && lb >= 0 && fits) return div(x, mul(c, b));
  }
  int64_t p[2] = {a.id, b.id};
  return intern(ExKind::div, p, 2);
}

Ex Pool::mod(Ex a, Ex b) {
  if (is(a, 0)) return a;
  if (is(b, 1) || is(b, 0)) return num(0);
  if (is_num(a) && is_num(b)) return num(wrap_add(value(a), -wrap_mul(floor_div(value(a), value(b)), value(b))));
  if (positive_divisor(a, b)) {
    Ex q, r;
    if (split(a, b, q, r)) return mod(r, b);
    if (in_range(a, b)) return a;
    const Node n = nodes_[a.id];
    if (n.kind == ExKind::mod &&
        positive_divisor(a, Ex{int32_t(data_[n.at + 1])})) {  // b divides c: mod(mod(x, c), b) = mod(x, b)
      Ex x{int32_t(data_[n.at])}, c{int32_t(data_[n.at + 1])};
      if (split(c, b, q, r) && is(r, 0)) return mod(x, b);
    }
  }
  int64_t p[2] = {a.id, b.id};
  return intern(ExKind::mod, p, 2);
}

Ex Pool::cdiv(Ex a, Ex b) {
  int64_t lo, hi;
  bounds(b, lo, hi);
  if (lo >= 0) return div(add(add(a, b), num(-1)), b);  // the form in which sizes read best; b = 0 gives 0 in both
  return scale(div(scale(a, -1), b), -1);
}

Ex Pool::min(Ex a, Ex b) {
  if (a == b) return a;
  int64_t l, h;
  bounds(sub(b, a), l, h);
  if (l >= 0) return a;
  if (h <= 0) return b;
  if (order(a, b) > 0) std::swap(a, b);
  int64_t p[2] = {a.id, b.id};
  return intern(ExKind::min, p, 2);
}
Ex Pool::max(Ex a, Ex b) {
  if (a == b) return a;
  int64_t l, h;
  bounds(sub(b, a), l, h);
  if (l >= 0) return b;
  if (h <= 0) return a;
  if (order(a, b) > 0) std::swap(a, b);
  int64_t p[2] = {a.id, b.id};
  return intern(ExKind::max, p, 2);
}

std::string Pool::symbol_text(Sym kind, int a, int b) {
  if (kind == Sym::var) return "i" + std::to_string(a) + "_" + std::to_string(b);
  return "p" + std::to_string(a) + (kind == Sym::size ? ".size" : ".stride") + std::to_string(b);
}
void Pool::print(std::string& out, Ex e) const { print(out, e, symbol_text); }

}  // namespace tine::graph
