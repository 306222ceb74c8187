// Device functions of the user's, in CUDA C++: an operation that the language lacks, on NVIDIA targets.
#pragma once
#include <initializer_list>

#include "tine/tile.hpp"

namespace tine {

/// A function that is called for each element. Arguments are tiles of the parameters' element types (others: cast), sizes,
/// scalar parameters and numbers; shapes broadcast as in NumPy.
/// Element types stand for CUDA C++'s: bool, signed char, short, int, long long and their unsigned ones, __half,
/// __nv_bfloat16 (their headers are included where they are used), float, double.
template <class F>
class CudaFunction {
  static_assert(detail::never<F>, "tine: the type of a CUDA function is written as in float(float, int)");
};
template <class R, class... A>
class CudaFunction<R(A...)> {
  static constexpr bool no_fp8 = !detail::narrow8(detail::dtype_of<R>::value) && (!detail::narrow8(detail::dtype_of<A>::value) && ...);
  static_assert(no_fp8, "tine: a CUDA function takes and gives no fp8; pass the bits as u8");

 public:
  constexpr CudaFunction(const char* name, const char* source, Loc loc) : name_(name), source_(source), loc_(loc) {}

#define TINE_CALL(PARAMETERS, ...)                                       \
  template <TINE_CLASSES_##PARAMETERS>                                   \
  auto operator()(TINE_ARGS_##PARAMETERS, Loc loc = Loc::here()) const { \
    return call(loc, __VA_ARGS__);                                       \
  }
  auto operator()(Loc loc = Loc::here()) const requires(sizeof...(A) == 0) { return call(loc); }
  TINE_CALL(1, a)
  TINE_CALL(2, a, b)
  TINE_CALL(3, a, b, c)
  TINE_CALL(4, a, b, c, d)
  TINE_CALL(5, a, b, c, d, e)
  TINE_CALL(6, a, b, c, d, e, f)
#undef TINE_CALL
  /// More than six: their place in the source is the last operation's.
  template <class... X>
    requires(sizeof...(X) > 6)
  auto operator()(const X&... x) const {
    return call({}, x...);
  }

 private:
  const char *name_, *source_;
  Loc loc_;

  template <class X, class P>
  static constexpr bool fits() {
    constexpr DType have = detail::type_of_operand<X>(), want = detail::dtype_of<P>::value;
    return detail::is_tile<X> ? have == want : detail::kind(have) <= detail::kind(want);
  }
  template <class... X>
  auto call(Loc loc, const X&... x) const {
    static_assert(sizeof...(X) == sizeof...(A), "tine: this CUDA function takes another number of arguments");
    if constexpr (sizeof...(X) == sizeof...(A)) return checked(loc, x...);
    else return Value<R, 0>(detail::Made{}, core::Handle{});
  }
  template <class... X>
  auto checked(Loc loc, const X&... x) const {
    constexpr bool operands = ((detail::is_operand<X> && !detail::is_leveled<X>)&&...);
    static_assert(operands, "tine: a CUDA function's arguments are tiles, sizes and numbers; index a parameter that has levels left");
    constexpr bool all_fit = (fits<X, A>() && ...);
    static_assert(all_fit || !operands, "tine: an argument has not the CUDA function's type; cast it, for example nt::cast<float>(x)");
    constexpr int rank = [](std::initializer_list<int> ranks) {
      int most = 0;
      for (int r : ranks) most = r > most ? r : most;
      return most;
    }({detail::rank_of<X>()...});
    if constexpr (operands && all_fit) {
      const core::Operand arguments[] = {detail::operand(x)..., core::Operand{}};
      const DType types[] = {detail::dtype_of<A>::value..., DType::b1};
      const core::Foreign f{name_, source_, loc_, detail::dtype_of<R>::value, types, int(sizeof...(A))};
      return Value<R, rank>(detail::Made{}, core::foreign(f, arguments, loc));
    } else {
      return Value<R, rank>(detail::Made{}, core::Handle{});
    }
  }
};

/// `name` is a `__device__` function of `source`, which is CUDA C++ as nvrtc compiles it; it may be in a namespace, and a
/// template's instance. It must be pure: how often it is called, and for which elements beyond those in range, is not said.
/// Overloads are told apart by the type F, exactly. Both texts must live until the kernel has been made.
/// Kernels with it run on NVIDIA targets only, and need nvrtc when they are compiled.
///   constexpr auto gelu = nt::cuda_function<float(float)>("gelu", R"(
///     __device__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }
///   )");
///   y = gelu(x);
template <class F>
constexpr CudaFunction<F> cuda_function(const char* name, const char* source, Loc loc = Loc::here()) {
  return {name, source, loc};
}

}  // namespace tine
