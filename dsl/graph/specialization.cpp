#include "dsl/graph/specialization.hpp"

#include "dsl/graph/bytes.hpp"

namespace tine::graph {

std::vector<std::byte> serialize(const Specialization& s) {
  Writer w;
  w.byte('S');
  w.unsigned_(specialization_version);
  w.unsigned_(s.sources.size());
  for (auto& f : s.sources) {
    w.unsigned_(f.unit_stride);
    w.byte(f.contiguous);
    w.unsigned_(f.alignment);
    w.byte(f.streamed);
    w.unsigned_(f.stride16);
    w.unsigned_(f.size16);
  }
  w.unsigned_(s.overlaps.size());
  for (auto& [a, b] : s.overlaps) {
    w.integer(a);
    w.integer(b);
  }
  w.byte(s.narrow_index);
  w.unsigned_(s.capacities.size());
  for (auto& c : s.capacities) {
    w.integer(c.symbol);
    w.integer(c.capacity);
    w.byte(c.exact);
  }
  return std::move(w.out);
}

Specialization deserialize_specialization(std::span<const std::byte> bytes) {
  Reader r(bytes);
  if (r.byte() != 'S') Reader::bad("it is no specialisation");
  if (r.unsigned_() != specialization_version) Reader::bad("another version of the format");
  Specialization s;
  s.sources.resize(r.count());
  for (auto& f : s.sources) {
    uint64_t unit = r.unsigned_();
    f.contiguous = r.flag();
    uint64_t alignment = r.unsigned_();
    f.streamed = r.flag();
    uint64_t stride16 = r.unsigned_(), size16 = r.unsigned_();
    if (unit > UINT32_MAX || stride16 > UINT32_MAX || size16 > UINT32_MAX) Reader::bad("a number is too large");
    if (alignment < 1 || alignment > 64 || (alignment & (alignment - 1))) Reader::bad("an alignment that is none");
    f.unit_stride = uint32_t(unit);
    f.alignment = uint32_t(alignment);
    f.stride16 = uint32_t(stride16);
    f.size16 = uint32_t(size16);
  }
  s.overlaps.resize(r.count());
  for (auto& [a, b] : s.overlaps) {
    a = r.small();
    b = r.small();
    if (a < 0 || b < 0 || a >= int(s.sources.size()) || b >= int(s.sources.size())) Reader::bad("an overlap of no sources");
  }
  s.narrow_index = r.flag();
  s.capacities.resize(r.count());
  for (auto& c : s.capacities) {
    c.symbol = r.small();
    c.capacity = r.integer();
    c.exact = r.flag();
    if (c.symbol < 0) Reader::bad("a capacity of no symbol");
    if (c.capacity < 1 || (c.capacity & (c.capacity - 1))) Reader::bad("a capacity that is no power of two");
  }
  if (!r.at_end()) Reader::bad("something follows it");
  return s;
}

}  // namespace tine::graph
