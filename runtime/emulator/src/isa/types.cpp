#include "isa/types.hpp"

namespace tine::emulator::detail {
namespace {
struct Row {
  const char* name;
  std::uint8_t bits;
};
constexpr Row kRows[] = {{"none", 0},   {"pred", 1},  {"u8", 8},     {"u16", 16},    {"u32", 32},    {"u64", 64}, {"s8", 8},    {"s16", 16},
                         {"s32", 32},   {"s64", 64},  {"b8", 8},     {"b16", 16},    {"b32", 32},    {"b64", 64}, {"b128", 128}, {"f16", 16},
                         {"f16x2", 32}, {"bf16", 16}, {"bf16x2", 32}, {"tf32", 32},  {"f32", 32},    {"f64", 64}, {"u16x2", 32}, {"s16x2", 32},
                         {"e4m3", 8},   {"e5m2", 8},  {"e4m3x2", 16}, {"e5m2x2", 16}, {"b1", 1},     {"u4", 4},   {"s4", 4}};
}  // namespace

Type type_from(std::string_view name) {
  for (unsigned i = 1; i < sizeof kRows / sizeof *kRows; ++i)
    if (name == kRows[i].name) return static_cast<Type>(i);
  return Type::none;
}
const char* name_of(Type t) { return kRows[static_cast<unsigned>(t)].name; }
unsigned bits_of(Type t) { return kRows[static_cast<unsigned>(t)].bits; }
bool is_untyped(Type t) { return t == Type::b8 || t == Type::b16 || t == Type::b32 || t == Type::b64 || t == Type::b128; }
bool is_signed(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }
bool is_integer(Type t) { return t >= Type::u8 && t <= Type::s64; }
bool is_float(Type t) { return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2 || t == Type::tf32 || t == Type::f32 || t == Type::f64; }

bool agrees(Type reg, Type want) {
  if (reg == Type::pred || want == Type::pred) return reg == want;
  if (bits_of(reg) != bits_of(want)) return false;
  if (is_untyped(reg) || is_untyped(want)) return true;
  if (is_integer(reg) && is_integer(want)) return true;
  return reg == want;
}
}  // namespace tine::emulator::detail
