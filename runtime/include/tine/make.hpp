// From a kernel to something that can be called:
//
//   auto add = tine::make(Add<float>{});
//   add(a, b, c);                          // views, or anything that `tine::view` takes; numbers for scalar parameters
//   add.set("bm", 128).threads(4);         // a meta-parameter, compile options, the number of threads
//
// The C++ compiler checks the number of arguments, their element types and ranks; `make` traces the kernel and throws a
// UserError if it is wrong; a call throws a UserError, located in the kernel, if sizes or data do not fit. The first
// call of each specialisation compiles. Calls and copies of one callable may run on many threads at once; `set`,
// `option`, `threads` and `device` may not run beside them. On the CPU a call returns when all programs have ended; for
// GPUs see tine/device.hpp.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tine/define.hpp"
#include "tine/host.hpp"
#include "tine/narrow.hpp"
#include "tine/view.hpp"

namespace tine {
namespace detail {

// A scalar argument: its value in the parameter's type.
template <class T> struct Number {
  T value;
  Argument argument() const {
    Argument a;
    a.type = static_cast<uint8_t>(dtype<T>);
    __builtin_memcpy(&a.scalar, &value, sizeof value);
    return a;
  }
};

template <class T> constexpr int number_kind = std::is_same_v<T, bool> ? 0 : std::is_integral_v<T> ? 1 : 2;

template <class T, class X> Number<T> number(const host::KernelState* kernel, int source, const X& x) {
  constexpr bool arithmetic = std::is_arithmetic_v<X>;
  static_assert(arithmetic || std::is_same_v<X, T>, "tine: this parameter is a scalar; pass a number");
  if constexpr (std::is_same_v<X, T>) {
    return {x};
  } else if constexpr (narrow_float<T>) {
    if constexpr (arithmetic) return {from_float<T>(static_cast<double>(x))};
  } else if constexpr (arithmetic) {
    static_assert(number_kind<X> <= number_kind<T>,
                  "tine: a scalar parameter takes no number of a higher kind (bool < integer < float); convert it");
    const T value = static_cast<T>(x);
    if constexpr (number_kind<T> < 2)
      if (static_cast<X>(value) != x || (value < T{}) != (x < X{}))
        host::fail_scalar_range(kernel, source, static_cast<long double>(x));
    return {value};
  } else {
    return {};
  }
}

template <class D>
concept dlpack = dlpack_tensor<D> || dlpack_managed<D>;
template <class X>
concept viewable = requires(X& x) {
  view(x);
};

// An argument as a view of the parameter's type and rank.
template <class T, int R, class X> auto tensor(X& x) {
  constexpr bool known = dlpack<std::remove_const_t<X>> || viewable<X>;
  static_assert(known, "tine: this argument is no tensor; pass a tine::view, a container, an mdspan or a DLTensor");
  if constexpr (dlpack<std::remove_const_t<X>>) {
    return from_dlpack<T, R>(x);
  } else if constexpr (known) {
    const auto v = view(x);
    using V = std::remove_const_t<decltype(v)>;
    static_assert(std::is_same_v<std::remove_const_t<typename V::element>, T>,
                  "tine: the elements of this argument have not the type of the kernel's parameter");
    static_assert(V::rank == R,
                  "tine: this argument has not the rank of the kernel's parameter; for a container, say tine::view(v, "
                  "{rows, columns})");
    return v;
  } else {
    return Number<int32_t>{};
  }
}

template <class P> struct parameter_element;
template <class T, int... R> struct parameter_element<Arranged<T, R...>> { using type = T; };
template <class T> struct parameter_element<Scalar<T>> { using type = T; };

}  // namespace detail

/// A kernel that can be called. Copies have options of their own from then on.
template <class K> class Kernel {
 public:
  explicit Kernel(const K& kernel) : state_(host::create(define(kernel))) {}
  Kernel(const Kernel& o) : state_(host::copy(o.state_)) {}
  Kernel(Kernel&& o) noexcept : state_(std::exchange(o.state_, nullptr)) {}
  Kernel& operator=(Kernel o) noexcept { return std::swap(state_, o.state_), *this; }
  ~Kernel() { host::destroy(state_); }

  /// Runs all programs. Tensors may overlap.
  template <class... A> void operator()(A&&... arguments) const { with(host::call, arguments...); }
  /// `kernel.on(stream)(a, b, c)`: the same in the order of a stream of the kernel's device.
  auto on(const Stream& stream) const { return OnStream{*this, stream.gpu(), stream.handle()}; }
  /// How many programs a call would run; checks the sizes.
  template <class... A> int64_t programs(A&&... arguments) const { return with(host::programs, arguments...); }

  /// Sets a meta-parameter, by the name of the member.
  Kernel& set(const char* meta_parameter, int64_t value) {
    return host::set_meta(state_, meta_parameter, value), *this;
  }
  /// Sets a compile option; "" goes back to its default.
  Kernel& option(const char* key, const char* value) { return host::set_option(state_, key, value), *this; }
  /// Threads that run the programs of one call, the caller's included; 0: TINE_NUM_THREADS, else one for each CPU.
  Kernel& threads(int count) { return host::set_threads(state_, count), *this; }
  /// "cpu", "cuda", "cuda:1", "emulated:sm_80"; a RuntimeError where that cannot be used. By default what TINE_DEVICE
  /// says, else the CPU.
  Kernel& device(const char* name) { return host::set_device(state_, name), *this; }
  /// "bm=64 bn=128": the meta-parameters in use; valid until the next `set`.
  const char* config() const { return host::config(state_); }
  host::KernelState* state() const { return state_; }

 private:
  using Traits = kernel_traits<K>;

  struct OnStream {
    const Kernel& kernel;
    host::Gpu* gpu;
    void* stream;
    template <class... A> void operator()(A&&... arguments) const {
      kernel.with([this](const host::KernelState* k, const Argument* list, std::size_t count) {
        host::call_on(k, list, count, gpu, stream);
      }, arguments...);
    }
  };

  template <class F, class... A> auto with(const F& function, A&... arguments) const {
    constexpr bool count = sizeof...(A) == std::size_t(Traits::count);
    static_assert(count, "tine: the kernel takes another number of arguments: one for each parameter of `arrangement`");
    if constexpr (count)
      return convert(function, std::index_sequence_for<A...>{}, arguments...);
    else
      return decltype(function(state_, nullptr, 0))();
  }
  template <class F, std::size_t... I, class... A>
  auto convert(const F& function, std::index_sequence<I...>, A&... a) const {
    return run(function, one<int(I)>(a)...);
  }
  template <int I, class A> auto one(A& a) const {
    using T = typename detail::parameter_element<typename Traits::template parameter<I>>::type;
    if constexpr (Traits::rank(I) == 0)
      return detail::number<T>(state_, I, a);
    else
      return detail::tensor<T, Traits::rank(I)>(a);
  }
  template <class F, class... P>
  auto run(const F& function, const P&... parameters) const {  // these live until the call returns
    const Argument list[] = {parameters.argument()...};
    return function(state_, list, sizeof...(P));
  }

  host::KernelState* state_;
};

/// A callable from a kernel, which is copied.
template <class K> Kernel<K> make(const K& kernel) { return Kernel<K>(kernel); }
/// A callable from an arrangement, an application and the parameters' types, as in NineToothed:
/// `make(arrangement, application, Tensor<float, 1>(), ...)`.
template <class Arrangement, class Application, class... P>
requires(sizeof...(P) > 0) auto make(const Arrangement& arrangement, const Application& application,
                                     const P&... parameters) {
  auto kernel = compose(arrangement, application, parameters...);
  return Kernel<decltype(kernel)>(kernel);
}

}  // namespace tine
