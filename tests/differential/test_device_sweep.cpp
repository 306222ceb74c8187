// Products, attention, softmax and transposes of random shapes (1 to 150 in each dim), layouts and configs, on the CPU and
// on an emulated GPU: both must be as close to f64 as the arithmetic allows, and equal where it is exact. Races, accesses
// out of bounds and reads of unwritten memory end a call. Each call has a number; TINE_SWEEP_CALL=N makes that call alone,
// TINE_SWEEP=20 makes twenty times as many.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "examples/kernels/attention.hpp"
#include "examples/kernels/bmm.hpp"
#include "examples/kernels/matmul.hpp"
#include "examples/kernels/softmax.hpp"
#include "examples/kernels/transpose.hpp"
#include "sweep.hpp"

using namespace tine;
using namespace tine::test;

namespace {

/// The random decisions of one call, and what they were.
class Draw {
 public:
  Draw(const std::string& what, uint32_t call) : text_(what + ", TINE_SWEEP_CALL=" + std::to_string(call)) {
    std::seed_seq seed(text_.begin(), text_.end());
    random.seed(seed);
  }
  int64_t below(int64_t n) { return int64_t(random() % uint32_t(n)); }
  /// A size from 1 to 150; every third is a multiple of 16.
  int64_t size(const char* name) {
    const int64_t n = below(3) ? 1 + below(150) : 16 * (1 + below(9));
    say(name, n);
    return n;
  }
  int64_t pick(const char* name, std::initializer_list<int64_t> from) {
    const int64_t v = from.begin()[below(int64_t(from.size()))];
    say(name, v);
    return v;
  }
  template <class T>
  typename Matrix<T>::Layout layout() {
    const int64_t l = below(Matrix<T>::layouts);
    say("layout", l);
    return typename Matrix<T>::Layout(l);
  }
  /// Meta-parameters for both callables, options for the device's.
  template <class K>
  void set(K& kernel, K& device, const char* name, std::initializer_list<int64_t> from) {
    const int64_t v = small ? *std::min_element(from.begin(), from.end()) : pick(name, from);
    kernel.set(name, v), device.set(name, v);
  }
  template <class K>
  void options(K& device) {
    if (small) return;
    const auto option = [&](const char* key, const char* value) {
      if (!*value) return;
      device.option(key, value);
      text_ += std::string(", ") + key + " " + value;
    };
    constexpr const char* warps[] = {"", "", "1", "2", "4", "8"};
    constexpr const char* stages[] = {"", "", "1", "2", "3", "4"};
    constexpr const char* orders[] = {"", "", "", "persistent", "grouped:2", "persistent,grouped:3"};
    constexpr const char* splits[] = {"", "", "", "64", "1024"};
    option("warps", warps[below(6)]), option("stages", stages[below(6)]), option("order", orders[below(6)]), option("split", splits[below(5)]);
  }
  const std::string& text() const { return text_; }

  std::mt19937 random;
  bool small = false;  ///< small blocks and no options

 private:
  void say(const char* name, int64_t v) { text_ += std::string(", ") + name + " " + std::to_string(v); }
  std::string text_;
};

/// `n` calls of f(Draw&), or that of TINE_SWEEP_CALL. A call that throws is a failure of its own.
template <class F>
void sweep(const std::string& what, uint32_t n, F&& f) {
  const char *more = std::getenv("TINE_SWEEP"), *only = std::getenv("TINE_SWEEP_CALL");
  if (more) n *= uint32_t(std::max(1, std::atoi(more)));
  uint32_t first = 0;
  if (only) first = uint32_t(std::atoi(only)), n = first + 1;
  for (uint32_t call = first; call < n; ++call) {
    for (bool small : {false, true}) {
      Draw draw(what, call);
      draw.small = small;
      try {
        f(draw);
      } catch (const Error& e) {
        if (!small && std::string(e.id()) == "too_large_for_gpu") continue;  // this config; the shape runs under another
        FAIL_CHECK(draw.text() << ": " << e.what());
      }
      break;
    }
  }
}

template <class K>
auto on_cpu(const K& kernel) {
  auto callable = make(kernel);
  callable.device("cpu");
  return callable;
}

struct Tf32 : Matmul<float> {
  Precision precision = Precision::tf32;
  void application(auto a, auto b, auto& c) const {
    auto sum = nt::zeros<float>(c.shape());
    for (auto k : nt::range(a.size(0))) sum += nt::dot(a[k], b[k], precision);
    c = sum;
  }
};

/// `operands`: relative error of a product of two rounded elements.
template <class T, class R, class U = T, class K = Matmul<T, R, U>>
void products(const std::string& what, uint32_t n, const K& kernel = {}, double operands = 0) {
  sweep("matmul " + what, n, [&](Draw& draw) {
    const int64_t m = draw.size("m"), n = draw.size("n"), k = draw.size("k");
    auto plain = on_cpu(kernel), device = make(kernel);
    const bool small = sizeof(T) == 8 || draw.below(2);
    draw.set(plain, device, "bm", small ? std::initializer_list<int64_t>{16, 32, 64, 5} : std::initializer_list<int64_t>{64, 128, 48});
    draw.set(plain, device, "bn", small ? std::initializer_list<int64_t>{16, 64, 32, 7} : std::initializer_list<int64_t>{64, 128, 96});
    draw.set(plain, device, "bk", {32, 16, 64, 24, 3});
    draw.options(device);
    Matrix<T> a(m, k, draw.layout<T>());
    Matrix<U> b(k, n, draw.layout<U>());
    const auto layout = draw.layout<R>();
    Matrix<R> c(m, n, layout), d(m, n, layout);
    a.fill(draw.random), b.fill(draw.random);
    INFO(draw.text());
    plain(std::as_const(a).view(), std::as_const(b).view(), c.view());
    device(std::as_const(a).view(), std::as_const(b).view(), d.view());
    CHECK(d.damaged() == 0);
    CHECK(wrong_products(a, b, c, m, n, k, operands) == 0);
    CHECK(wrong_products(a, b, d, m, n, k, operands) == 0);
  });
}

/// (batch, heads, n, d) in the memory of a matrix of d columns; heads within positions, or positions within heads.
template <class T, class M>
View<T, 4> heads(M& memory, int64_t batch, int64_t heads, int64_t n, int64_t d, bool within) {
  const auto v = memory.view();
  const int64_t row = v.stride(0);
  return {v.data(), {batch, heads, n, d}, {heads * n * row, within ? row : n * row, within ? heads * row : row, v.stride(1)}};
}

template <class T>
void attentions(const std::string& what, uint32_t calls) {
  sweep("attention " + what, calls, [&](Draw& draw) {
    const int64_t batch = draw.pick("batch", {1, 2}), keys = draw.pick("key heads", {1, 2}), group = draw.pick("group", {1, 1, 3}) == 3 && batch * keys == 1 ? 3 : 1;
    const int64_t h = keys * group, n = draw.size("queries"), length = draw.size("keys"), d = draw.pick("dim", {64, 16, 80, 1 + draw.below(150)});
    Attention<T> a;
    a.causal = Causal(draw.pick("causal", {0, 1, 2}));
    auto plain = on_cpu(a), device = make(a);
    draw.set(plain, device, "bm", {64, 16, 32, 5});
    draw.set(plain, device, "bn", {64, 16, 32, 7});
    draw.options(device);
    const float scale = 1 / std::sqrt(float(d));
    Matrix<T> q(batch * h * n, d, draw.layout<T>()), k(batch * keys * length, d, draw.layout<T>()), v(batch * keys * length, d, draw.layout<T>());
    const auto layout = draw.layout<T>();
    Matrix<T> o[] = {{batch * h * n, d, layout}, {batch * h * n, d, layout}};
    q.fill(draw.random), k.fill(draw.random), v.fill(draw.random);
    const bool within = draw.below(2);
    INFO(draw.text());
    const auto call = [&](auto& kernel, Matrix<T>& out) {
      kernel(heads<const T>(std::as_const(q), batch, h, n, d, within), heads<const T>(std::as_const(k), batch, keys, length, d, within),
             heads<const T>(std::as_const(v), batch, keys, length, d, within), scale, heads<T>(out, batch, h, n, d, within));
      CHECK(out.damaged() == 0);
    };
    call(plain, o[0]), call(device, o[1]);

    const auto row = [&](int64_t b, int64_t head, int64_t of, int64_t i, int64_t rows) {
      return within ? (b * rows + i) * of + head : (b * of + head) * rows + i;
    };
    // A weight is 2^(score - largest): its relative error is that of the exponent (a product of d terms, scaled, and
    // subtracted from the largest; twice as much, since the largest has the same error), 2 ulp of exp2, and the same again
    // each time that a block's sum is rescaled. Numerator and denominator each have it, and a sum of `length` terms; the
    // numerator also rounds weights to T.
    int64_t wrong[] = {0, 0};
    const std::vector<double> qs = q.values(), ks = k.values(), vs = v.values();
    std::vector<double> score(std::size_t(length), 0.0);
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t head = 0; head < h; ++head)
        for (int64_t i = 0; i < n; ++i) {
          const int64_t from = row(b, head, h, i, n);
          const int64_t seen = a.causal == Causal::none ? length : std::clamp<int64_t>(i + 1 + (a.causal == Causal::top_left ? 0 : length - n), 0, length);
          double largest = -INFINITY, smallest = INFINITY, sizes = 0, total = 0;
          for (int64_t j = 0; j < seen; ++j) {
            double s = 0, size = 0;
            for (int64_t l = 0; l < d; ++l) {
              const double p = qs[std::size_t(from * d + l)] * ks[std::size_t(row(b, head / group, keys, j, length) * d + l)] * double(scale);
              s += p, size += std::fabs(p);
            }
            score[std::size_t(j)] = s;
            largest = std::max(largest, s), smallest = std::min(smallest, s), sizes = std::max(sizes, size);
          }
          for (int64_t j = 0; j < seen; ++j) total += score[std::size_t(j)] = std::exp(score[std::size_t(j)] - largest);
          if (seen == 0) sizes = largest = smallest = 0;  // the row is 0
          const double exponent = 2 * double(d + 4) * 0x1p-24 * sizes + 4 * 0x1p-24 * (largest - smallest);
          const double weight = exponent + double(length + 8) * 0x1p-22;
          for (int64_t l = 0; l < d; ++l) {
            double want = 0, size = 0, all = 0;
            for (int64_t j = 0; j < seen; ++j) {
              const double x = vs[std::size_t(row(b, head / group, keys, j, length) * d + l)], p = score[std::size_t(j)] / total * x;
              want += p, size += std::fabs(p), all += std::fabs(x);
            }
            const double bound = (2 * weight + rounding<T>) * size + rounding<T> * std::fabs(want) + least_step<T> * (all + 1);
            for (int which : {0, 1}) wrong[which] += !(std::fabs(o[which].at(from, l) - want) <= bound);
          }
        }
    CHECK(wrong[0] == 0);
    CHECK(wrong[1] == 0);
  });
}

template <class T>
void softmaxes(const std::string& what, uint32_t calls) {
  sweep("softmax " + what, calls, [&](Draw& draw) {
    const int64_t m = draw.size("m"), n = draw.size("n") * draw.pick("times", {1, 1, 5});
    auto plain = on_cpu(Softmax<T>{}), device = make(Softmax<T>{});
    draw.set(plain, device, "rows", {1, 4, 3, 16});
    draw.set(plain, device, "block", {64, 256, 1024, 100});
    draw.options(device);
    Matrix<T> x(m, n, draw.layout<T>());
    const auto layout = draw.layout<T>();
    Matrix<T> y[] = {{m, n, layout}, {m, n, layout}};
    x.fill(draw.random);
    INFO(draw.text());
    plain(std::as_const(x).view(), y[0].view());
    device(std::as_const(x).view(), y[1].view());
    CHECK(y[1].damaged() == 0);
    for (const Matrix<T>& got : y) {
      int64_t wrong = 0;
      for (int64_t i = 0; i < m; ++i) {
        double sum = 0;
        for (int64_t j = 0; j < n; ++j) sum += std::exp(x.at(i, j));
        for (int64_t j = 0; j < n; ++j) {
          const double want = std::exp(x.at(i, j)) / sum;
          // exp within 2 ulp of an argument that was rounded once (|x - max| <= 2), n terms, a quotient.
          wrong += !(std::fabs(got.at(i, j) - want) <= (double(n + 16) * 0x1p-24 + rounding<T>) * want + least_step<T>);
        }
      }
      CHECK(wrong == 0);
    }
  });
}

template <class T>
void transposes(const std::string& what, uint32_t calls) {
  sweep("transpose " + what, calls, [&](Draw& draw) {
    const int64_t m = draw.size("m"), n = draw.size("n");
    auto plain = on_cpu(Transpose<T>{}), device = make(Transpose<T>{});
    draw.set(plain, device, "bm", {64, 32, 16, 7});
    draw.set(plain, device, "bn", {64, 32, 16, 9});
    draw.options(device);
    Matrix<T> x(m, n, draw.layout<T>());
    const auto layout = draw.layout<T>();
    Matrix<T> y[] = {{n, m, layout}, {n, m, layout}};
    x.fill(draw.random);
    INFO(draw.text());
    plain(std::as_const(x).view(), y[0].view());
    device(std::as_const(x).view(), y[1].view());
    CHECK(y[1].damaged() == 0);
    for (Matrix<T>& got : y) {
      int64_t wrong = 0;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) wrong += std::memcmp(&x.view()(i, j), &got.view()(j, i), sizeof(T)) != 0;
      CHECK(wrong == 0);
    }
  });
}

}  // namespace

TEST_CASE("products on CPU and GPU", "[sweep]") {
  products<f16, f16>("f16", 4);
  products<f16, float>("f16 into f32", 4);
  products<bf16, bf16>("bf16", 4);
  products<bf16, float>("bf16 into f32", 4);
  products<float, float>("f32", 4);
  products<double, double>("f64", 4);
  products<i8, i32>("i8", 4);
  products<u8, i32>("u8", 4);
  products<u8, i32, i8>("u8 with i8", 4);
  products<i8, i32, u8>("i8 with u8", 4);
  products<f8e4m3fn, float>("f8e4m3fn", 4);
  products<f8e5m2, float>("f8e5m2", 4);
}

TEST_CASE("products in tf32 on CPU and GPU", "[sweep]") {
  // 11 bits of each operand are kept; of three products of two such parts, the smallest is left out.
  products<float, float>("tf32", 4, Tf32{}, 2 * 0x1p-11 + 0x1p-20);
  Tf32 three;
  three.precision = Precision::tf32x3;
  products<float, float>("tf32x3", 4, three, 3 * 0x1p-22);
}

TEST_CASE("attention on CPU and GPU", "[sweep]") {
  attentions<f16>("f16", 5);
  attentions<bf16>("bf16", 5);
  attentions<float>("f32", 5);
}

TEST_CASE("softmax on CPU and GPU", "[sweep]") {
  softmaxes<float>("f32", 5);
  softmaxes<f16>("f16", 5);
  softmaxes<bf16>("bf16", 5);
}

TEST_CASE("transposes on CPU and GPU", "[sweep]") {
  transposes<float>("f32", 3);
  transposes<f16>("f16", 3);
  transposes<bf16>("bf16", 2);
  transposes<double>("f64", 3);
  transposes<i8>("i8", 3);
  transposes<u8>("u8", 2);
  transposes<i16>("i16", 2);
  transposes<u16>("u16", 2);
  transposes<i32>("i32", 2);
  transposes<u32>("u32", 2);
  transposes<i64>("i64", 2);
  transposes<u64>("u64", 2);
  transposes<bool>("bool", 3);
  transposes<f8e4m3fn>("f8e4m3fn", 2);
  transposes<f8e5m2>("f8e5m2", 2);
}
