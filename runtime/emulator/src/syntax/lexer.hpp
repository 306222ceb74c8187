// Text to tokens. Modifiers come as one token each, qualifiers included: ".shared::cta", ".L2::128B".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine::emulator::detail {

enum class Tok : std::uint8_t { end, ident, dot, integer, real32, real64, decimal, string, punct };

struct Token {
  Tok kind = Tok::end;
  char punct = 0;            // for punct
  std::uint32_t line = 0;
  std::string_view text;     // ident, dot (without the dot), string (without quotes); a view of the source
  std::uint64_t bits = 0;    // integer value, or the bit pattern of real32 / real64 / decimal (as f64)
  bool glued = false;        // no white space before it
};

// Throws Error(syntax) for characters, numbers and comments that are not PTX.
std::vector<Token> lex(std::string_view source, const std::string& module);

}  // namespace tine::emulator::detail
