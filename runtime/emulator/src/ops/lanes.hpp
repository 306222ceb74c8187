// Lane values: how the 64 bits of a slot's lane are read and written as a C++ type. Narrow values are kept zero-extended.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "machine/exec.hpp"

namespace tine::emulator::detail {

template <class T> inline T get(std::uint64_t v) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(v));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(v);
  else
    return static_cast<T>(v);
}
template <class T> inline std::uint64_t put(T v) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(v);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(v);
  else
    return static_cast<std::make_unsigned_t<T>>(v);
}

// Handlers for d = f(a), f(a, b), f(a, b, c), all of one type.
template <class T, class F> void unary(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  each(mask, [&](int l) { d[l] = put<T>(F::run(get<T>(a[l]))); });
}
template <class T, class F> void binary(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  each(mask, [&](int l) { d[l] = put<T>(F::run(get<T>(a[l]), get<T>(b[l]))); });
}
template <class T, class F> void ternary(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  each(mask, [&](int l) { d[l] = put<T>(F::run(get<T>(a[l]), get<T>(b[l]), get<T>(c[l]))); });
}

// Picks H<T>::value-like handler for an integer type. H is a template over the type with a static function `run`.
template <template <class> class H> Handler for_integer(Type t) {
  switch (t) {
    case Type::u8: return H<std::uint8_t>::run;
    case Type::s8: return H<std::int8_t>::run;
    case Type::u16: case Type::b16: return H<std::uint16_t>::run;
    case Type::s16: return H<std::int16_t>::run;
    case Type::u32: case Type::b32: return H<std::uint32_t>::run;
    case Type::s32: return H<std::int32_t>::run;
    case Type::u64: case Type::b64: return H<std::uint64_t>::run;
    case Type::s64: return H<std::int64_t>::run;
    default: return nullptr;
  }
}

}  // namespace tine::emulator::detail
