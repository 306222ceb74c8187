#include "tools/tinec/npy_header.hpp"

#include <charconv>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::npy {
namespace {

constexpr std::size_t max_dims = 64;  // NumPy's own limit

// The few forms that NumPy writes: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Header header() {
    Header h;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr)
        descr = true, element(h);
      else if (key == "fortran_order" && !order)
        order = true, h.fortran_order = boolean();
      else if (key == "shape" && !shape)
        shape = true, h.shape = tuple();
      else
        throw Failure("its header has the unexpected key " + ticked(key.substr(0, 40)));
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (at_ != text_.size()) bad();
    if (!descr || !order || !shape) throw Failure("its header lacks one of `descr`, `fortran_order` and `shape`");
    return h;
  }

 private:
  [[noreturn]] static void bad() { throw Failure("its header is not a dict of `descr`, `fortran_order` and `shape`"); }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  char peek() {
    blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) bad();
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') bad();
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) bad();
    std::string s(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return s;
  }
  bool boolean() {
    blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    bad();
  }
  std::vector<int64_t> tuple() {
    std::vector<int64_t> out;
    expect('(');
    while (!accept(')')) {
      blanks();
      int64_t n = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
      if (error == std::errc::result_out_of_range)
        throw Failure("its header names a size that does not fit in 64 bits");
      if (error != std::errc()) bad();
      if (n < 0) throw Failure("its header names the negative size " + std::to_string(n));
      at_ = static_cast<std::size_t>(end - text_.data());
      accept('L');  // Python 2
      out.push_back(n);
      if (out.size() > max_dims) throw Failure("its header names more than " + std::to_string(max_dims) + " dims");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return out;
  }
  void element(Header& h) {
    if (peek() == '[') throw Failure("its elements are records; a kernel takes one number in each element");
    const std::string descr = string();
    const auto refuse = [&] {
      throw Failure("its elements are of NumPy's type " + ticked(descr.substr(0, 40)) +
                    ", which no kernel takes; there are `b1`, `i1` to `i8`, `u1` to `u8`, `f2`, `f4` and `f8`");
    };
    if (descr.size() < 3) refuse();
    const auto bytes = parse_integer(std::string_view(descr).substr(2));
    const char order = descr[0], kind = descr[1];
    if (!bytes || *bytes < 1 || *bytes > 8 || (*bytes & (*bytes - 1))) refuse();
    if (order != '<' && order != '>' && order != '|' && order != '=') refuse();
    const bool known = kind == 'b'   ? *bytes == 1
                       : kind == 'f' ? *bytes >= 2
                       : kind == 'V' ? *bytes <= 2  // how NumPy saves the narrow floats of other packages
                                     : kind == 'i' || kind == 'u';
    if (!known || (order == '|' && *bytes > 1 && kind != 'V')) refuse();
    h.element = {kind, static_cast<int>(*bytes)};
    h.big_endian = order == '>' && *bytes > 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string name(Element e) {
  if (e.kind == 'b') return "bool";
  if (e.kind == 'V') return "void" + std::to_string(8 * e.bytes);
  return (e.kind == 'f' ? "float" : e.kind == 'u' ? "uint" : "int") + std::to_string(8 * e.bytes);
}

Header parse_header(std::string_view text) { return Parser(text).header(); }

std::string make_header(const Header& h) {
  std::string shape;
  for (const int64_t n : h.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
  if (h.shape.size() == 1) shape += ",";
  std::string text = std::string("{'descr': '") +
                     (h.element.bytes == 1 ? '|'
                      : h.big_endian       ? '>'
                                           : '<') +
                     h.element.kind + std::to_string(h.element.bytes) +
                     "', 'fortran_order': " + (h.fortran_order ? "True" : "False") + ", 'shape': (" + shape + "), }";
  std::string out("\x93NUMPY\x01\x00", 8);
  text.append(63 - (out.size() + 2 + text.size()) % 64, ' ');
  text += '\n';
  out += static_cast<char>(text.size() & 255);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

}  // namespace tinec::npy
