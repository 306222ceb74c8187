// Small things around text: lists for messages, the names nearest to a mistyped one, shapes and numbers from the
// command line.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tinec {

/// `x` in backticks. What would break a line or a terminal, or is no UTF-8, is shown as \n, \x1b, ...
std::string ticked(std::string_view x);
std::string printable(std::string_view x);
/// "`a`, `b` and `c`"; "nothing" for an empty list.
std::string list_of(std::span<const std::string> names);
/// How unlike two names are: Levenshtein's distance in halves, a letter of another case counting one.
int distance(std::string_view, std::string_view);
/// The same names, those that are most like `wanted` first.
std::vector<std::string> nearest_first(std::string_view wanted, std::span<const std::string> names);
/// "5x7", "scalar" for no dims.
std::string shape_text(std::span<const int64_t> shape);

/// A decimal integer, all of the text; nothing if it is none or does not fit.
std::optional<int64_t> parse_integer(std::string_view text);
/// "5x7" or "5"; nothing if it is no shape. Sizes may be 0.
std::optional<std::vector<int64_t>> parse_shape(std::string_view text);
/// "name=value" at the first `=`; nothing if there is none or one side is empty.
std::optional<std::pair<std::string, std::string>> parse_assignment(std::string_view text);

}  // namespace tinec
