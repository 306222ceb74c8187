#include "tools/tinec/slice.hpp"

#include <algorithm>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> split(std::string_view s, char at) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = std::min(s.find(at), s.size());
    out.push_back(trim(s.substr(0, end)));
    if (end == s.size()) return out;
    s.remove_prefix(end + 1);
  }
}

struct Item {
  enum Kind { integer, range, newaxis, ellipsis } kind = range;
  std::optional<int64_t> start, stop;
  int64_t step = 1;
};

Item parse(std::string_view text, std::string_view all) {
  const auto bad = [&]() -> Failure {
    return Failure(ticked(text) + " in " + ticked("[" + std::string(all) + "]") +
                   " is not an index; there are integers, `start:stop:step`, `None` and `...`");
  };
  Item item;
  if (text == "...") return item.kind = Item::ellipsis, item;
  if (text == "None" || text == "newaxis") return item.kind = Item::newaxis, item;
  const auto parts = split(text, ':');
  const auto number = [&](std::string_view s) {
    const auto n = parse_integer(s);
    if (!n) throw bad();
    return *n;
  };
  if (parts.size() == 1) {
    item.kind = Item::integer;
    item.start = number(parts[0]);
    return item;
  }
  if (parts.size() > 3) throw bad();
  if (!parts[0].empty()) item.start = number(parts[0]);
  if (!parts[1].empty()) item.stop = number(parts[1]);
  if (parts.size() == 3 && !parts[2].empty()) item.step = number(parts[2]);
  if (item.step == 0) throw Failure("the step of a slice cannot be 0");
  return item;
}

// Python's rules: ends beyond the dim are cut, negative ones count from its end.
void take_range(const Item& item, int64_t size, int64_t stride, int64_t& offset, npy::View& out) {
  const bool down = item.step < 0;
  const int64_t low = down ? -1 : 0, high = down ? size - 1 : size;
  const auto place = [&](std::optional<int64_t> at, int64_t otherwise) {
    if (!at) return otherwise;
    return std::clamp(*at < 0 ? std::max(*at, -size - 1) + size : *at, low, high);
  };
  const int64_t start = place(item.start, down ? high : low), stop = place(item.stop, down ? low : high);
  const int64_t step = std::clamp<int64_t>(item.step, -size - 1, size + 1);  // one that leaves the dim at once
  const int64_t span = down ? start - stop : stop - start;
  const int64_t n = span > 0 ? (span - 1) / (down ? -step : step) + 1 : 0;
  if (n > 0) offset += start * stride;
  out.shape.push_back(n);
  out.strides.push_back(stride * step);
}

}  // namespace

std::pair<std::string, std::optional<std::string>> split_slice(std::string_view text) {
  const std::size_t open = text.rfind('[');
  if (text.empty() || text.back() != ']' || open == text.npos || open == 0) return {std::string(text), {}};
  return {std::string(text.substr(0, open)), std::string(text.substr(open + 1, text.size() - open - 2))};
}

npy::View slice(const npy::View& v, std::string_view items) {
  std::vector<Item> list;
  std::size_t used = 0, ellipses = 0;
  for (const std::string_view text : split(items, ',')) {
    list.push_back(parse(text, items));
    if (list.back().kind == Item::ellipsis)
      ++ellipses;
    else if (list.back().kind != Item::newaxis)
      ++used;
  }
  if (ellipses > 1) throw Failure(ticked("[" + std::string(items) + "]") + " has more than one `...`");
  if (used > v.shape.size())
    throw Failure(ticked("[" + std::string(items) + "]") + " has " + std::to_string(used) +
                  " indices, but the array has shape " + shape_text(v.shape));
  if (ellipses == 0) list.push_back({Item::ellipsis, {}, {}, 1});

  npy::View out{v.data, v.element, {}, {}};
  int64_t offset = 0;
  std::size_t dim = 0;
  for (const Item& item : list) {
    if (item.kind == Item::newaxis) {
      out.shape.push_back(1);
      out.strides.push_back(0);
    } else if (item.kind == Item::ellipsis) {
      for (std::size_t n = v.shape.size() - used; n > 0; --n, ++dim) {
        out.shape.push_back(v.shape[dim]);
        out.strides.push_back(v.strides[dim]);
      }
    } else if (item.kind == Item::integer) {
      const int64_t size = v.shape[dim], i = *item.start < 0 ? *item.start + size : *item.start;
      if (i < 0 || i >= size)
        throw Failure("index " + std::to_string(*item.start) + " is outside dim " + std::to_string(dim) + " of size " +
                      std::to_string(size));
      offset += i * v.strides[dim++];
    } else {
      take_range(item, v.shape[dim], v.strides[dim], offset, out);
      ++dim;
    }
  }
  out.data += offset * v.element.bytes;
  return out;
}

}  // namespace tinec
