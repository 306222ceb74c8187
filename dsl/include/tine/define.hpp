// From a kernel type to a `core::Definition`, which the run time and the tools hold.
//
// A kernel is a type with
//   auto arrangement(nt::Tensor<T, 2> a, nt::Scalar<float> s, ...) const;   returns a std::tuple of arranged parameters
//   void application(auto a, auto s, ...) const;                            serial code on one program's tiles
//   static constexpr auto names = nt::names("a", "s", ...);                 optional
// and members that are meta-parameters (`nt::BlockSize`) or constants.
#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tine/detail/members.hpp"
#include "tine/tile.hpp"

namespace tine {

/// Names of the parameters, for messages, tools and C headers.
template <int N>
struct Names {
  const char* name[N > 0 ? N : 1];
  static constexpr int count = N;
};
template <class... S>
constexpr Names<int(sizeof...(S))> names(const S&... s) {
  static_assert((std::is_convertible_v<const S&, const char*> && ...), "tine: names takes string literals");
  return {{s...}};
}

namespace detail {

template <class X>
struct source_traits {
  static constexpr bool valid = false;
};
template <class T, int N>
struct source_traits<Arranged<T, N>> {
  static constexpr bool valid = true;
  static constexpr core::SourceType type{dtype_of<T>::value, N};
};
template <class T>
struct source_traits<Scalar<T>> {
  static constexpr bool valid = true;
  static constexpr core::SourceType type{dtype_of<T>::value, 0};
};

template <class F>
struct signature {
  static constexpr bool valid = false;
  template <std::size_t>
  using parameter = void;
};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) const> {
  static constexpr bool valid = true;
  using result = R;
  static constexpr int count = int(sizeof...(A));
  static constexpr bool sources = (source_traits<std::remove_cvref_t<A>>::valid && ...);
  using indices = std::index_sequence_for<A...>;
  template <std::size_t I>
  using parameter = std::remove_cvref_t<std::tuple_element_t<I, std::tuple<A...>>>;
  template <class K, std::size_t... I>
  static R call(const K& k, std::index_sequence<I...>) {
    return k.arrangement(source<std::remove_cvref_t<A>>(int(I))...);
  }
  template <class S>
  static S source(int i) {
    if constexpr (source_traits<S>::type.rank > 0)
      return S(core::view_source(i, source_traits<S>::type.rank));
    else
      return S(-1 - i);
  }
};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) const noexcept> : signature<R (C::*)(A...) const> {};

}  // namespace detail

/// What the caller of a kernel passes, known to C++: the number of sources, and of each its element type and rank (0:
/// scalar).
template <class K>
struct kernel_traits {
 private:
  static constexpr bool one_arrangement = requires { &K::arrangement; };
  static_assert(one_arrangement,
                "tine: a kernel has one member function `arrangement`, not overloaded and not a template");
  static auto probe() {
    if constexpr (one_arrangement)
      return detail::signature<decltype(&K::arrangement)>{};
    else
      return detail::signature<void>{};
  }

 public:
  using signature = decltype(probe());

 private:
  static_assert(signature::valid || !one_arrangement, "tine: `arrangement` is a const member function");
  static constexpr bool sources_valid() {
    if constexpr (signature::valid)
      return signature::sources;
    else
      return false;
  }

 public:
  static constexpr bool valid = sources_valid();
  static_assert(valid || !signature::valid,
                "tine: the parameters of `arrangement` are nt::Tensor<T, N> and nt::Scalar<T>");

 private:
  static auto probe_result() {
    if constexpr (valid)
      return std::type_identity<typename signature::result>{};
    else
      return std::type_identity<void>{};
  }
  static constexpr int count_sources() {
    if constexpr (valid)
      return signature::count;
    else
      return 0;
  }

 public:
  using result = typename decltype(probe_result())::type;  ///< of the arrangement; void if the kernel was refused
  static constexpr int count = count_sources();
  /// The C++ parameter type, nt::Tensor<T, N> or nt::Scalar<T>.
  template <int I>
  using parameter = typename signature::template parameter<std::size_t(I)>;

  struct List {
    core::SourceType source[count > 0 ? count : 1];
  };

 private:
  template <std::size_t... I>
  static constexpr List list_of(std::index_sequence<I...>) {
    List l{};
    ((l.source[I] = detail::source_traits<parameter<int(I)>>::type), ...);
    return l;
  }

 public:
  static constexpr List list = list_of(std::make_index_sequence<std::size_t(count)>{});
  static constexpr core::SourceType source(int i) { return list.source[i]; }
  static constexpr DType dtype(int i) { return list.source[i].type; }
  static constexpr int rank(int i) { return list.source[i].rank; }
};

namespace detail {

template <class V>
struct arranged_traits {
  static constexpr bool valid = false;
  static constexpr int outer = 0;
};
template <class T, int R0, int... R>
struct arranged_traits<Arranged<T, R0, R...>> {
  static constexpr bool valid = true;
  static constexpr int outer = R0;
  using parameter = Parameter<T, R...>;
};
template <class T>
struct arranged_traits<Scalar<T>> {
  static constexpr bool valid = true;
  static constexpr int outer = 0;
  using parameter = ScalarParameter<T>;
};
template <class... V>
constexpr bool same_outer_rank() {
  int rank = 0;
  bool ok = true;
  for (int r : {arranged_traits<V>::outer..., 0}) {
    if (r == 0) continue;
    ok = ok && (rank == 0 || rank == r);
    rank = r;
  }
  return ok;
}

template <class P>
P parameter(std::size_t i) {
  return P(Made{}, core::parameter(int(i)));
}
// One argument of an application: made in the call, so that `auto c` is the parameter itself and no copy of it, or taken
// from the tuple, for `auto& c`.
template <bool made, class P>
decltype(auto) argument(P& kept, std::size_t i) {
  if constexpr (made)
    return parameter<P>(i);
  else
    return (kept);
}

// Runs a kernel whose arrangement returns R. A class, so that little stands between the user's line and ours in
// messages.
template <class K, class R, class I = void>
struct Runner {
  static void run(const void*) {
    static_assert(never<K>,
                  "tine: arrangement returns a std::tuple of arranged tensors and scalars, also when there is one");
  }
};
template <class K>
struct Runner<K, void, void> {  // refused already
  static void run(const void*) {}
};
template <class K, class... V, std::size_t... I>
struct Runner<K, std::tuple<V...>, std::index_sequence<I...>> {
  static constexpr bool views = (arranged_traits<V>::valid && ...), ranks = same_outer_rank<V...>();
  static void run(const void* kernel) {
    static_assert(views,
                  "tine: arrangement returns a std::tuple of arranged tensors and scalars, also when there is one");
    static_assert(ranks, "tine: the outermost levels of all arranged parameters must have the same rank");
    if constexpr (views && ranks) {
      using S = typename kernel_traits<K>::signature;
      const K& k = *static_cast<const K*>(kernel);
      std::tuple<V...> arranged = S::call(k, typename S::indices{});
      const int32_t numbers[] = {std::get<I>(arranged).view..., 0};
      if (!core::arranged(numbers, int(sizeof...(V)))) return;
      if constexpr (requires { k.application(parameter<typename arranged_traits<V>::parameter>(I)...); }) {
        k.application(parameter<typename arranged_traits<V>::parameter>(I)...);
      } else {
        std::tuple<typename arranged_traits<V>::parameter...> p(
            parameter<typename arranged_traits<V>::parameter>(I)...);
        constexpr bool fits = requires { k.application(std::get<I>(p)...); };
        constexpr bool lacks_const = !fits && requires(K & m) { m.application(std::get<I>(p)...); };
        static_assert(!lacks_const, "tine: `application` is a const member function");
        static_assert(fits || lacks_const,
                      "tine: application takes as many parameters as arrangement returns, in that order");
        if constexpr (fits) k.application(argument<by_value<K, I>>(std::get<I>(p), I)...);
      }
    }
  }
  // Whether application takes parameter `at` by value (or by const reference): an `auto&` does not bind to what is made in
  // the call.
  template <class Q, std::size_t at>
  static constexpr bool by_value = requires(const Q& k, std::tuple<typename arranged_traits<V>::parameter...>& p) {
    k.application(argument<I == at>(std::get<I>(p), I)...);
  };
};
template <class R>
struct result_indices {
  using type = void;
};
template <class... V>
struct result_indices<std::tuple<V...>> {
  using type = std::index_sequence_for<V...>;
};

template <class K>
void destroy(const void* kernel) {
  delete static_cast<const K*>(kernel);
}

template <class K>
constexpr const char* const* names_of() {
  if constexpr (requires { K::names.name; }) {
    static_assert(int(K::names.count) == kernel_traits<K>::count,
                  "tine: `names` gives one name for each parameter of `arrangement`");
    return K::names.name;
  } else {
    return nullptr;
  }
}
template <class K>
const char* pretty() {
  return __PRETTY_FUNCTION__;
}

}  // namespace detail

/// Copies the kernel into a definition with one reference, which the caller releases (`core::release`).
template <class K>
core::Definition* define(const K& kernel) {
  using Traits = kernel_traits<K>;
  using Run =
      detail::Runner<K, typename Traits::result, typename detail::result_indices<typename Traits::result>::type>;
  const K* copy = new K(kernel);
  detail::Members m = detail::members_of(*copy);
  return core::define({copy, sizeof(K), &Run::run, detail::destroy<K>, detail::pretty<K>(), Traits::list.source,
                       Traits::count, detail::names_of<K>(), m.member, m.count, m.complete});
}

/// A kernel from an arrangement and an application, which are functions or lambdas, in NineToothed's style.
/// Block sizes that the arrangement captures by value are its meta-parameters.
template <class Arrangement, class Application, class... P>
struct Composed {
  Arrangement arrange;
  Application apply;
  Composed(const Arrangement& a, const Application& b) : arrange(a), apply(b) {}
  auto arrangement(P... p) const { return arrange(p...); }
  template <class... A>
  requires std::is_invocable_v<const Application&, A...>
  void application(A&&... a) const { apply(static_cast<A&&>(a)...); }
};
template <class Arrangement, class Application, class... P>
Composed<Arrangement, Application, P...> compose(const Arrangement& arrangement, const Application& application,
                                                 const P&...) {
  return {arrangement, application};
}

}  // namespace tine
