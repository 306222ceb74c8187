// Names of the `BlockSize` members of a kernel, in C++20 and without macros. A structured binding gives pointers to the
// members of an object that exists in name only; a pointer as template argument prints as `fake<K>.v.bm`.
// Where C++ gives no access (private members, constructors, arrays among the members) the core numbers them: b0, b1, ...
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tine/detail/api.hpp"

namespace tine::detail {

constexpr int max_members = 16;

struct Anything {
  template <class T> operator T() const;
};
template <class K, class... A> concept braced = requires { K{A{}...}; };
template <class K, class... A>
constexpr int count_fields() {
  if constexpr (sizeof...(A) > max_members) return -1;
  else if constexpr (braced<K, A..., Anything>) return count_fields<K, A..., Anything>();
  else return int(sizeof...(A));
}
// An array among the members takes several initialisers where braces are left out, so the count is not that of members:
// with braces around initialiser I the rest would be too many.
template <class K, std::size_t... Before, std::size_t... After>
constexpr bool one_member(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires { K{(void(Before), Anything{})..., {Anything{}}, (void(After), Anything{})...}; };
}
template <class K, int N, std::size_t... I>
constexpr bool plain_members(std::index_sequence<I...>) {
  return (one_member<K>(std::make_index_sequence<I>{}, std::make_index_sequence<std::size_t(N) - 1 - I>{}) && ...);
}

// The base class of an aggregate is what its first initialiser converts to; a friend defined on the way remembers it.
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <class K> struct BaseSlot { friend constexpr auto base_of(BaseSlot); };
#pragma GCC diagnostic pop
template <class K, class B> struct BaseWriter {
  friend constexpr auto base_of(BaseSlot<K>) { return static_cast<const B*>(nullptr); }
  static constexpr bool done = true;
};
template <class K> struct AnyBase {
  template <class B>
    requires(std::is_base_of_v<B, K> && !std::is_same_v<B, K> && BaseWriter<K, B>::done)
  operator B() const;
};
template <class K> concept has_base = requires { K{AnyBase<K>{}}; };

// Named in constant expressions only, so that it needs no definition.
#pragma GCC diagnostic push
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wundefined-internal"
#pragma GCC diagnostic ignored "-Wundefined-var-template"
#endif
template <class K> struct Wrapped { K v; };
template <class K> extern const Wrapped<K> fake;

// Calls f(member...) with the members of k.
template <int N, class K, class F>
constexpr decltype(auto) with_members(K& k, F&& f) {
  if constexpr (N == 1) { auto& [a] = k; return f(a); }
  else if constexpr (N == 2) { auto& [a, b] = k; return f(a, b); }
  else if constexpr (N == 3) { auto& [a, b, c] = k; return f(a, b, c); }
  else if constexpr (N == 4) { auto& [a, b, c, d] = k; return f(a, b, c, d); }
  else if constexpr (N == 5) { auto& [a, b, c, d, e] = k; return f(a, b, c, d, e); }
  else if constexpr (N == 6) { auto& [a, b, c, d, e, g] = k; return f(a, b, c, d, e, g); }
  else if constexpr (N == 7) { auto& [a, b, c, d, e, g, h] = k; return f(a, b, c, d, e, g, h); }
  else if constexpr (N == 8) { auto& [a, b, c, d, e, g, h, i] = k; return f(a, b, c, d, e, g, h, i); }
  else if constexpr (N == 9) { auto& [a, b, c, d, e, g, h, i, j] = k; return f(a, b, c, d, e, g, h, i, j); }
  else if constexpr (N == 10) { auto& [a, b, c, d, e, g, h, i, j, l] = k; return f(a, b, c, d, e, g, h, i, j, l); }
  else if constexpr (N == 11) { auto& [a, b, c, d, e, g, h, i, j, l, m] = k; return f(a, b, c, d, e, g, h, i, j, l, m); }
  else if constexpr (N == 12) { auto& [a, b, c, d, e, g, h, i, j, l, m, n] = k; return f(a, b, c, d, e, g, h, i, j, l, m, n); }
  else if constexpr (N == 13) { auto& [a, b, c, d, e, g, h, i, j, l, m, n, o] = k; return f(a, b, c, d, e, g, h, i, j, l, m, n, o); }
  else if constexpr (N == 14) { auto& [a, b, c, d, e, g, h, i, j, l, m, n, o, p] = k; return f(a, b, c, d, e, g, h, i, j, l, m, n, o, p); }
  else if constexpr (N == 15) { auto& [a, b, c, d, e, g, h, i, j, l, m, n, o, p, q] = k; return f(a, b, c, d, e, g, h, i, j, l, m, n, o, p, q); }
  else { auto& [a, b, c, d, e, g, h, i, j, l, m, n, o, p, q, r] = k; return f(a, b, c, d, e, g, h, i, j, l, m, n, o, p, q, r); }
}

struct Text {
  const char* begin;
  std::size_t length;
};
// The last name in "... [with auto P = (& fake<K>.tine::detail::Wrapped<K>::v.K::bm)]" or "... [P = &fake<K>.v.bm]".
constexpr Text last_name(const char* s) {
  std::size_t end = 0;
  while (s[end]) ++end;
  while (end > 0 && (s[end - 1] == ')' || s[end - 1] == ']' || s[end - 1] == '}')) --end;
  std::size_t begin = end;
  while (begin > 0 && s[begin - 1] != '.' && s[begin - 1] != ':' && s[begin - 1] != '>') --begin;
  return {s + begin, end - begin};
}
template <auto P>
constexpr Text member_name() {
  return last_name(__PRETTY_FUNCTION__);
}

template <class K, int I, int N>
constexpr auto member_pointer() {
  return with_members<N>(fake<K>.v, [](auto&... m) {
    const BlockSize* p = nullptr;
    int at = 0;
    auto one = [&](auto& x) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, BlockSize>)
        if (at == I) p = &x;
      ++at;
    };
    (one(m), ...);
    return p;
  });
}
#pragma GCC diagnostic pop

/// Fills in the block sizes of `part` (the kernel or its base), which lies within the object at `kernel`.
template <class P, int N>
int name_members(const void* kernel, const P& part, core::Member* out) {
  int n = 0;
  with_members<N>(part, [&](auto&... m) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto one = [&]<std::size_t Q, class M>(std::integral_constant<std::size_t, Q>, M& x) {
        if constexpr (std::is_same_v<std::remove_cv_t<M>, BlockSize>) {
          constexpr Text t = member_name<member_pointer<P, int(Q), N>()>();
          out[n++] = {std::size_t(reinterpret_cast<const char*>(&x) - static_cast<const char*>(kernel)), t.begin, t.length};
        }
      };
      (one(std::integral_constant<std::size_t, I>{}, m), ...);
    }(std::make_index_sequence<sizeof...(m)>{});
  });
  return n;
}

template <class K>
constexpr int bindable_members() {
  if constexpr (std::is_aggregate_v<K> && !std::is_empty_v<K> && !has_base<K>) {
    constexpr int n = count_fields<K>();
    if constexpr (n > 0)
      if constexpr (plain_members<K, n>(std::make_index_sequence<std::size_t(n)>{})) return n;
  }
  return 0;
}

struct Members {
  core::Member member[max_members];
  int count = 0;
  bool complete = false;  // all block sizes are among them
};
template <class K>
Members members_of(const K& k) {
  Members m;
  if constexpr (std::is_empty_v<K>) {
    m.complete = true;
  } else if constexpr (constexpr int n = bindable_members<K>(); n > 0) {
    m.count = name_members<K, n>(&k, k, m.member);
    m.complete = true;
  } else if constexpr (std::is_aggregate_v<K>) {
    if constexpr (has_base<K>) {  // C++ binds the members of one class only: the base's
      using B = std::remove_cv_t<std::remove_pointer_t<decltype(base_of(BaseSlot<K>{}))>>;
      constexpr int b = bindable_members<B>();
      if constexpr (b > 0) m.count = name_members<B, b>(&k, static_cast<const B&>(k), m.member);
    }
  }
  return m;
}

}  // namespace tine::detail
