// Number formats: rounding exact values into f16, bf16, fp8, tf32, f32, f64, and the way back.
#pragma once
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tine::emulator::detail {

enum class Round : std::uint8_t { nearest, zero, down, up, away };  // away: nearest, ties away from zero

struct Format {
  int exponent_bits, mantissa_bits;
  bool has_infinity;             // e4m3 has none: its largest exponent holds numbers, only all ones is NaN
  std::uint64_t nan;
};
constexpr Format kF16{5, 10, true, 0x7FFF}, kBf16{8, 7, true, 0x7FFF}, kTf32{8, 10, true, 0x3FFFF}, kF32{8, 23, true, 0x7FFFFFFF}, kF64{11, 52, true, 0x7FF8000000000000ull},
    kE4m3{4, 3, false, 0x7F}, kE5m2{5, 2, true, 0x7F};

// (-1)^negative * magnitude * 2^exponent, rounded once. `sticky`: something non-zero lies below the magnitude's last bit.
std::uint64_t round_to(const Format& f, bool negative, std::uint64_t magnitude, int exponent, bool sticky, Round mode, bool saturate_finite);
// The same from a double that is exact, or rounded to odd. NaN gives the format's NaN.
std::uint64_t from_double(const Format& f, double v, Round mode = Round::nearest, bool saturate_finite = false);
double to_double(const Format& f, std::uint64_t bits);

// f16 by table, bf16 by shift: the hot ones.
float half_to_float(std::uint16_t h);
inline float bf16_to_float(std::uint16_t h) { return std::bit_cast<float>(std::uint32_t{h} << 16); }

// Sum and product-sum rounded to odd: rounding the result again to a much narrower format rounds the exact value once.
double add_odd(double a, double b);
inline double fma_odd(double a, double b, double c) { return add_odd(a * b, c); }  // a * b must be exact in double

Round round_from(std::string_view modifier);  // "rn" "rz" "rm" "rp" "rna", and their integer forms "rni" ...

// Sets the host's rounding mode for f32 and f64 arithmetic while it lives.
class RoundGuard {
 public:
  explicit RoundGuard(Round r) : changed_(r != Round::nearest) {  // host threads always round to nearest otherwise
    if (changed_) std::fesetround(r == Round::zero ? FE_TOWARDZERO : r == Round::down ? FE_DOWNWARD : FE_UPWARD);
  }
  ~RoundGuard() {
    if (changed_) std::fesetround(FE_TONEAREST);
  }
  RoundGuard(const RoundGuard&) = delete;
  RoundGuard& operator=(const RoundGuard&) = delete;

 private:
  bool changed_;
};

inline float flush(float v) {  // subnormal to zero of the same sign
  const auto b = std::bit_cast<std::uint32_t>(v);
  return (b & 0x7F800000u) == 0 ? std::bit_cast<float>(b & 0x80000000u) : v;
}
inline float canonical(float v) { return v != v ? std::bit_cast<float>(0x7FFFFFFFu) : v; }
inline double canonical(double v) { return v; }
inline float saturate(float v) { return v != v ? 0.0f : v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v == 0.0f ? 0.0f : v; }

}  // namespace tine::emulator::detail
