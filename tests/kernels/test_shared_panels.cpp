// Packed operands that programs share (codegen/cpu/keep.hpp): never those of another launch, another tile, or from before a
// store. Numbers are small integers, so that every sum is exact.
#include <cstdlib>

#include "check.hpp"
#include "examples/kernels/matmul.hpp"

using namespace tine;
using namespace tine::test;

namespace {

std::vector<float> integers(int64_t n, int seed) {
  std::vector<float> v;
  for (int64_t i = 0; i < n; ++i) v.push_back(static_cast<float>((i * 7 + seed * 3) % 11 - 5));
  return v;
}
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int64_t m, int64_t n, int64_t k) {
  std::vector<float> c(static_cast<std::size_t>(m * n), 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

// Each program sums up a product with all blocks of b, and adds 1 to every element of b behind itself.
struct StoresToShared {
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<float, 2> a, nt::Tensor<float, 2> b, nt::Tensor<float, 2> c) const {
    auto ct = c.tile({32, 32});
    auto at = a.tile({32, 32}).tile({1, nt::whole}).squeeze(0, nt::level<1>);
    auto bt = b.tile({32, 32}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{at, bt, ct};
  }
  void application(auto a, auto& b, auto& c) const {
    auto sum = nt::zeros<float>({32, 32});
    for (auto k : nt::range(b.size(0))) {
      sum += nt::dot(a[k], b[k]);
      b[k] = b[k] + 1;
    }
    c = sum;
  }
};

// Block k of a times block k + ahead of b, which is 0 past the last.
struct Ahead {
  static constexpr auto names = nt::names("ahead", "a", "b", "c");
  auto arrangement(nt::Scalar<i64> ahead, nt::Tensor<float, 2> a, nt::Tensor<float, 2> b, nt::Tensor<float, 2> c) const {
    auto ct = c.tile({32, 32});
    auto at = a.tile({32, 32}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({32, 32}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{ahead, at, bt, ct};
  }
  void application(auto ahead, auto a, auto b, auto& c) const {
    auto sum = nt::zeros<float>({32, 32});
    for (auto k : nt::range(a.size(0))) sum += nt::dot(a[k], b[nt::load(ahead) + k]);
    c = sum;
  }
};

}  // namespace

TEST_CASE("shared panels: another launch packs anew", "[product]") {
  const int64_t m = 100, n = 75, k = 90;
  for (int threads : {1, 2})
    for (bool turned : {false, true}) {
      INFO(threads << " threads, b turned: " << turned);
      auto kernel = make(Matmul<float>{});
      kernel.set("bm", 32).set("bn", 32).set("bk", 32).threads(threads);
      const std::vector<float> a = integers(m * k, 1);
      std::vector<float> memory(static_cast<std::size_t>(k * n)), c(static_cast<std::size_t>(m * n));
      for (int seed : {2, 3, 4}) {
        const std::vector<float> b = integers(k * n, seed);
        for (int64_t l = 0; l < k; ++l)
          for (int64_t j = 0; j < n; ++j) memory[turned ? j * k + l : l * n + j] = b[l * n + j];
        std::fill(c.begin(), c.end(), -99.f);
        kernel(view(a.data(), {m, k}), view(memory.data(), {k, n}, {turned ? 1 : n, turned ? k : 1}), view(c.data(), {m, n}));
        CHECK(c == product(a, b, m, n, k));
      }
    }
}

TEST_CASE("shared panels: bytes", "[product]") {
  const int64_t m = 70, n = 75, k = 90;
  std::vector<i8> a, b;
  for (float x : integers(m * k, 1)) a.push_back(static_cast<i8>(x * 20));
  for (float x : integers(k * n, 2)) b.push_back(static_cast<i8>(x * 20));
  std::vector<int> c(static_cast<std::size_t>(m * n), -99);
  auto kernel = make(Matmul<i8, int>{});
  kernel.set("bm", 32).set("bn", 32).set("bk", 32);
  for (int round : {0, 1}) {
    kernel(view(a.data(), {m, k}), view(b.data(), {k, n}), view(c.data(), {m, n}));
    int wrong = 0;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        int sum = 0;
        for (int64_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
        wrong += sum != c[i * n + j];
      }
    CHECK(wrong == 0);
    for (i8& x : b) x = static_cast<i8>(-x + round);
  }
}

TEST_CASE("shared panels: not of what the kernel stores to", "[product]") {
  if (std::getenv("TINE_DEVICE")) return;  // its programs are ordered by one thread; a GPU runs them at the same time
  const int64_t m = 64, n = 32, k = 64;
  const std::vector<float> once = integers(32 * k, 1);
  std::vector<float> a(once);
  a.insert(a.end(), once.begin(), once.end());  // both programs multiply the same rows
  std::vector<float> b = integers(k * n, 2);
  const std::vector<float> before(b);
  std::vector<float> later(b);
  for (float& x : later) x += 1;
  std::vector<float> c(static_cast<std::size_t>(m * n), -99.f);
  auto kernel = make(StoresToShared{});
  kernel.threads(1);
  kernel(view(a.data(), {m, k}), view(b.data(), {k, n}), view(c.data(), {m, n}));
  // The order of programs is nobody's business: the two results, in either order.
  const std::vector<float> first = product(once, before, 32, n, k), second = product(once, later, 32, n, k);
  const std::vector<float> top(c.begin(), c.begin() + 32 * n), bottom(c.begin() + 32 * n, c.end());
  CHECK(((top == first && bottom == second) || (top == second && bottom == first)));
  for (float& x : later) x += 1;
  CHECK(b == later);
}

TEST_CASE("shared panels: memory that overlaps the result", "[product]") {
  // c's only column block lies where b's second one would: b is read through another view of the same memory.
  const int64_t m = 96, n = 32, k = 32;
  std::vector<float> memory = integers(m * n, 5);  // rows 0..31 are b, and c is all of it
  const std::vector<float> a = integers(32 * k, 1);
  // One program alone, so that the order is known: c = a b over b itself.
  const std::vector<float> b(memory.begin(), memory.begin() + k * n);
  auto kernel = make(Matmul<float>{});
  kernel.set("bm", 32).set("bn", 32).set("bk", 32);
  kernel(view(a.data(), {32, k}), view(memory.data(), {k, n}), view(memory.data(), {32, n}));
  CHECK(std::vector<float>(memory.begin(), memory.begin() + 32 * n) == product(a, b, 32, n, k));
}

TEST_CASE("shared panels: indices past the level", "[product]") {
  const int64_t m = 64, n = 64, k = 96;
  const std::vector<float> a = integers(m * k, 1), b = integers(k * n, 2);
  auto kernel = make(Ahead{});
  for (i64 ahead : {0, 1, 2, 3, -1}) {
    INFO("ahead " << ahead);
    std::vector<float> moved(static_cast<std::size_t>(k * n), 0), c(static_cast<std::size_t>(m * n), -99.f);
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j)
        if (const int64_t from = l + ahead * 32; from >= 0 && from < k) moved[l * n + j] = b[from * n + j];
    kernel(ahead, view(a.data(), {m, k}), view(b.data(), {k, n}), view(c.data(), {m, n}));
    CHECK(c == product(a, moved, m, n, k));
  }
}
