#include "tools/tinec/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tinec {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Bytes of the UTF-8 sequence at the begin of x; 0 if there is none.
std::size_t sequence(std::string_view x) {
  const auto byte = static_cast<unsigned char>(x[0]);
  const std::size_t n = byte < 0x80                   ? 1
                        : byte >= 0xc2 && byte < 0xe0 ? 2
                        : (byte & 0xf0) == 0xe0       ? 3
                        : byte >= 0xf0 && byte < 0xf5 ? 4
                                                      : 0;
  if (n > x.size()) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((static_cast<unsigned char>(x[i]) & 0xc0) != 0x80) return 0;
  return n;
}

}  // namespace

int distance(std::string_view a, std::string_view b) {
  a = a.substr(0, 200), b = b.substr(0, 200);
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(2 * j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(2 * i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      const int best = std::min({row[j] + 2, row[j - 1] + 2, diagonal + change});
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b.size()];
}

std::string printable(std::string_view x) {
  std::string out;
  while (!x.empty()) {
    const auto byte = static_cast<unsigned char>(x[0]);
    const std::size_t n = sequence(x);
    if (x[0] == '\n')
      out += "\\n";
    else if (x[0] == '\t')
      out += "\\t";
    else if (n == 0 || byte < 32 || byte == 127)
      out += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    else
      out += x.substr(0, n);
    x.remove_prefix(n ? n : 1);
  }
  return out;
}

std::string ticked(std::string_view x) { return "`" + printable(x) + "`"; }

std::string list_of(std::span<const std::string> names) {
  if (names.empty()) return "nothing";
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + ticked(names[i]);
  return out;
}

std::vector<std::string> nearest_first(std::string_view wanted, std::span<const std::string> names) {
  std::vector<std::pair<int, std::size_t>> order;  // the position keeps names of equal distance as they were
  for (std::size_t i = 0; i < names.size(); ++i) order.emplace_back(distance(wanted, names[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<std::string> out;
  for (const auto& [far, i] : order) out.push_back(names[i]);
  return out;
}

std::string shape_text(std::span<const int64_t> shape) {
  std::string out;
  for (const int64_t n : shape) out += (out.empty() ? "" : "x") + std::to_string(n);
  return out.empty() ? "scalar" : out;
}

std::optional<int64_t> parse_integer(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  std::vector<int64_t> shape;
  for (;;) {
    const std::size_t end = std::min(text.find('x'), text.size());
    const auto n = parse_integer(text.substr(0, end));
    if (!n || *n < 0) return {};
    shape.push_back(*n);
    if (end == text.size()) return shape;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::pair<std::string, std::string>> parse_assignment(std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == 0 || at == text.npos || at + 1 == text.size()) return {};
  return std::pair{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

}  // namespace tinec
