#include "syntax/lexer.hpp"

#include <cstdlib>
#include <cstring>

#include "tine/emulator/error.hpp"

namespace tine::emulator::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_follow(char c) { return is_alpha(c) || is_digit(c) || c == '_' || c == '$'; }
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Lexer {
 public:
  Lexer(std::string_view s, const std::string& module) : s_(s), module_(module) {}

  std::vector<Token> run() {
    std::vector<Token> out;
    out.reserve(s_.size() / 4 + 1);
    for (;;) {
      const std::size_t before = i_;
      skip_space();
      Token t;
      t.line = line_;
      t.glued = before == i_ && i_ != 0;
      if (i_ >= s_.size()) {
        out.push_back(t);
        return out;
      }
      const char c = s_[i_];
      if (is_alpha(c) || c == '_' || c == '$' || c == '%')
        identifier(t);
      else if (is_digit(c))
        number(t);
      else if (c == '.' && i_ + 1 < s_.size() && (is_alpha(s_[i_ + 1]) || s_[i_ + 1] == '_'))
        dotted(t);
      else if (c == '.' && i_ + 1 < s_.size() && is_digit(s_[i_ + 1]))
        dotted(t);
      else if (c == '"')
        quoted(t);
      else if (std::strchr("{}()[],;:|!@+-*/%<>=&^~?", c) != nullptr && c != '\0') {
        t.kind = Tok::punct;
        t.punct = c;
        t.text = s_.substr(i_, 1);
        ++i_;
      } else
        fail(static_cast<unsigned char>(c) >= 32 && static_cast<unsigned char>(c) < 127 ? std::string("unexpected character `") + c + "`"
                                                                                        : "unexpected byte " + std::to_string(static_cast<unsigned char>(c)));
      out.push_back(t);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error(ErrorKind::syntax, module_, line_, why); }

  void skip_space() {
    while (i_ < s_.size()) {
      const char c = s_[i_];
      if (c == '\n') {
        ++line_;
        ++i_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
        ++i_;
      else if (c == '\0' && s_.find_first_not_of('\0', i_) == std::string_view::npos)
        i_ = s_.size();  // cubin loaders hand over the terminating zero
      else if (c == '/' && i_ + 1 < s_.size() && s_[i_ + 1] == '/')
        while (i_ < s_.size() && s_[i_] != '\n') ++i_;
      else if (c == '/' && i_ + 1 < s_.size() && s_[i_ + 1] == '*') {
        const std::size_t e = s_.find("*/", i_ + 2);
        if (e == std::string_view::npos) fail("a comment that never ends");
        for (std::size_t k = i_; k < e; ++k) line_ += s_[k] == '\n';
        i_ = e + 2;
      } else
        return;
    }
  }

  void identifier(Token& t) {
    const std::size_t b = i_++;
    while (i_ < s_.size() && is_follow(s_[i_])) ++i_;
    t.kind = Tok::ident;
    t.text = s_.substr(b, i_ - b);
    if (t.text == "%") {
      t.kind = Tok::punct;
      t.punct = '%';
    }
  }

  void dotted(Token& t) {
    const std::size_t b = ++i_;
    while (i_ < s_.size() && is_follow(s_[i_])) ++i_;
    while (i_ + 2 < s_.size() && s_[i_] == ':' && s_[i_ + 1] == ':' && is_follow(s_[i_ + 2])) {
      i_ += 2;
      while (i_ < s_.size() && is_follow(s_[i_])) ++i_;
    }
    t.kind = Tok::dot;
    t.text = s_.substr(b, i_ - b);
  }

  void quoted(Token& t) {
    const std::size_t b = ++i_;
    while (i_ < s_.size() && s_[i_] != '"') {
      if (s_[i_] == '\n') fail("a string that never ends");
      if (s_[i_] == '\\' && i_ + 1 < s_.size()) ++i_;
      ++i_;
    }
    if (i_ >= s_.size()) fail("a string that never ends");
    t.kind = Tok::string;
    t.text = s_.substr(b, i_ - b);
    ++i_;
  }

  std::uint64_t digits(int base, std::size_t count_limit, std::size_t& n) {
    std::uint64_t v = 0;
    n = 0;
    bool overflow = false;
    while (i_ < s_.size()) {
      const int d = hex_value(s_[i_]);
      if (d < 0 || d >= base) break;
      if (n == count_limit) break;
      if (v > (~std::uint64_t{0} - static_cast<std::uint64_t>(d)) / static_cast<std::uint64_t>(base)) overflow = true;
      v = v * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(d);
      ++i_;
      ++n;
    }
    if (overflow) fail("an integer constant of more than 64 bits");
    return v;
  }

  void number(Token& t) {
    const std::size_t b = i_;
    std::size_t n = 0;
    t.kind = Tok::integer;
    const char second = i_ + 1 < s_.size() ? s_[i_ + 1] : '\0';
    if (s_[i_] == '0' && (second == 'x' || second == 'X')) {
      i_ += 2;
      t.bits = digits(16, 1000, n);
      if (n == 0) fail("`0x` without digits");
    } else if (s_[i_] == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
      const bool f = second == 'f' || second == 'F';
      i_ += 2;
      t.bits = digits(16, 16, n);
      if (n != (f ? 8u : 16u)) fail(f ? "`0f` wants 8 hexadecimal digits" : "`0d` wants 16 hexadecimal digits");
      t.kind = f ? Tok::real32 : Tok::real64;
    } else if (s_[i_] == '0' && (second == 'b' || second == 'B')) {
      i_ += 2;
      t.bits = digits(2, 1000, n);
      if (n == 0) fail("`0b` without digits");
    } else {
      std::size_t e = i_;
      while (e < s_.size() && is_digit(s_[e])) ++e;
      bool real = false;
      if (e < s_.size() && s_[e] == '.' && (e + 1 >= s_.size() || !is_alpha(s_[e + 1]) || s_[e + 1] == 'e' || s_[e + 1] == 'E')) {
        real = true;
        ++e;
        while (e < s_.size() && is_digit(s_[e])) ++e;
      }
      if (e < s_.size() && (s_[e] == 'e' || s_[e] == 'E')) {
        std::size_t x = e + 1;
        if (x < s_.size() && (s_[x] == '+' || s_[x] == '-')) ++x;
        if (x < s_.size() && is_digit(s_[x])) {
          real = true;
          while (x < s_.size() && is_digit(s_[x])) ++x;
          e = x;
        }
      }
      if (real) {
        const std::string text(s_.substr(b, e - b));
        const double v = std::strtod(text.c_str(), nullptr);
        std::memcpy(&t.bits, &v, 8);
        t.kind = Tok::decimal;
        i_ = e;
      } else if (s_[i_] == '0' && e - i_ > 1) {
        t.bits = digits(8, 1000, n);
        if (n != e - b) fail("a digit that is not octal");
      } else
        t.bits = digits(10, 1000, n);
    }
    if (t.kind == Tok::integer && i_ < s_.size() && s_[i_] == 'U') ++i_;
    if (i_ < s_.size() && is_follow(s_[i_])) fail("a number runs into `" + std::string(1, s_[i_]) + "`");
    t.text = s_.substr(b, i_ - b);
  }

  std::string_view s_;
  const std::string& module_;
  std::size_t i_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> lex(std::string_view source, const std::string& module) { return Lexer(source, module).run(); }

}  // namespace tine::emulator::detail
