// The type rules, checked by the C++ compiler.
#include "harness.hpp"

using namespace tine;

namespace {

template <class T, int R = 1> Value<T, R> tile();
template <class T> ScalarParameter<T> parameter();
template <class V, class T, int R = 1> constexpr bool is = std::is_same_v<V, Value<T, R>>;

#define IS(T, ...) static_assert(is<decltype(__VA_ARGS__), T>)

// two tiles
IS(f32, tile<f16>() + tile<f32>());
IS(f32, tile<f16>() + tile<bf16>());
IS(f64, tile<f32>() * tile<f64>());
IS(f16, tile<f16>() - tile<i64>());
IS(i32, tile<i16>() + tile<i32>());
IS(u32, tile<i32>() + tile<u32>());
IS(i64, tile<u32>() + tile<i64>());
IS(u8, tile<u8>() * tile<i8>());
IS(i8, tile<i8>() + tile<i8>());           // 8 and 16 bit integers are not promoted
IS(i32, tile<bool>() + tile<bool>());      // arithmetic on bool gives i32
IS(bool, tile<bool>() & tile<bool>());
IS(i16, tile<bool>() + tile<i16>());
// numbers
IS(f16, tile<f16>() * 2);
IS(f16, tile<f16>() * 2.5);
IS(f32, tile<i32>() * 2.5);
IS(f32, tile<i64>() * 2.5f);
IS(i8, tile<i8>() + 1);
IS(u32, tile<u32>() % 2);
IS(i32, tile<i32>() / 2);
IS(i32, tile<bool>() + 1);
IS(i32, 1 - tile<i32>());
IS(f32, 1.0 / tile<f32>());
IS(bool, tile<u32>() == 0);
IS(bool, 0 < tile<f16>());
// scalar parameters behave as numbers do
IS(f32, parameter<f64>() * tile<f32>());
IS(f16, tile<f16>() + parameter<f64>());
IS(f32, tile<i32>() * parameter<f64>());
IS(i32, tile<i32>() + parameter<i64>());
IS(u8, parameter<u8>() + tile<bool>());
static_assert(is<decltype(parameter<f64>() + 1), f64, 0>);
static_assert(is<decltype(parameter<f32>() * parameter<f64>()), f64, 0>);
static_assert(is<decltype(-parameter<f16>()), f16, 0>);
// sizes and indices are i64
IS(i64, tile<i32>() + Size(3));
IS(f32, tile<f32>() / Size(3));
IS(bool, tile<i64>() < Size(3));
IS(i64, program_index(0) + tile<i32>());
// the rest
IS(f32, where(tile<bool>(), tile<f16>(), tile<f32>()));
IS(f16, where(tile<bool>(), tile<f16>(), 0));
static_assert(is<decltype(where(tile<bool, 0>(), 1, 2)), i32, 0>);
static_assert(is<decltype(where(tile<bool, 0>(), 1, 2.5)), f32, 0>);
IS(f16, clamp(tile<f16>(), -1, 1));
IS(f32, fma(tile<f16>(), tile<f32>(), 1));
IS(f16, exp(tile<f16>()));
IS(bool, isnan(tile<f16>()));
IS(i32, abs(tile<bool>()));
IS(i16, tile<i16>() << 3);
IS(bool, !tile<bool>());
IS(bool, tile<bool>() && true);
IS(u8, ~tile<u8>());
IS(i32, bitcast<i32>(tile<f32>()));
IS(i16, bitcast<i16>(tile<bf16>()));
// reductions
static_assert(is<decltype(sum(tile<f16>())), f32, 0>);
static_assert(is<decltype(sum(tile<bool>())), i32, 0>);
static_assert(is<decltype(sum(tile<u8>())), u32, 0>);
static_assert(is<decltype(prod(tile<i16>())), i32, 0>);
static_assert(is<decltype(sum(tile<i64>())), i64, 0>);
static_assert(is<decltype(max(tile<f16, 2>(), axis(1))), f16, 1>);
static_assert(is<decltype(max(tile<f16, 2>(), axis(1), keep_dims)), f16, 2>);
static_assert(is<decltype(max(tile<f16, 2>(), 1)), f16, 2>);
static_assert(is<decltype(max(tile<bool>())), bool, 0>);
static_assert(is<decltype(argmax(tile<f16, 3>(), axis(0, 2))), i32, 1>);
static_assert(is<decltype(any(tile<f32>())), bool, 0>);
// products
static_assert(is<decltype(dot(tile<f16, 2>(), tile<f16, 2>())), f32, 2>);
static_assert(is<decltype(dot(tile<f64, 2>(), tile<f64, 2>())), f64, 2>);
static_assert(is<decltype(dot(tile<i8, 3>(), tile<u8, 3>())), i32, 3>);
static_assert(is<decltype(dot(tile<f8e4m3fn, 2>(), tile<f8e5m2, 2>())), f32, 2>);
// ranks
static_assert(is<decltype(tile<f32, 2>() + tile<f32, 3>()), f32, 3>);
static_assert(is<decltype(tile<f32, 2>()(whole, newaxis, whole)), f32, 3>);
static_assert(is<decltype(tile<f32, 2>()(ellipsis, newaxis)), f32, 3>);
static_assert(is<decltype(arange(4)), i64, 1>);
static_assert(std::is_same_v<decltype(min(Size(1), 2)), Size>);
static_assert(std::is_same_v<decltype(floordiv(BlockSize{2}, 2)), Size>);

}  // namespace

TEST_CASE("type rules hold") { SUCCEED("checked by the compiler"); }
