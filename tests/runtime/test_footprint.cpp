// Ranges of memory and overlap, against brute force over all elements.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "graphs.hpp"
#include "runtime/launch/facts.hpp"
#include "runtime/launch/footprint.hpp"

using namespace tine;
using namespace tine::launch;
using namespace tine::test;

namespace {

// Offsets of all elements, one entry for each index.
std::vector<int64_t> offsets(const TestTensor& t) {
  const std::size_t rank = t.dims.size() / 2;
  std::vector<int64_t> out = {0};
  for (std::size_t d = 0; d < rank; ++d) {
    std::vector<int64_t> next;
    for (int64_t o : out)
      for (int64_t i = 0; i < t.dims[d]; ++i) next.push_back(o + i * t.dims[rank + d]);
    out = next;
  }
  return out;
}

bool share_bytes(const TestTensor& a, int64_t a_base, const TestTensor& b, int64_t b_base, int64_t element) {
  std::set<int64_t> bytes;
  for (int64_t o : offsets(a))
    for (int64_t k = 0; k < element; ++k) bytes.insert(a_base + o * element + k);
  for (int64_t o : offsets(b))
    for (int64_t k = 0; k < element; ++k)
      if (bytes.count(b_base + o * element + k)) return true;
  return false;
}

}  // namespace

TEST_CASE("overlap of two tensors is never missed, and rarely claimed in vain", "[footprint]") {
  std::mt19937 random(1);
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); };
  alignas(64) static char memory[4096];
  int claimed = 0, real = 0, apart = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto tensor = [&] {
      std::vector<int64_t> shape, strides;
      for (int d = pick(1, 3); d > 0; --d) shape.push_back(pick(round % 50 ? 1 : 0, 4)), strides.push_back(pick(-6, 6));
      return TestTensor(nullptr, graph::DType::f32, shape, strides);
    };
    const TestTensor a = tensor(), b = tensor();
    const int64_t x = 2048, y = 2048 + pick(-60, 60) * (round % 7 ? 4 : 1);
    const auto fa = footprint(a.argument(), 4), fb = footprint(b.argument(), 4);
    REQUIRE(fa);
    REQUIRE(fb);
    const bool truth = share_bytes(a, x, b, y, 4), said = may_overlap(*fa, memory + x, *fb, memory + y);
    REQUIRE((said || !truth));
    claimed += said;
    real += truth;
    apart += !truth;
  }
  INFO(claimed << " claimed, " << real << " real, " << apart << " apart");
  CHECK(claimed - real < (real + apart) / 4);
}

TEST_CASE("views that interleave without touching do not overlap", "[footprint]") {
  float memory[64];
  const TestTensor even(memory, graph::DType::f32, {16}, {2}), odd(memory + 1, graph::DType::f32, {16}, {2});
  const TestTensor left(memory, graph::DType::f32, {8, 4}, {8, 1}),
      right(memory + 4, graph::DType::f32, {8, 4}, {8, 1});
  const auto meet = [](const TestTensor& a, const TestTensor& b) {
    return may_overlap(*footprint(a.argument(), 4), a.data, *footprint(b.argument(), 4), b.data);
  };
  CHECK_FALSE(meet(even, odd));
  CHECK(meet(even, even));
  CHECK(meet(left, right));  // apart in truth; a claim in vain is allowed
}

TEST_CASE("elements of a tensor that share memory are never missed", "[footprint]") {
  std::mt19937 random(2);
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); };
  int vain = 0, injective = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<int64_t> shape, strides;
    for (int d = pick(0, 3); d > 0; --d) shape.push_back(pick(0, 4)), strides.push_back(pick(-12, 12));
    const TestTensor t(nullptr, graph::DType::f32, shape, strides);
    const std::vector<int64_t> all = offsets(t);
    const bool truth = std::set<int64_t>(all.begin(), all.end()).size() != all.size();
    const bool said = may_overlap_itself(t.argument());
    REQUIRE((said || !truth));
    vain += said && !truth;
    injective += !truth;
  }
  CHECK(vain < injective / 4);
  CHECK_FALSE(may_overlap_itself(TestTensor(nullptr, graph::DType::f32, {3, 4, 5}).argument()));
  CHECK_FALSE(may_overlap_itself(TestTensor(nullptr, graph::DType::f32, {4, 5}, {1, -4}).argument()));
  CHECK(may_overlap_itself(TestTensor(nullptr, graph::DType::f32, {4, 5}, {0, 1}).argument()));
  CHECK_FALSE(may_overlap_itself(TestTensor(nullptr, graph::DType::f32, {1, 5}, {0, 1}).argument()));
}

TEST_CASE("footprints: ranges and what does not fit in 64 bits", "[footprint]") {
  const auto of = [](std::vector<int64_t> shape, std::vector<int64_t> strides) {
    return footprint(TestTensor(nullptr, graph::DType::f32, std::move(shape), std::move(strides)).argument(), 4);
  };
  CHECK(of({3, 4}, {-4, 1})->lo == -32);
  CHECK(of({3, 4}, {-4, 1})->hi == 16);
  CHECK(of({0, 4}, {4, 1})->empty);
  CHECK(of({}, {})->hi == 4);
  CHECK_FALSE(of({int64_t{1} << 40, int64_t{1} << 40}, {int64_t{1} << 40, 1}));
  CHECK_FALSE(of({2, 2}, {INT64_MAX, 1}));
  CHECK_FALSE(of({2, 2}, {int64_t{1} << 61, -(int64_t{1} << 61)}));
  CHECK(of({1, 2}, {INT64_MAX, 1})->hi == 8);  // a stride that is never taken
}
