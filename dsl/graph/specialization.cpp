#include "dsl/graph/specialization.hpp"

#include "dsl/graph/bytes.hpp"

namespace tine::graph {

std::vector<std::byte> serialize(const Specialization& s) {
  Writer w;
  w.byte('S');
  w.unsigned_(format_version);
  w.unsigned_(s.sources.size());
  for (auto& f : s.sources) {
    w.unsigned_(f.unit_stride);
    w.byte(f.contiguous);
    w.unsigned_(f.alignment);
    w.byte(f.streamed);
  }
  w.unsigned_(s.overlaps.size());
  for (auto& [a, b] : s.overlaps) {
    w.integer(a);
    w.integer(b);
  }
  return std::move(w.out);
}

Specialization deserialize_specialization(std::span<const std::byte> bytes) {
  Reader r(bytes);
  if (r.byte() != 'S') Reader::bad("it is no specialisation");
  if (r.unsigned_() != format_version) Reader::bad("another version of the format");
  Specialization s;
  s.sources.resize(r.count());
  for (auto& f : s.sources) {
    uint64_t unit = r.unsigned_();
    f.contiguous = r.flag();
    uint64_t alignment = r.unsigned_();
    f.streamed = r.flag();
    if (unit > UINT32_MAX) Reader::bad("a number is too large");
    if (alignment < 1 || alignment > 64 || (alignment & (alignment - 1))) Reader::bad("an alignment that is none");
    f.unit_stride = uint32_t(unit);
    f.alignment = uint32_t(alignment);
  }
  s.overlaps.resize(r.count());
  for (auto& [a, b] : s.overlaps) {
    a = r.small();
    b = r.small();
    if (a < 0 || b < 0 || a >= int(s.sources.size()) || b >= int(s.sources.size())) Reader::bad("an overlap of no sources");
  }
  if (!r.at_end()) Reader::bad("something follows it");
  return s;
}

}  // namespace tine::graph
