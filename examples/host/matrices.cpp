// Products: operands may be any views (here b is used transposed, as it lies), element types may be mixed, and sizes
// that do not fit are an error that says so.
#include <cstdio>

#include "examples/kernels/addmm.hpp"
#include "examples/kernels/bmm.hpp"
#include "examples/kernels/matmul.hpp"
#include "examples/support/compare.hpp"
#include "examples/support/reference.hpp"

using namespace examples;

namespace {

template <class T>
int product(const char* what, int64_t m, int64_t n, int64_t k) {
  auto matmul = tine::make(Matmul<T>{});
  const auto a = random_vector<T>(m * k, 1), b = random_vector<T>(k * n, 2);
  std::vector<T> c(static_cast<std::size_t>(m * n));
  matmul(tine::view(a, {m, k}), tine::view(b, {k, n}), tine::view(c, {m, n}));
  return report(what, compare(c, reference::matmul(widened(a), widened(b), m, n, k), of_products<T>(k)));
}

int transposed_operand() {
  const int64_t m = 70, n = 130, k = 301;
  auto matmul = tine::make(Matmul<float>{});
  const auto a = random_vector<float>(m * k, 3), b = random_vector<float>(n * k, 4);  // b as (n, k)
  std::vector<float> c(static_cast<std::size_t>(m * n));
  matmul(tine::view(a, {m, k}), tine::View<const float, 2>(b.data(), {k, n}, {1, k}), tine::view(c, {m, n}));
  const Doubles want = reference::matmul(widened(a), reference::transpose(widened(b), n, k), m, n, k);
  return report("matmul, b transposed as it lies", compare(c, want, of_products<float>(k)));
}

int integers() {
  const int64_t m = 65, n = 66, k = 67;
  auto matmul = tine::make(Matmul<tine::i8, tine::i32>{});
  Random random(5);
  std::vector<tine::i8> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  for (auto* v : {&a, &b})
    for (auto& x : *v) x = static_cast<tine::i8>(random.integer(-128, 127));
  std::vector<tine::i32> c(static_cast<std::size_t>(m * n));
  matmul(tine::view(a, {m, k}), tine::view(b, {k, n}), tine::view(c, {m, n}));
  return report("matmul, int8 into int32", compare(c, reference::matmul(widened(a), widened(b), m, n, k), {}));
}

int with_addend() {
  const int64_t m = 100, n = 90, k = 80;
  auto addmm = tine::make(Addmm<float>{});
  const auto x = random_vector<float>(m * n, 6), a = random_vector<float>(m * k, 7), b = random_vector<float>(k * n, 8);
  std::vector<float> y(x.size());
  addmm(tine::view(x, {m, n}), tine::view(a, {m, k}), tine::view(b, {k, n}), 0.5, -2, tine::view(y, {m, n}));
  Doubles want = reference::matmul(widened(a), widened(b), m, n, k);
  for (std::size_t i = 0; i < want.size(); ++i) want[i] = 0.5 * widen(x[i]) - 2 * want[i];
  return report("addmm", compare(y, want, of_products<float>(2 * k)));
}

int batched() {
  const int64_t batch = 3, m = 37, n = 61, k = 45;
  auto bmm = tine::make(Bmm<float>{});
  const auto a = random_vector<float>(batch * m * k, 9), b = random_vector<float>(batch * k * n, 10);
  std::vector<float> c(static_cast<std::size_t>(batch * m * n));
  bmm(tine::view(a, {batch, m, k}), tine::view(b, {batch, k, n}), tine::view(c, {batch, m, n}));
  Doubles want;
  for (int64_t i = 0; i < batch; ++i) {
    const Doubles x = widened(a), y = widened(b);
    const Doubles one = reference::matmul(Doubles(x.begin() + i * m * k, x.begin() + (i + 1) * m * k),
                                          Doubles(y.begin() + i * k * n, y.begin() + (i + 1) * k * n), m, n, k);
    want.insert(want.end(), one.begin(), one.end());
  }
  return report("bmm", compare(c, want, of_products<float>(k)));
}

int refused() {
  auto matmul = tine::make(Matmul<float>{});
  std::vector<float> a(12), b(12), c(12);
  try {
    matmul(tine::view(a, {3, 4}), tine::view(b, {3, 4}), tine::view(c, {3, 4}));
  } catch (const tine::UserError& e) {
    std::printf("refused: %s\n", e.what());
    return 0;
  }
  std::printf("matmul took shapes that do not fit\n");
  return 1;
}

}  // namespace

int main() {
  int wrong = product<float>("matmul, f32", 333, 257, 1536) + product<tine::f16>("matmul, f16", 111, 222, 333) +
              product<tine::bf16>("matmul, bf16", 111, 222, 333) + product<double>("matmul, f64", 50, 60, 70);
  wrong += transposed_operand() + integers() + with_addend() + batched() + refused();
  return wrong ? 1 : 0;
}
