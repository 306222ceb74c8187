// The specialisation of a call: facts of strides, of alignment, and those for GPUs.
#include <catch2/catch.hpp>
#include <random>

#include "graphs.hpp"
#include "runtime/launch/facts.hpp"
#include "runtime/launch/gpu_facts.hpp"

using namespace tine;
using namespace tine::launch;
using namespace tine::test;

TEST_CASE("facts of strides ignore dims of size 1", "[facts]") {
  const auto facts = [](std::vector<int64_t> shape, std::vector<int64_t> strides) {
    return stride_facts(TestTensor(nullptr, graph::DType::f32, std::move(shape), std::move(strides)).argument());
  };
  CHECK(facts({3, 4}, {4, 1}) == graph::SourceFacts{2, true, 1});
  CHECK(facts({1, 4}, {77, 1}) == graph::SourceFacts{2, true, 1});
  CHECK(facts({4, 1}, {1, 9}) == graph::SourceFacts{2, true, 1});
  CHECK(facts({0, 4}, {9, 9}) == graph::SourceFacts{2, true, 1});
  CHECK(facts({3, 4}, {8, 1}) == graph::SourceFacts{2, false, 1});
  CHECK(facts({3, 4}, {1, 3}) == graph::SourceFacts{1, false, 1});
  CHECK(facts({3, 4}, {-4, -1}) == graph::SourceFacts{0, false, 1});
  CHECK(facts({3, 4}, {0, 1}) == graph::SourceFacts{2, false, 1});
}

namespace {

graph::Specialization gpu_facts(const TracedKernel& k, const std::vector<TestTensor>& tensors) {
  std::vector<Argument> arguments;
  graph::Specialization facts;
  for (const TestTensor& t : tensors) {
    arguments.push_back(t.argument());
    facts.sources.push_back(stride_facts(arguments.back()));
  }
  add_gpu_facts(k, arguments, facts);
  return facts;
}

}  // namespace

TEST_CASE("facts for GPUs: multiples of 16 and capacities", "[facts]") {
  const TracedKernel k(plain_graph("Facts", 2));
  const auto of = [&](std::vector<int64_t> shape, std::vector<int64_t> strides) {
    const auto type = graph::DType::f32;
    return gpu_facts(k, {TestTensor(nullptr, type, shape, std::move(strides)), TestTensor(nullptr, type, shape)});
  };
  const auto bits = [&](std::vector<int64_t> shape, std::vector<int64_t> strides) {
    const graph::SourceFacts f = of(std::move(shape), std::move(strides)).sources[0];
    return std::pair(f.size16, f.stride16);
  };
  using Bits = std::pair<uint32_t, uint32_t>;
  CHECK(bits({3, 48}, {48, 1}) == Bits{2, 1});
  CHECK(bits({16, 5}, {5, 1}) == Bits{1, 0});
  CHECK(bits({16, 5}, {32, 1}) == Bits{1, 1});
  CHECK(bits({3, 5}, {-32, 16}) == Bits{0, 3});
  CHECK(bits({3, 5}, {0, 7}) == Bits{0, 1});
  CHECK(bits({1, 48}, {7, 1}) == Bits{2, 1});  // contiguous: as for any other number of rows
  CHECK(bits({1, 48}, {7, 2}) == Bits{2, 1});  // a stride that is never taken
  CHECK(bits({1, 48}, {7, 16}) == Bits{2, 3});

  // The tile is the whole matrix: 3 rows in a tile of 4, 64 columns in one of 64. Both sources have extents of their own.
  using Capacities = std::vector<graph::Capacity>;
  CHECK(of({3, 64}, {64, 1}).capacities == Capacities{{0, 4, false}, {1, 64, true}, {2, 4, false}, {3, 64, true}});
  CHECK(of({0, 1}, {1, 1}).capacities == Capacities{{0, 1, false}, {1, 1, true}, {2, 1, false}, {3, 1, true}});
}

TEST_CASE("facts for GPUs: when 32-bit indices do", "[facts]") {
  const auto whole = [](std::vector<int64_t> shape, std::vector<int64_t> strides) {
    const TracedKernel k(plain_graph("Narrow", 2));
    const auto type = graph::DType::f32;
    return gpu_facts(k, {TestTensor(nullptr, type, shape, std::move(strides)), TestTensor(nullptr, type, shape)})
        .narrow_index;
  };
  CHECK(whole({3, 5}, {5, 1}));
  CHECK(whole({3, 5}, {-5, -1}));
  CHECK(whole({1 << 14, 1 << 14}, {1 << 14, 1}));            // 2^30 bytes
  CHECK_FALSE(whole({1 << 15, 1 << 14}, {1 << 14, 1}));      // 2^31
  CHECK_FALSE(whole({3, 5}, {1 << 28, 1}));                  // rows 2^30 bytes apart, 4 with the padding
  CHECK_FALSE(whole({3, 5}, {-(1 << 28), 1}));
  CHECK(whole({2, 5}, {1 << 28, 1}));                        // the last row starts at 2^30
  CHECK_FALSE(whole({2, 5}, {int64_t{1} << 40, 1}));
  CHECK(whole({1, 5}, {int64_t{1} << 40, 1}));               // a stride that is never taken
  CHECK(whole({0, 5}, {5, 1}));

  const auto tiled = [](int64_t n, int64_t block, int64_t stride = 1) {
    const TracedKernel k(add_graph(block));
    const TestTensor t(nullptr, graph::DType::f32, {n}, {stride});
    return gpu_facts(k, {t, t, t}).narrow_index;
  };
  CHECK(tiled(1 << 28, 128));
  CHECK_FALSE(tiled(1 << 29, 128));  // 2^31 bytes
  CHECK(tiled(17, 4, 1 << 24));
  CHECK_FALSE(tiled(33, 4, 1 << 24));
  CHECK_FALSE(tiled(5, int64_t{1} << 31));  // a block of which nearly all lanes are out of range

  const TracedKernel count(count_graph());  // as many programs as elements
  const auto programs = [&](int64_t n) {
    return gpu_facts(count, {TestTensor(nullptr, graph::DType::i32, {n}, {0})}).narrow_index;
  };
  CHECK(programs(int64_t{1} << 30));
  CHECK_FALSE(programs(int64_t{1} << 31));

  // Places from three elements before the first: to each from the base, and from each to each other.
  graph::Graph before = count_graph();
  before.params[0].coords[0] = before.pool.add(before.params[0].coords[0], before.pool.num(-3));
  const TracedKernel padded(before);
  const auto shifted = [&](int64_t n, int64_t stride) {
    return gpu_facts(padded, {TestTensor(nullptr, graph::DType::i32, {n}, {stride})}).narrow_index;
  };
  CHECK(shifted(7, 1 << 26));        // from -3 2^28 bytes to 3 2^28
  CHECK_FALSE(shifted(7, 1 << 27));  // from -3 2^29 to 3 2^29
  CHECK_FALSE(shifted(7, -(1 << 27)));
  CHECK(shifted(1, 1 << 26));
  CHECK_FALSE(shifted(1, int64_t{1} << 40));  // one element, but other places are computed too
}

TEST_CASE("facts for GPUs: every index of random views is within the limits that they state", "[facts]") {
  std::mt19937 rng(11);
  for (int round = 0; round < 4000; ++round) {
    const int64_t block = 1 + static_cast<int64_t>(rng() % 300), n = static_cast<int64_t>(rng() % 5000);
    const int64_t stride = static_cast<int64_t>(rng() % (1 << 21)) - (1 << 20);
    const TracedKernel k(add_graph(block));
    const TestTensor t(nullptr, graph::DType::f32, {n}, {stride});
    const bool said = gpu_facts(k, {t, t, t}).narrow_index;
    // On paper: the last lane of the last tile, the tile filled up to a power of two.
    const int64_t tiles = (n + block - 1) / block;
    int64_t padded = 1;
    while (padded < block) padded *= 2;
    const int64_t last = (std::max<int64_t>(tiles, 1) - 1) * block + padded - 1;
    const double reach = n > 1 ? 4.0 * static_cast<double>(last) * std::abs(static_cast<double>(stride)) : 0;
    if (said) REQUIRE(reach < 2147483648.0);
    if (reach < 2146000000.0) REQUIRE(said);
  }
}

TEST_CASE("facts of alignment come in three classes", "[facts]") {
  alignas(64) static char memory[256];
  const auto of = [&](std::vector<int> at) {
    CommonAlignment c;
    for (int i : at) c.add(memory + i, 4);
    std::vector<uint32_t> out;
    for (int i : at) out.push_back(c.of(memory + i, 4));
    return out;
  };
  CHECK(of({0, 64}) == std::vector<uint32_t>{64, 64});
  CHECK(of({0, 32}) == std::vector<uint32_t>{16, 16});
  CHECK(of({0, 36}) == std::vector<uint32_t>{4, 4});
  CHECK(of({0, 33}) == std::vector<uint32_t>{4, 1});
}
