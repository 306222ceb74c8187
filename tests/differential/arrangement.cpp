#include "arrangement.hpp"

#include <algorithm>
#include <numeric>

namespace tine::fuzz {
namespace {

int64_t product(const Dims& d) { return std::accumulate(d.begin(), d.end(), int64_t{1}, std::multiplies<>()); }

int64_t floordiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// Python's slice.indices, and the length.
struct Cut {
  int64_t start, step, length;
};
Cut cut(const Operation::Item& item, int64_t size) {
  const bool up = item.step > 0;
  const auto clamp = [&](int64_t v) {
    if (v < 0) v = std::max(v + size, up ? int64_t{0} : int64_t{-1});
    return std::min(v, up ? size : size - 1);
  };
  const int64_t start = item.start ? clamp(*item.start) : up ? 0 : size - 1;
  const int64_t stop = item.stop ? clamp(*item.stop) : up ? size : -1;
  const int64_t span = up ? stop - start : start - stop, step = up ? item.step : -item.step;
  return {start, item.step, span <= 0 ? 0 : (span + step - 1) / step};
}

std::string list(const Dims& d) {
  std::string s;
  for (int64_t v : d) s += (s.empty() ? "" : ",") + std::to_string(v);
  return "(" + s + ")";
}

}  // namespace

std::string Operation::text() const {
  static constexpr const char* names[] = {"tile",    "expand", "squeeze", "unsqueeze", "permute",
                                          "flatten", "ravel",  "pad",     "slice"};
  std::string s = std::string(names[kind]) + "@" + std::to_string(level);
  if (kind == tile || kind == expand) s += list(sizes);
  if (!strides.empty()) s += " strides" + list(strides);
  if (!dilation.empty()) s += " dilation" + list(dilation);
  if (floor) s += " floor";
  if (!dims.empty()) s += list(Dims(dims.begin(), dims.end()));
  if (kind == pad) s += list(before) + list(after);
  for (const Item& i : items) {
    const auto end = [](const std::optional<int64_t>& v) { return v ? std::to_string(*v) : std::string(); };
    s += " [" +
         (i.kind == Item::integer    ? end(i.start)
          : i.kind == Item::newaxis  ? "new"
          : i.kind == Item::ellipsis ? "..."
          : i.kind == Item::whole    ? ":"
                                     : end(i.start) + ":" + end(i.stop) + ":" + std::to_string(i.step)) +
         "]";
  }
  return s;
}
std::string Arrangement::text() const {
  std::string s = list(source_);
  for (const Operation& o : operations_) s += " ." + o.text();
  s += " ->";
  for (const Dims& l : levels_) s += " " + list(l);
  return s;
}
int64_t Arrangement::elements() const {
  int64_t n = 1;
  for (const Dims& l : levels_) n *= product(l);
  return n;
}

bool Arrangement::apply(const Operation& o) {
  std::vector<Dims> next = levels_;
  const auto l = static_cast<std::size_t>(o.level < 0 ? o.level + int(levels_.size()) : o.level);
  if (l >= levels_.size()) return false;
  Dims& level = next[l];
  const std::size_t n = level.size();
  const auto dim = [&](int d, std::size_t count) { return static_cast<std::size_t>(d < 0 ? d + int(count) : d); };
  switch (o.kind) {
    case Operation::tile: {
      if (o.sizes.size() != n || levels_.size() >= 6) return false;
      Dims outer(n), inner(n);
      for (std::size_t k = 0; k < n; ++k) {
        const int64_t size = level[k], d = o.dilation.empty() || o.dilation[k] < 0 ? 1 : o.dilation[k];
        const bool whole = o.sizes[k] < 0, default_stride = o.strides.empty() || o.strides[k] < 0;
        inner[k] = whole ? size : o.sizes[k];
        if (whole && default_stride) {
          outer[k] = 1;
          continue;
        }
        const int64_t stride = default_stride ? inner[k] : o.strides[k], span = size - d * (inner[k] - 1) - 1;
        if (stride <= 0 || d <= 0 || (!whole && inner[k] <= 0)) return false;
        outer[k] = std::max<int64_t>(0, (o.floor ? floordiv(span, stride) : -floordiv(-span, stride)) + 1);
      }
      level = inner;
      next.insert(next.begin() + long(l), outer);
      break;
    }
    case Operation::expand:
      if (o.sizes.size() != n) return false;
      for (std::size_t k = 0; k < n; ++k) {
        if (o.sizes[k] < 0 || o.sizes[k] == level[k]) continue;
        if (level[k] != 1) return false;
        level[k] = o.sizes[k];
      }
      break;
    case Operation::squeeze: {
      std::vector<std::size_t> drop;
      for (int d : o.dims) {
        if (dim(d, n) >= n || level[dim(d, n)] != 1) return false;
        drop.push_back(dim(d, n));
      }
      std::sort(drop.rbegin(), drop.rend());
      if (std::adjacent_find(drop.begin(), drop.end()) != drop.end()) return false;
      for (std::size_t d : drop) level.erase(level.begin() + long(d));
      break;
    }
    case Operation::unsqueeze:
      if (dim(o.dims[0], n + 1) > n) return false;
      level.insert(level.begin() + long(dim(o.dims[0], n + 1)), 1);
      break;
    case Operation::permute:
      if (o.dims.size() != n) return false;
      for (std::size_t k = 0; k < n; ++k) level[k] = levels_[l][dim(o.dims[k], n)];
      break;
    case Operation::flatten: {
      const std::size_t a = dim(o.dims[0], n), b = o.dims[1] < 0 ? n + 1 - static_cast<std::size_t>(-o.dims[1])
                                                                 : static_cast<std::size_t>(o.dims[1]);
      if (a >= b || b > n) return false;
      const int64_t joined = product(Dims(level.begin() + long(a), level.begin() + long(b)));
      level.erase(level.begin() + long(a), level.begin() + long(b));
      level.insert(level.begin() + long(a), joined);
      break;
    }
    case Operation::ravel:
      for (std::size_t k = l + 1; k < next.size(); ++k) level.insert(level.end(), next[k].begin(), next[k].end());
      next.resize(l + 1);
      break;
    case Operation::pad:
      if (o.before.size() != n) return false;
      for (std::size_t k = 0; k < n; ++k)
        if ((level[k] += o.before[k] + o.after[k]) < 0) return false;
      break;
    case Operation::slice: {
      Dims out;
      std::size_t k = 0, used = 0, dots = 0;
      for (const auto& i : o.items) {
        used += i.kind != Operation::Item::newaxis && i.kind != Operation::Item::ellipsis;
        dots += i.kind == Operation::Item::ellipsis;
      }
      if (used > n || dots > 1) return false;
      for (const auto& i : o.items) {
        if (i.kind == Operation::Item::newaxis) {
          out.push_back(1);
        } else if (i.kind == Operation::Item::ellipsis) {
          for (std::size_t skip = n - used; skip > 0; --skip) out.push_back(level[k++]);
        } else if (i.kind == Operation::Item::integer) {
          const int64_t v = *i.start < 0 ? *i.start + level[k] : *i.start;
          if (v < 0 || v >= level[k]) return false;
          ++k;
        } else {
          out.push_back(i.kind == Operation::Item::whole ? level[k] : cut(i, level[k]).length);
          ++k;
        }
      }
      for (; k < n; ++k) out.push_back(level[k]);
      level = out;
      break;
    }
  }
  before_.push_back(levels_);
  levels_ = std::move(next);
  operations_.push_back(o);
  return true;
}

std::optional<Dims> Arrangement::locate(const Dims& index) const {
  // Split by level.
  std::vector<Dims> x;
  std::size_t at = 0;
  for (const Dims& l : levels_) {
    x.emplace_back(index.begin() + long(at), index.begin() + long(at + l.size()));
    at += l.size();
  }
  for (std::size_t s = operations_.size(); s-- > 0;) {
    const Operation& o = operations_[s];
    const std::vector<Dims>& before = before_[s];
    const auto l = static_cast<std::size_t>(o.level < 0 ? o.level + int(before.size()) : o.level);
    const Dims& size = before[l];
    const std::size_t n = size.size();
    Dims here(n);
    switch (o.kind) {
      case Operation::tile:
        for (std::size_t k = 0; k < n; ++k) {
          const bool whole = o.sizes[k] < 0, default_stride = o.strides.empty() || o.strides[k] < 0;
          const int64_t tile = whole ? size[k] : o.sizes[k],
                        d = o.dilation.empty() || o.dilation[k] < 0 ? 1 : o.dilation[k];
          here[k] = x[l][k] * (default_stride ? tile : o.strides[k]) + x[l + 1][k] * d;
        }
        x.erase(x.begin() + long(l));
        break;
      case Operation::expand:
        for (std::size_t k = 0; k < n; ++k) here[k] = size[k] == 1 && o.sizes[k] >= 0 && o.sizes[k] != 1 ? 0 : x[l][k];
        break;
      case Operation::squeeze: {
        std::size_t next = 0;
        for (std::size_t k = 0; k < n; ++k) {
          const bool dropped =
              std::any_of(o.dims.begin(), o.dims.end(), [&](int d) { return (d < 0 ? d + int(n) : d) == int(k); });
          here[k] = dropped ? 0 : x[l][next++];
        }
        break;
      }
      case Operation::unsqueeze: {
        const auto d = static_cast<std::size_t>(o.dims[0] < 0 ? o.dims[0] + int(n) + 1 : o.dims[0]);
        here = x[l];
        here.erase(here.begin() + long(d));
        break;
      }
      case Operation::permute:
        for (std::size_t k = 0; k < n; ++k)
          here[static_cast<std::size_t>(o.dims[k] < 0 ? o.dims[k] + int(n) : o.dims[k])] = x[l][k];
        break;
      case Operation::flatten: {
        const auto a = static_cast<std::size_t>(o.dims[0] < 0 ? o.dims[0] + int(n) : o.dims[0]);
        const auto b = static_cast<std::size_t>(o.dims[1] < 0 ? o.dims[1] + int(n) + 1 : o.dims[1]);
        std::size_t from = 0;
        for (std::size_t k = 0; k < n; ++k) {
          if (k < a || k >= b) here[k] = x[l][from++];
          if (k != a) continue;
          int64_t v = x[l][from++];
          for (std::size_t j = b; j-- > a + 1;) here[j] = v % size[j], v /= size[j];
          here[a] = v;
        }
        break;
      }
      case Operation::ravel: {
        std::vector<Dims> split;
        std::size_t from = 0;
        for (std::size_t k = l; k < before.size(); ++k) {
          split.emplace_back(x[l].begin() + long(from), x[l].begin() + long(from + before[k].size()));
          from += before[k].size();
        }
        x.erase(x.begin() + long(l));
        x.insert(x.begin() + long(l), split.begin(), split.end());
        here = x[l];
        break;
      }
      case Operation::pad:
        for (std::size_t k = 0; k < n; ++k) here[k] = x[l][k] - o.before[k];
        break;
      case Operation::slice: {
        std::size_t k = 0, from = 0, used = 0;
        for (const auto& i : o.items) used += i.kind != Operation::Item::newaxis && i.kind != Operation::Item::ellipsis;
        for (const auto& i : o.items) {
          if (i.kind == Operation::Item::newaxis) {
            ++from;
          } else if (i.kind == Operation::Item::ellipsis) {
            for (std::size_t skip = n - used; skip > 0; --skip) here[k++] = x[l][from++];
          } else if (i.kind == Operation::Item::integer) {
            here[k] = *i.start < 0 ? *i.start + size[k] : *i.start;
            ++k;
          } else if (i.kind == Operation::Item::whole) {
            here[k++] = x[l][from++];
          } else {
            const Cut c = cut(i, size[k]);
            here[k++] = c.start + x[l][from++] * c.step;
          }
        }
        for (; k < n; ++k) here[k] = x[l][from++];
        break;
      }
    }
    x[l] = here;
    for (std::size_t k = 0; k < n; ++k)
      if (here[k] < 0 || here[k] >= size[k]) return std::nullopt;
  }
  return x[0];
}

// ---- random chains

namespace {

Operation random_operation(const Arrangement& a, Choices& c) {
  Operation o;
  const auto& levels = a.levels();
  o.level = int(c.below(int64_t(levels.size())));
  const Dims& level = levels[static_cast<std::size_t>(o.level)];
  const int n = int(level.size());
  const auto tile_size = [&](int64_t size) {
    return c.once_in(5) ? int64_t{-1} : c.pick<int64_t>({1, 2, 3, 4, size > 0 ? size : 1, 5, 8, 16});
  };
  // A tile most of the time; what follows it decides about its parts.
  switch (c.pick({0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8})) {
    case 0:
      if (n > 4) return random_operation(a, c);
      o.kind = Operation::tile;
      for (int64_t s : level) o.sizes.push_back(tile_size(s));
      if (c.once_in(4))
        for (int k = 0; k < n; ++k) o.strides.push_back(c.pick<int64_t>({-1, 1, 2, 3, 4}));
      if (c.once_in(5))
        for (int k = 0; k < n; ++k) o.dilation.push_back(c.pick<int64_t>({1, 2, 3}));
      o.floor = c.once_in(5);
      break;
    case 1:
      o.kind = Operation::expand;
      for (int64_t s : level) o.sizes.push_back(s == 1 ? c.pick<int64_t>({2, 1, 3, 5}) : c.pick<int64_t>({-1, s}));
      break;
    case 2:
      o.kind = Operation::squeeze;
      for (int k = 0; k < n; ++k)
        if (level[static_cast<std::size_t>(k)] == 1 && c.below(2)) o.dims.push_back(c.below(2) ? k - n : k);
      if (o.dims.empty()) o.kind = Operation::ravel;
      break;
    case 3:
      o.kind = Operation::unsqueeze;
      o.dims = {int(c.between(-n - 1, n))};
      break;
    case 4: {
      o.kind = Operation::permute;
      for (int k = 0; k < n; ++k) o.dims.push_back(k);
      for (int k = n - 1; k > 0; --k)
        std::swap(o.dims[static_cast<std::size_t>(k)], o.dims[static_cast<std::size_t>(c.below(k + 1))]);
      if (n && c.below(2)) o.dims[0] -= n;
      break;
    }
    case 5:
      o.kind = Operation::flatten;
      if (n == 0) return random_operation(a, c);
      o.dims = {int(c.below(n)), 0};
      o.dims[1] = int(c.between(o.dims[0] + 1, n));
      break;
    case 6:
      o.kind = Operation::ravel;
      break;
    case 7:
      o.kind = Operation::pad;
      for (int k = 0; k < n; ++k) {
        o.before.push_back(c.pick<int64_t>({0, 1, 2, -1, 3}));
        o.after.push_back(c.pick<int64_t>({0, 1, 2, -1, -2}));
      }
      break;
    default:
      o.kind = Operation::slice;
      if (c.once_in(4)) o.items.push_back({Operation::Item::newaxis, {}, {}, 1});
      for (int k = 0; k < n; ++k) {
        Operation::Item i;
        switch (c.below(6)) {
          case 0:
            break;
          case 1:
            i.kind = Operation::Item::integer, i.start = c.between(-2, 2);
            break;
          case 2:
          case 3:
            i.kind = Operation::Item::range;
            if (c.below(2)) i.start = c.between(-3, 4);
            if (c.below(2)) i.stop = c.between(-2, 9);
            i.step = c.pick<int64_t>({1, 2, -1, -2, 3});
            break;
          case 4:
            i.kind = Operation::Item::newaxis;
            break;
          default:
            k = n;
            break;
        }
        if (k < n) o.items.push_back(i);
      }
      if (o.items.size() < static_cast<std::size_t>(n) && c.once_in(3))
        o.items.insert(o.items.begin(), Operation::Item{Operation::Item::ellipsis, {}, {}, 1});
      if (o.items.empty()) o.items.push_back({Operation::Item::ellipsis, {}, {}, 1});
      break;
  }
  if (c.once_in(8)) o.level -= int(levels.size());
  return o;
}

// Limits that keep one case small and its types within what the headers allow.
bool small(const Arrangement& a, int64_t elements, int64_t programs) {
  int64_t axes = 0;
  for (const Dims& l : a.levels()) axes += int64_t(l.size());
  for (const Dims& l : a.levels())
    if (l.size() > 4) return false;
  return axes <= 9 && a.elements() <= elements && product(a.levels()[0]) <= programs && a.levels().size() <= 5;
}

}  // namespace

bool add_random(Arrangement& a, Choices& c) {
  for (int tries = 0; tries < 4; ++tries) {
    const Operation o = random_operation(a, c);
    Arrangement next = a;
    if (next.apply(o)) {
      a = std::move(next);
      return true;
    }
  }
  return false;
}

Arrangement random_arrangement(Dims source, int most, int64_t elements, int64_t programs, Choices& c) {
  Arrangement a(std::move(source));
  for (int64_t n = c.between(1, most); n > 0; --n) {
    Arrangement next = a;
    if (add_random(next, c) && next.elements() <= elements * 4) a = std::move(next);
  }
  if (a.levels().size() == 1 || !small(a, elements, programs)) {
    // What came out is too large or has no tile: tiles of moderate size do.
    Arrangement plain(a.source());
    Operation o;
    for (int64_t s : a.source())
      o.sizes.push_back(s > 64 ? 64 : s > 3 ? c.pick<int64_t>({4, 3, 8}) : c.pick<int64_t>({1, 2}));
    plain.apply(o);
    if (small(plain, elements, programs)) return plain;
    Arrangement whole(a.source());
    o.sizes.assign(a.source().size(), -1);
    whole.apply(o);
    return whole;
  }
  return a;
}

// ---- the front end

int32_t replay(const Arrangement& a, int source, Choices& c) {
  const Loc loc = Loc::here();
  const int rank = int(a.source().size());
  const int32_t root = core::view_source(source, rank);
  int32_t v = root;
  // A size as a number, or as the symbol of a source dim that has this size in this call.
  const auto size = [&](int64_t n) -> Size {
    if (n >= 0)
      for (int d = 0; d < rank; ++d)
        if (a.source()[static_cast<std::size_t>(d)] == n && c.once_in(3)) return core::view_size(root, 0, d, loc);
    return Size(n);
  };
  const auto sizes = [&](const Dims& from) {
    std::vector<Size> to;
    for (int64_t n : from) to.push_back(size(n));
    return to;
  };
  for (const Operation& o : a.operations()) {
    switch (o.kind) {
      case Operation::tile: {
        const std::vector<Size> s = sizes(o.sizes);
        const auto fixed = [](const Dims& d) { return std::vector<Size>(d.begin(), d.end()); };
        const std::vector<Size> strides = fixed(o.strides), dilation = fixed(o.dilation);
        TileOptions options;
        options.mode = o.floor ? Mode::floor : Mode::ceil;
        // Initialiser lists cannot be made from vectors; there are at most four dims.
        const auto call = [&](std::initializer_list<Size> st, std::initializer_list<Size> di) {
          options.strides = st;
          options.dilation = di;
          v = core::view_tile(v, o.level, s.data(), s.size(), options, loc);
        };
        const auto with = [&](auto&& f, const std::vector<Size>& list) {
          switch (list.size()) {
            case 0:
              return f({});
            case 1:
              return f({list[0]});
            case 2:
              return f({list[0], list[1]});
            case 3:
              return f({list[0], list[1], list[2]});
            default:
              return f({list[0], list[1], list[2], list[3]});
          }
        };
        with(
            [&](std::initializer_list<Size> st) {
              with([&](std::initializer_list<Size> di) { call(st, di); }, dilation);
            },
            strides);
        break;
      }
      case Operation::expand: {
        std::vector<Size> s = sizes(o.sizes);
        // A size that the front end knows not to be 1 is refused beside a symbol; only the call knows that they are
        // equal.
        for (std::size_t k = 0; k < s.size(); ++k) {
          const Size now = core::view_size(v, o.level, int(k), loc);
          if (s[k].kind() == Size::symbol && now.kind() == Size::plain && now.number() != 1) s[k] = Size(o.sizes[k]);
        }
        v = core::view_expand(v, o.level, s.data(), s.size(), loc);
        break;
      }
      case Operation::squeeze:
        v = core::view_squeeze(v, o.level, o.dims.data(), o.dims.size(), loc);
        break;
      case Operation::unsqueeze:
        v = core::view_unsqueeze(v, o.level, o.dims[0], loc);
        break;
      case Operation::permute:
        v = core::view_permute(v, o.level, o.dims.data(), o.dims.size(), loc);
        break;
      case Operation::flatten:
        v = core::view_flatten(v, o.level, o.dims[0], o.dims[1], loc);
        break;
      case Operation::ravel:
        v = core::view_ravel(v, o.level, loc);
        break;
      case Operation::pad: {
        std::vector<Pad> p;
        for (std::size_t k = 0; k < o.before.size(); ++k) p.push_back({o.before[k], o.after[k]});
        v = core::view_pad(v, o.level, p.data(), p.size(), loc);
        break;
      }
      case Operation::slice: {
        std::vector<core::Index> items;
        for (const auto& i : o.items) {
          core::Index x;
          x.kind = i.kind == Operation::Item::integer    ? core::Index::integer
                   : i.kind == Operation::Item::newaxis  ? core::Index::newaxis
                   : i.kind == Operation::Item::ellipsis ? core::Index::ellipsis
                                                         : core::Index::slice;
          x.has_start = i.start.has_value();
          x.has_stop = i.stop.has_value();
          if (i.start) x.start = *i.start;
          if (i.stop) x.stop = *i.stop;
          x.step = i.step;
          items.push_back(x);
        }
        v = core::view_slice(v, o.level, items.data(), items.size(), loc);
        break;
      }
    }
  }
  return v;
}

}  // namespace tine::fuzz
