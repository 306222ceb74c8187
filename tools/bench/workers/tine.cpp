// Contestant: Tine's example kernels. Meta-parameters can be tried by BENCH_SET="bm=64 bn=64".
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <sstream>

#include "examples/kernels/add.hpp"
#include "examples/kernels/addmm.hpp"
#include "examples/kernels/attention.hpp"
#include "examples/kernels/bmm.hpp"
#include "examples/kernels/conv2d.hpp"
#include "examples/kernels/matmul.hpp"
#include "examples/kernels/rms_norm.hpp"
#include "examples/kernels/rope.hpp"
#include "examples/kernels/silu.hpp"
#include "examples/kernels/softmax.hpp"
#include "examples/kernels/swiglu.hpp"
#include "examples/kernels/transpose.hpp"
#include "tools/bench/workers/worker.hpp"

namespace {

using bench::Case;
using bench::Job;

template <class T>
T narrow(float x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::nearbyint(x));
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(x);
  else
    return tine::from_float<T>(static_cast<double>(x));
}
template <class T>
float widen(T x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<float>(x);
  else
    return tine::to_float(x);
}

/// On an emulated GPU, memory as GPU runtimes give it: at a multiple of 256 bytes. Else as the peers have it.
const auto alignment = std::align_val_t(std::getenv("TINE_DEVICE") ? 256 : alignof(std::max_align_t));
template <class T>
struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  bool operator==(const Aligned&) const { return true; }
};
template <class T>
using Elements = std::vector<T, Aligned<T>>;
template <class T>
using Buffer = std::shared_ptr<Elements<T>>;
template <class T>
Buffer<T> buffer(int64_t n, uint64_t seed, float scale = 1) {
  if constexpr (std::is_integral_v<T>) scale = 127;
  const std::vector<float> source = bench::data(n, seed, scale);
  auto v = std::make_shared<Elements<T>>(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) (*v)[i] = narrow<T>(source[i]);
  return v;
}
template <class T>
Buffer<T> result(int64_t n) {
  return std::make_shared<Elements<T>>(static_cast<std::size_t>(n));
}

template <class K>
tine::Kernel<K> configured(const K& kernel) {
  auto callable = tine::make(kernel);
  if (const char* set = std::getenv("BENCH_SET")) {
    std::istringstream words(set);
    for (std::string word; words >> word;) {
      const std::size_t at = word.find('=');
      callable.set(word.substr(0, at).c_str(), std::stoll(word.substr(at + 1)));
    }
  }
  return callable;
}

template <class T, class K, class Run>
Job job(const Buffer<T>& y, const K& kernel, Run run) {
  run();  // block sizes are chosen by then
  return {run,
          [y] {
            std::vector<float> v;
            for (const T x : *y) v.push_back(widen(x));
            return v;
          },
          kernel.config()};
}

template <class T>
Job vectors(const Case& c) {
  const int64_t n = c[0] * c[1];
  const auto a = buffer<T>(n, 1, 4), b = buffer<T>(n, 2), y = result<T>(n);
  if (c.operation == "add") {
    auto k = configured(Add<T>{});
    return job(y, k, [=] { k(*a, *b, *y); });
  }
  if (c.operation == "swiglu") {
    auto k = configured(Swiglu<T>{});
    return job(y, k, [=] { k(*a, *b, *y); });
  }
  auto k = configured(Silu<T>{});
  return job(y, k, [=] { k(*a, *y); });
}

template <class T>
Job rows(const Case& c) {
  const int64_t m = c[0], n = c[1];
  const auto x = buffer<T>(m * n, 1, 4), w = buffer<T>(n, 2), y = result<T>(m * n);
  const tine::View<T, 2> vx = tine::view(*x, {m, n}), vy = tine::view(*y, {m, n});
  if (c.operation == "softmax") {
    auto k = configured(Softmax<T>{});
    return job(y, k, [=, keep = x] { k(vx, vy); });
  }
  if (c.operation == "transpose") {
    auto k = configured(Transpose<T>{});
    return job(y, k, [=, keep = x] { k(vx, tine::view(*y, {n, m})); });
  }
  auto k = configured(RmsNorm<T>{});
  return job(y, k, [=, keep = x] { k(vx, *w, 1e-6, vy); });
}

template <class T, class R>
Job matmul(const Case& c) {
  const int64_t m = c[0], n = c[1], d = c[2];
  const auto a = buffer<T>(m * d, 1), b = buffer<T>(d * n, 2);
  const auto y = result<R>(m * n);
  auto k = configured(Matmul<T, R>{});
  return job(y, k, [=] { k(tine::view(*a, {m, d}), tine::view(*b, {d, n}), tine::view(*y, {m, n})); });
}

template <class T>
Job addmm(const Case& c) {
  const int64_t m = c[0], n = c[1], d = c[2];
  const auto x = buffer<T>(m * n, 3), a = buffer<T>(m * d, 1), b = buffer<T>(d * n, 2), y = result<T>(m * n);
  auto k = configured(Addmm<T>{});
  return job(y, k, [=] {
    k(tine::view(*x, {m, n}), tine::view(*a, {m, d}), tine::view(*b, {d, n}), 0.5, 2.0, tine::view(*y, {m, n}));
  });
}

template <class T>
Job bmm(const Case& c) {
  const int64_t batch = c[0], m = c[1], n = c[2], d = c[3];
  const auto a = buffer<T>(batch * m * d, 1), b = buffer<T>(batch * d * n, 2), y = result<T>(batch * m * n);
  auto k = configured(Bmm<T>{});
  return job(y, k, [=] {
    k(tine::view(*a, {batch, m, d}), tine::view(*b, {batch, d, n}), tine::view(*y, {batch, m, n}));
  });
}

template <class T>
Job rope(const Case& c) {  // tokens, heads, dim
  const int64_t n = c[0], h = c[1], d = c[2];
  const auto x = buffer<T>(n * h * d, 1), y = result<T>(n * h * d);
  const auto sin = buffer<float>(n * d / 2, 2), cos = buffer<float>(n * d / 2, 3);
  auto k = configured(Rope<T>{});
  return job(y, k, [=] {
    k(tine::view(*x, {1, n, h, d}), tine::view(*sin, {n, d / 2}), tine::view(*cos, {n, d / 2}), tine::view(*y, {1, n, h, d}));
  });
}

template <class T>
Job attention(const Case& c) {  // heads, tokens, dim
  const int64_t h = c[0], n = c[1], d = c[2];
  const auto q = buffer<T>(h * n * d, 1), k = buffer<T>(h * n * d, 2), v = buffer<T>(h * n * d, 3),
             o = result<T>(h * n * d);
  auto f = configured(Attention<T>{.causal = c.operation == "attention_causal" ? Causal::top_left : Causal::none});
  const double scale = 1 / std::sqrt(double(d));
  return job(o, f, [=] {
    f(tine::view(*q, {1, h, n, d}), tine::view(*k, {1, h, n, d}), tine::view(*v, {1, h, n, d}), scale,
      tine::view(*o, {1, h, n, d}));
  });
}

template <class T>
Job conv2d(const Case& v) {  // n c h w k r s, padded to keep h and w
  const int64_t n = v[0], c = v[1], h = v[2], w = v[3], k = v[4], r = v[5], s = v[6];
  const auto x = buffer<T>(n * c * h * w, 1), f = buffer<T>(k * c * r * s, 2), y = result<T>(n * k * h * w);
  auto conv = configured(Conv2d<T>{.at = {.pad_h = int(r / 2), .pad_w = int(s / 2)}});
  return job(y, conv, [=] {
    conv(tine::view(*x, {n, c, h, w}), tine::view(*f, {k, c, r, s}), tine::view(*y, {n, k, h, w}));
  });
}

template <class T>
Job of_type(const Case& c) {
  if (c.operation == "add" || c.operation == "silu" || c.operation == "swiglu") return vectors<T>(c);
  if (c.operation == "softmax" || c.operation == "rms_norm" || c.operation == "transpose") return rows<T>(c);
  if (c.operation == "matmul") return matmul<T, T>(c);
  if (c.operation == "addmm") return addmm<T>(c);
  if (c.operation == "bmm") return bmm<T>(c);
  if (c.operation == "rope") return rope<T>(c);
  if (c.operation.starts_with("attention")) return attention<T>(c);
  if (c.operation == "conv2d") return conv2d<T>(c);
  throw bench::Missing{"no such operation"};
}

Job prepare(const Case& c) {
  if (c.type == "f32") return of_type<float>(c);
  if (c.type == "f16") return of_type<tine::f16>(c);
  if (c.type == "bf16") return of_type<tine::bf16>(c);
  if (c.type == "i8" && c.operation == "matmul") return matmul<tine::i8, tine::i32>(c);
  throw bench::Missing{"no such element type"};
}

}  // namespace

int main() {
  return bench::serve("example kernels at their default block sizes, unless BENCH_SET says otherwise", prepare);
}
