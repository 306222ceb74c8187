// Every pair of types, every pattern of the narrow ones, both ways of fp8 overflow.
#include <catch2/catch.hpp>

#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/values.hpp"

using namespace tine;
using namespace tine::math;
using namespace tine::math::test;
using graph::DType;

namespace {
void check(DType from, DType to, int width, const std::string& cpu, CastOptions cast = {}) {
  Spec s;
  s.op = graph::Op::cast;
  s.in = from;
  s.out = to;
  s.width = width;
  s.cpu = cpu;
  s.cast = cast;
  const Function f = compile(s);
  const std::vector<Bits> in = inputs(from, width == 16 ? 200000 : 20000);
  const Array x(from, in);
  Array y(to, in.size());
  f.run(in.size(), y.bytes.data(), x.bytes.data());
  size_t bad = 0;
  for (size_t k = 0; k < in.size() && bad < 5; ++k) {
    const Bits want = cast_reference(from, to, in[k], cast.overflow), got = y.get(k);
    if (got == want || (is_nan(to, got) && is_nan(to, want))) continue;
    ++bad;
    FAIL_CHECK(show(from, in[k]) << " -> " << show(to, got) << ", not " << show(to, want) << " (width " << width
                                 << ", cpu " << cpu << ")");
  }
  CHECK(bad == 0);
}
}  // namespace

TEST_CASE("casts between all types follow the rules of the language") {
  for (DType from : all_types())
    for (DType to : all_types()) {
      if (from == to) continue;
      check(from, to, 16, "x86-64-v4");
      check(from, to, 8, "haswell");
      check(from, to, 4, "");
      check(from, to, 1, "");
    }
}

TEST_CASE("fp8 casts overflow to NaN or infinity when asked to") {
  for (DType from : all_types())
    for (DType to : {DType::f8e4m3fn, DType::f8e5m2})
      if (from != to)
        for (int width : {1, 16}) check(from, to, width, "", {.overflow = Overflow::ieee});
}

TEST_CASE("conversions between i64 and floats by the target's instructions") {
  for (DType from : {DType::i64, DType::u64})
    for (DType to : {DType::f64, DType::f32, DType::f16, DType::bf16})
      check(from, to, 8, "x86-64-v4", {.native_i64_to_float = true});
}
