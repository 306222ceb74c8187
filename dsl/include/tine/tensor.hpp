// Arranged tensors: the parameters of an arrangement and the meta-operations on them. The C++ type holds the element type
// and the rank of each level, outermost first; all else is in the core. Operations are values: they leave their operand alone.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tine/detail/api.hpp"

namespace tine {

/// `level<0>` is the outermost level (the default of every meta-operation), `level<-1>` the innermost.
template <int L> struct Level {};
template <int L> inline constexpr Level<L> level{};

/// `dims<A, B>`: the dims from A up to B, exclusive; `dims<A>`: to the last. Negative ones count from the end.
template <int A, int B> struct DimRange {};
inline constexpr int to_end = 1 << 20;
template <int A, int B = to_end> inline constexpr DimRange<A, B> dims{};

/// In slices: a new dim of size 1; as many whole dims as are left.
struct NewAxis {};
struct Ellipsis {};
inline constexpr NewAxis newaxis{};
inline constexpr Ellipsis ellipsis{};
/// In `slice`: Python's None.
struct None {};
inline constexpr None none{};

namespace detail {
using core::Index;

inline void slice_start(Index&, None) {}
inline void slice_start(Index& x, const Size& s) { x.has_start = true, x.start = s; }
inline void slice_stop(Index&, None) {}
inline void slice_stop(Index& x, const Size& s) { x.has_stop = true, x.stop = s; }
struct Slice {
  Index index;
};
}  // namespace detail

/// Python's slices: `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`; start and stop may be `none`.
template <class B>
detail::Slice slice(const B& stop) {
  detail::Slice s;
  detail::slice_stop(s.index, stop);
  return s;
}
template <class A, class B>
detail::Slice slice(const A& start, const B& stop, int64_t step = 1) {
  detail::Slice s;
  detail::slice_start(s.index, start);
  detail::slice_stop(s.index, stop);
  s.index.step = step;
  return s;
}

template <class T, int... R> class Arranged;
template <class T> class Scalar;

namespace detail {

constexpr int max_levels = 8;
struct Ranks {
  int n;
  int v[max_levels];
};
constexpr int level_index(Ranks r, int l) { return l < 0 ? l + r.n : l; }
constexpr bool has_level(Ranks r, int l) { return level_index(r, l) >= 0 && level_index(r, l) < r.n; }
constexpr int rank_at(Ranks r, int l) { return has_level(r, l) ? r.v[level_index(r, l)] : -1; }
constexpr Ranks tiled(Ranks r, int l) {
  l = level_index(r, l);
  for (int i = r.n < max_levels ? r.n : max_levels - 1; i > l; --i) r.v[i] = r.v[i - 1];
  ++r.n;
  return r;
}
constexpr Ranks widened(Ranks r, int l, int by) {
  if (has_level(r, l)) r.v[level_index(r, l)] += by;
  return r;
}
constexpr Ranks raveled(Ranks r, int l) {
  l = level_index(r, l);
  for (int i = l + 1; i < r.n; ++i) r.v[l] += r.v[i], r.v[i] = 0;
  r.n = l + 1;
  return r;
}

inline Index item(const Slice& s) { return s.index; }
inline Index item(Whole) { return {}; }
inline Index item(NewAxis) {
  Index x;
  x.kind = Index::newaxis;
  return x;
}
inline Index item(Ellipsis) {
  Index x;
  x.kind = Index::ellipsis;
  return x;
}
inline Index item(const Size& i) {
  Index x;
  x.kind = Index::integer;
  x.start = i;
  return x;
}
template <class I> inline constexpr bool is_integer_item = std::is_convertible_v<I, Size> && !std::is_same_v<I, Whole>;
template <class I>
inline constexpr bool is_item = is_integer_item<I> || std::is_same_v<I, Slice> || std::is_same_v<I, Whole> ||
                                std::is_same_v<I, NewAxis> || std::is_same_v<I, Ellipsis>;
template <class I> constexpr int rank_change = std::is_same_v<I, NewAxis> ? 1 : is_integer_item<I> ? -1 : 0;
template <class I> constexpr int dims_used = std::is_same_v<I, NewAxis> || std::is_same_v<I, Ellipsis> ? 0 : 1;

template <class T, Ranks R, std::size_t... I>
Arranged<T, R.v[I]...> arranged(int32_t v, std::index_sequence<I...>) {
  return Arranged<T, R.v[I]...>(v);
}

}  // namespace detail

#define TINE_LEVEL(L)                                     \
  constexpr bool level_there = detail::has_level(ranks, L); \
  static_assert(level_there, "tine: this tensor has no such level; level<0> is the outermost")

/// A tensor seen as nested levels. `R...` are the ranks of the levels, outermost first.
template <class T, int... R>
class Arranged {
  static_assert(detail::is_element<T> || sizeof...(R) != 1, "tine: this is not an element type; there are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64 and the f8 types");

 public:
  static constexpr detail::Ranks ranks{int(sizeof...(R)), {R...}};
  using element = T;

  constexpr Arranged() = default;  ///< a parameter of `make(arrangement, application, parameters...)`
  explicit constexpr Arranged(int32_t v) : view(v) {}

  /// Splits a level of shape S into O of T. Per dim, with size T, stride s and dilation d:
  /// O = max(0, div(S - d*(T-1) - 1, s) + 1), rounding up (`Mode::ceil`) or down; element (o, i) is o*s + i*d.
  template <std::size_t N, int L = 0>
  auto tile(const Size (&sizes)[N], Level<L> = {}, Loc loc = Loc::here()) const {
    return tile(sizes, TileOptions{}, level<L>, loc);
  }
  template <std::size_t N, int L = 0>
  auto tile(const Size (&sizes)[N], TileOptions options, Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    constexpr bool sizes_fit = int(N) == detail::rank_at(ranks, L) || !detail::has_level(ranks, L), room = sizeof...(R) < detail::max_levels;
    static_assert(sizes_fit, "tine: tile needs one size for each dim of the level that it tiles");
    static_assert(room, "tine: a tensor has at most 8 levels");
    if constexpr (room) return made<detail::tiled(ranks, L)>(core::view_tile(view, L, sizes, N, options, loc));
    else return *this;
  }
  /// Repeats dims of size 1. `keep` (or -1) leaves a dim alone.
  template <std::size_t N, int L = 0>
  Arranged expand(const Size (&shape)[N], Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    constexpr bool fits = int(N) == detail::rank_at(ranks, L);
    static_assert(fits, "tine: expand needs one size for each dim of the level");
    return derived(core::view_expand(view, L, shape, N, loc));
  }
  /// Drops dims of size 1.
  template <std::same_as<int> I, int L = 0>  // a template, so that squeeze({0}) is not ambiguous
  auto squeeze(I dim, Level<L> = {}, Loc loc = Loc::here()) const {
    const int d[] = {dim};
    return squeeze(d, level<L>, loc);
  }
  template <std::size_t N, int L = 0>
  auto squeeze(const int (&dims)[N], Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    constexpr bool fits = detail::rank_at(ranks, L) >= int(N) || !detail::has_level(ranks, L);
    static_assert(fits, "tine: squeeze drops more dims than the level has");
    return made<detail::widened(ranks, L, fits ? -int(N) : 0)>(core::view_squeeze(view, L, dims, N, loc));
  }
  /// Inserts a dim of size 1, which becomes dim `dim`.
  template <int L = 0>
  auto unsqueeze(int dim, Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    return made<detail::widened(ranks, L, 1)>(core::view_unsqueeze(view, L, dim, loc));
  }
  /// Dim k of the result is dim order[k].
  template <std::size_t N, int L = 0>
  Arranged permute(const int (&order)[N], Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    constexpr bool fits = int(N) == detail::rank_at(ranks, L);
    static_assert(fits, "tine: permute names each dim of the level once");
    return derived(core::view_permute(view, L, order, N, loc));
  }
  /// Joins neighbouring dims into one, row-major.
  template <int A = 0, int B = to_end, int L = 0>
  auto flatten(DimRange<A, B> = {}, Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    constexpr int n = detail::rank_at(ranks, L), start = A < 0 ? A + n : A, end = B == to_end ? n : B < 0 ? B + n : B;
    constexpr bool fits = start >= 0 && start < end && end <= n;
    static_assert(fits, "tine: flatten joins a range of dims that is empty or not there; dims<0, 2> are dims 0 and 1");
    return made<detail::widened(ranks, L, fits ? 1 - (end - start) : 0)>(core::view_flatten(view, L, start, end, loc));
  }
  template <int L>
  auto flatten(Level<L>, Loc loc = Loc::here()) const {
    return flatten(dims<0>, level<L>, loc);
  }
  /// Joins this level and all below into one level.
  template <int L = 0>
  auto ravel(Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    return made<detail::raveled(ranks, L)>(core::view_ravel(view, L, loc));
  }
  /// Adds elements that are out of range before and after each dim; negative amounts crop.
  template <std::size_t N, int L = 0>
  Arranged pad(const Pad (&amounts)[N], Level<L> = {}, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    constexpr bool fits = int(N) == detail::rank_at(ranks, L);
    static_assert(fits, "tine: pad needs one {before, after} for each dim of the level");
    return derived(core::view_pad(view, L, amounts, N, loc));
  }

  /// Slices with Python's rules: integers, `slice(...)`, `whole`, `newaxis`, `ellipsis`; a last `level<L>` names the level.
  // One overload for each count: a place in the source cannot follow a pack.
#define TINE_ITEMS(PARAMETERS, ...)                                                       \
  template <TINE_CLASSES_##PARAMETERS>                                                    \
  auto operator()(TINE_ARGS_##PARAMETERS, Loc loc = Loc::here()) const {                  \
    return sliced<0>(loc, __VA_ARGS__);                                                   \
  }                                                                                       \
  template <TINE_CLASSES_##PARAMETERS, int L>                                             \
  auto operator()(TINE_ARGS_##PARAMETERS, Level<L>, Loc loc = Loc::here()) const {        \
    return sliced<L>(loc, __VA_ARGS__);                                                   \
  }
#define TINE_CLASSES_1 class I1
#define TINE_CLASSES_2 TINE_CLASSES_1, class I2
#define TINE_CLASSES_3 TINE_CLASSES_2, class I3
#define TINE_CLASSES_4 TINE_CLASSES_3, class I4
#define TINE_CLASSES_5 TINE_CLASSES_4, class I5
#define TINE_CLASSES_6 TINE_CLASSES_5, class I6
#define TINE_ARGS_1 const I1& a
#define TINE_ARGS_2 TINE_ARGS_1, const I2& b
#define TINE_ARGS_3 TINE_ARGS_2, const I3& c
#define TINE_ARGS_4 TINE_ARGS_3, const I4& d
#define TINE_ARGS_5 TINE_ARGS_4, const I5& e
#define TINE_ARGS_6 TINE_ARGS_5, const I6& f
  TINE_ITEMS(1, a)
  TINE_ITEMS(2, a, b)
  TINE_ITEMS(3, a, b, c)
  TINE_ITEMS(4, a, b, c, d)
  TINE_ITEMS(5, a, b, c, d, e)
  TINE_ITEMS(6, a, b, c, d, e, f)
#undef TINE_ITEMS

  /// What out-of-range lanes load: a number, 0 by default.
  template <class X>
    requires std::is_arithmetic_v<X>
  Arranged other(X value, Loc loc = Loc::here()) const {
    core::Operand o{std::is_floating_point_v<X> ? core::Operand::real : core::Operand::integer, detail::dtype_of<T>::value};
    if constexpr (std::is_floating_point_v<X>) o.real_value = static_cast<double>(value);
    else o.integer_value = static_cast<int64_t>(value);
    return derived(core::view_other(view, o, loc));
  }

  /// Size of a dim of a level, in elements of that level.
  Size size(int dim, Loc loc = Loc::here()) const { return core::view_size(view, 0, dim, loc); }
  template <int L>
  Size size(int dim, Level<L>, Loc loc = Loc::here()) const {
    TINE_LEVEL(L);
    return core::view_size(view, L, dim, loc);
  }

  int32_t view = -1;  // for the core

 private:
  Arranged derived(int32_t v) const { return Arranged(v); }
  template <detail::Ranks N>
  static auto made(int32_t v) {
    return detail::arranged<T, N>(v, std::make_index_sequence<std::size_t(N.n)>{});
  }
  template <int L, class... I>
  auto sliced(Loc loc, const I&... items) const {
    TINE_LEVEL(L);
    constexpr bool items_fit = (detail::is_item<I> && ...), dims_fit = (0 + ... + detail::dims_used<I>) <= detail::rank_at(ranks, L);
    static_assert(items_fit, "tine: a slice takes integers, nt::slice(...), nt::whole, nt::newaxis and nt::ellipsis");
    static_assert(dims_fit || !items_fit, "tine: more indices than dims");
    if constexpr (items_fit && dims_fit) {
      const core::Index x[] = {detail::item(items)...};
      return made<detail::widened(ranks, L, (0 + ... + detail::rank_change<I>))>(core::view_slice(view, L, x, sizeof...(I), loc));
    } else {
      return *this;
    }
  }
};
#undef TINE_LEVEL

/// A parameter of an arrangement: a tensor of N dims.
template <class T, int N>
using Tensor = Arranged<T, N>;

/// A parameter of an arrangement: a number passed by value. It is returned from the arrangement as it is.
template <class T>
class Scalar {
  static_assert(detail::is_element<T>, "tine: this is not an element type; there are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64 and the f8 types");

 public:
  using element = T;
  constexpr Scalar() = default;
  explicit constexpr Scalar(int32_t v) : view(v) {}
  int32_t view = -1;  // for the core: -1 - source
};

}  // namespace tine
