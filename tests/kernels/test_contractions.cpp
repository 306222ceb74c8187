// Loops that sum products up: all their rounds are one contraction on the CPU (codegen/cpu/accumulate_loop.hpp), in as many parts
// as there is room for. Numbers are small integers and powers of two, so that every sum is exact.
#include <cmath>
#include <cstdlib>

#include "check.hpp"
#include "examples/kernels/matmul.hpp"

using namespace tine;
using namespace tine::test;

namespace {

template <class T>
std::vector<T> integers(int64_t n, int seed) {
  std::vector<T> v;
  for (int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<float>((i * 7 + i / 13 + seed * 3) % 11 - 5);
    if constexpr (std::is_arithmetic_v<T>) v.push_back(static_cast<T>(x));
    else v.push_back(from_float<T>(x));
  }
  return v;
}
template <class T>
double number(T x) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(x);
  else return to_float(x);
}

// Wrong elements of c = a b, in blocks of bk.
template <class T, class R>
int64_t wrong(int64_t m, int64_t n, int64_t k, int64_t bk) {
  const std::vector<T> a = integers<T>(m * k, 1), b = integers<T>(k * n, 2);
  std::vector<R> c(static_cast<std::size_t>(m * n), static_cast<R>(-99));
  auto kernel = make(Matmul<T, R>{});
  kernel.set("bm", 16).set("bn", 32).set("bk", bk);
  kernel(view(a.data(), {m, k}), view(b.data(), {k, n}), view(c.data(), {m, n}));
  int64_t wrong = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += number(a[i * k + l]) * number(b[l * n + j]);
      wrong += number(c[i * n + j]) != sum;
    }
  return wrong;
}

// Three sums in one loop, whose bounds the call says; of a, of what is computed from it and used twice, and of what is
// computed from b.
struct Sums {
  static constexpr auto names = nt::names("from", "to", "by", "a", "b", "c", "d", "e");
  auto arrangement(nt::Scalar<i64> from, nt::Scalar<i64> to, nt::Scalar<i64> by, nt::Tensor<float, 2> a, nt::Tensor<float, 2> b,
                   nt::Tensor<float, 2> c, nt::Tensor<float, 2> d, nt::Tensor<float, 2> e) const {
    auto out = [](auto x) { return x.tile({32, 32}); };
    auto ct = out(c);
    auto at = a.tile({32, 8}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({8, 32}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{from, to, by, at, bt, ct, out(d), out(e)};
  }
  void application(auto from, auto to, auto by, auto a, auto b, auto& c, auto& d, auto& e) const {
    auto p = nt::zeros<float>({32, 32}), q = nt::full<float>({32, 32}, 3), r = nt::zeros<float>({32, 32});
    for (auto k : nt::range(nt::load(from), nt::load(to), nt::load(by))) {
      auto t = a[k], u = b[k];
      auto power = nt::exp2(t);
      p += nt::dot(t, u);
      q += nt::dot(power, u - 1.0f);
      r += nt::dot(power, u);
    }
    c = p, d = q, e = r;
  }
};

}  // namespace

TEST_CASE("contractions: more rounds than slots", "[product]") {
  if (std::getenv("TINE_DEVICE")) return;  // slots are the CPU's; on the PTX machine this would take long
  CHECK(wrong<float, float>(17, 35, 20003, 8) == 0);
  CHECK(wrong<float, float>(5, 7, 17000, 9000) == 0);
  CHECK(wrong<bf16, float>(19, 33, 33001, 24) == 0);
  CHECK(wrong<i8, int>(18, 34, 70001, 48) == 0);
}

TEST_CASE("contractions: several sums, computed operands, bounds of the call", "[product]") {
  const int64_t m = 45, n = 37, k = 1200;
  const std::vector<float> a = integers<float>(m * k, 1), b = integers<float>(k * n, 2);
  auto kernel = make(Sums{});
  struct Range { i64 from, to, by; };
  for (Range x : {Range{0, 150, 1}, Range{3, 150, 5}, Range{149, 150, 1}, Range{7, 7, 1}, Range{9, 2, 3}}) {
    INFO("from " << x.from << " to " << x.to << " by " << x.by);
    std::vector<float> c(static_cast<std::size_t>(m * n), -99.f), d(c), e(c);
    kernel(x.from, x.to, x.by, view(a.data(), {m, k}), view(b.data(), {k, n}), view(c.data(), {m, n}), view(d.data(), {m, n}), view(e.data(), {m, n}));
    int64_t wrong = 0;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double p = 0, q = 3, r = 0;
        for (i64 block = x.from; block < x.to; block += x.by)
          for (int64_t l = block * 8; l < block * 8 + 8; ++l) {
            const double t = a[i * k + l], u = b[l * n + j], power = std::exp2(t);
            p += t * u, q += power * (u - 1), r += power * u;
          }
        wrong += c[i * n + j] != p, wrong += d[i * n + j] != q, wrong += e[i * n + j] != r;
      }
    CHECK(wrong == 0);
  }
}
