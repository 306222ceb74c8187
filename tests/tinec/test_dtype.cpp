// Element types and scalars. Narrow floats are compared with an exhaustive search: the nearest of all values, even on
// ties.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "tools/tinec/dtype.hpp"
#include "tools/tinec/failure.hpp"

using namespace tinec;

namespace {

struct Format {
  DType type;
  int exponent_bits, mantissa_bits;
  bool finite_only;
};

// Value of the bits of a narrow float, by definition; infinities as the number that would come next, for rounding.
double value(const Format& f, int bits) {
  const int exponent = bits >> f.mantissa_bits, mantissa = bits & ((1 << f.mantissa_bits) - 1),
            bias = (1 << (f.exponent_bits - 1)) - 1;
  if (exponent == 0) return std::ldexp(mantissa, 1 - bias - f.mantissa_bits);
  return std::ldexp(mantissa + (1 << f.mantissa_bits), exponent - bias - f.mantissa_bits);
}

int largest(const Format& f) {
  const int all = ((1 << f.exponent_bits) - 1) << f.mantissa_bits;
  return f.finite_only ? all + (1 << f.mantissa_bits) - 2 : all - 1;
}

std::string exact(double x) {
  char text[64];
  std::snprintf(text, sizeof text, "%a", x);
  return text;
}

}  // namespace

TEST_CASE("narrow floats round to nearest even") {
  const Format formats[] = {{DType::f16, 5, 10, false},
                            {DType::bf16, 8, 7, false},
                            {DType::f8e4m3fn, 4, 3, true},
                            {DType::f8e5m2, 5, 2, false}};
  for (const Format& f : formats) {
    const int last = largest(f), sign = 1 << (f.exponent_bits + f.mantissa_bits);
    for (int bits = 0; bits <= last; ++bits) {
      const double x = value(f, bits), next = value(f, bits + 1), middle = (x + next) / 2;
      INFO(name(f.type) << " " << bits);
      REQUIRE(parse_scalar(exact(x), f.type) == static_cast<uint64_t>(bits));
      REQUIRE(parse_scalar(exact(-x), f.type) == static_cast<uint64_t>(bits | sign));
      const int even = bits + (bits & 1);
      if (even <= last) REQUIRE(parse_scalar(exact(middle), f.type) == static_cast<uint64_t>(even));
      REQUIRE(parse_scalar(exact(std::nextafter(middle, 0)), f.type) == static_cast<uint64_t>(bits));
      if (bits < last)
        REQUIRE(parse_scalar(exact(std::nextafter(middle, INFINITY)), f.type) == static_cast<uint64_t>(bits + 1));
      else
        CHECK_THROWS_AS(parse_scalar(exact(std::nextafter(middle, INFINITY)), f.type), Failure);
    }
  }
}

TEST_CASE("special numbers") {
  CHECK(parse_scalar("inf", DType::f16) == 0x7c00);
  CHECK(parse_scalar("-inf", DType::bf16) == 0xff80);
  CHECK(parse_scalar("inf", DType::f8e5m2) == 0x7c);
  CHECK_THROWS_AS(parse_scalar("inf", DType::f8e4m3fn), Failure);
  CHECK((parse_scalar("nan", DType::f16) & 0x7fff) > 0x7c00);
  CHECK((parse_scalar("nan", DType::f8e4m3fn) & 0x7f) == 0x7f);
  CHECK(std::isnan(std::bit_cast<float>(static_cast<uint32_t>(parse_scalar("nan", DType::f32)))));
  CHECK(parse_scalar("-0.0", DType::f16) == 0x8000);
  CHECK(std::bit_cast<double>(parse_scalar("4.9e-324", DType::f64)) == 4.9e-324);
  CHECK(parse_scalar("1e-400", DType::f64) == 0);
  CHECK_THROWS_AS(parse_scalar("1e400", DType::f64), Failure);
  CHECK_THROWS_AS(parse_scalar("3.5e38", DType::f32), Failure);
  // once from the decimal text: by way of f64 it would be rounded twice, to the tie and then to even
  CHECK(std::bit_cast<float>(static_cast<uint32_t>(parse_scalar("1.00000005960464477540", DType::f32))) ==
        std::nextafter(1.0f, 2.0f));
}

TEST_CASE("integers keep to their types") {
  CHECK(parse_scalar("-1", DType::i8) == 0xff);
  CHECK(parse_scalar("-128", DType::i8) == 0x80);
  CHECK(parse_scalar("+7", DType::u64) == 7);
  CHECK(parse_scalar("18446744073709551615", DType::u64) == UINT64_MAX);
  CHECK(parse_scalar("-9223372036854775808", DType::i64) == uint64_t{1} << 63);
  for (const auto& [text, type] : {std::pair{"128", DType::i8},
                                   {"-129", DType::i8},
                                   {"256", DType::u8},
                                   {"-1", DType::u8},
                                   {"1.5", DType::i32},
                                   {"", DType::i32},
                                   {"+-1", DType::i32},
                                   {"18446744073709551616", DType::u64},
                                   {"yes", DType::b1},
                                   {"", DType::f32},
                                   {"1f", DType::f32},
                                   {"\t1", DType::f64}})
    CHECK_THROWS_AS(parse_scalar(text, type), Failure);
}

TEST_CASE("names of element types, ours and NumPy's") {
  for (int i = 0; i <= static_cast<int>(DType::f64); ++i)
    CHECK(parse_dtype(name(static_cast<DType>(i))) == static_cast<DType>(i));
  CHECK(parse_dtype("float16") == DType::f16);
  CHECK(parse_dtype("bfloat16") == DType::bf16);
  CHECK_FALSE(parse_dtype("f15"));
}

TEST_CASE("files that fit a parameter") {
  CHECK(fits({'f', 4}, DType::f32));
  CHECK_FALSE(fits({'i', 4}, DType::f32));
  CHECK(fits({'u', 2}, DType::bf16));
  CHECK(fits({'V', 2}, DType::bf16));
  CHECK_FALSE(fits({'f', 2}, DType::bf16));
  CHECK_FALSE(fits({'V', 2}, DType::f16));
  CHECK(fits({'u', 1}, DType::f8e5m2));
  CHECK(fits({'u', 1}, DType::b1));
  CHECK_FALSE(fits({'b', 1}, DType::u8));
}
