// The scalar types of PTX, their sizes, and which registers may hold them.
#pragma once
#include <cstdint>
#include <string_view>

namespace tine::emulator::detail {

enum class Type : std::uint8_t {
  none, pred,
  u8, u16, u32, u64, s8, s16, s32, s64, b8, b16, b32, b64, b128,
  f16, f16x2, bf16, bf16x2, tf32, f32, f64, u16x2, s16x2, e4m3, e5m2, e4m3x2, e5m2x2,
  b1, u4, s4,
};

Type type_from(std::string_view name);  // none when it is no type
const char* name_of(Type t);
unsigned bits_of(Type t);               // 1 for pred
inline unsigned bytes_of(Type t) { return (bits_of(t) + 7) / 8; }
bool is_untyped(Type t);                // .bX
bool is_signed(Type t);
bool is_integer(Type t);                // .uX .sX, packed ones not
bool is_float(Type t);                  // scalar and packed floats

// May an operand declared as `reg` stand where an instruction wants `want`? (The rule of the ISA's table of operand types.)
bool agrees(Type reg, Type want);

}  // namespace tine::emulator::detail
