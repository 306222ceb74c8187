// Small kernels from lambdas, traced and run by the reference evaluator.
#pragma once
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "dsl/core/trace.hpp"
#include "runtime/reference/evaluate.hpp"
#include "tine/dsl.hpp"

namespace nt = tine;

namespace tine::test {

template <class K>
std::shared_ptr<core::Definition> definition(const K& k) {
  return {define(k), core::release};
}
template <class K>
graph::Graph traced(const K& k, const core::Config& c = {}) {
  auto d = definition(k);
  return core::trace(*d, c);
}

/// Memory for one source, contiguous.
struct Buffer {
  DType type;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
  template <class T>
  Buffer(std::vector<int64_t> s, const std::vector<T>& v) : type(dtype<T>), shape(std::move(s)), bytes(v.size() * sizeof(T)) {
    std::memcpy(bytes.data(), v.data(), bytes.size());
  }
  template <class T>
  std::vector<T> as() const {
    std::vector<T> v(bytes.size() / sizeof(T));
    std::memcpy(v.data(), bytes.data(), bytes.size());
    return v;
  }
};
template <class T>
Buffer buffer(std::vector<int64_t> shape, const std::vector<T>& v) { return Buffer(std::move(shape), v); }
template <class T>
Buffer scalar(T v) { return Buffer({}, std::vector<T>{v}); }

inline void run(const graph::Graph& g, std::vector<Buffer>& buffers) {
  std::vector<Argument> arguments;
  std::vector<std::vector<int64_t>> dims;
  for (auto& b : buffers) {
    std::vector<int64_t> d = b.shape, strides(b.shape.size(), 1);
    for (std::size_t k = d.size(); k-- > 1;) strides[k - 1] = strides[k] * d[k];
    d.insert(d.end(), strides.begin(), strides.end());
    dims.push_back(d);
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    Argument a;
    a.type = uint8_t(buffers[i].type);
    a.rank = uint8_t(buffers[i].shape.size());
    if (a.rank) {
      a.data = buffers[i].bytes.data();
      a.dims = dims[i].data();
    } else {
      std::memcpy(&a.scalar, buffers[i].bytes.data(), buffers[i].bytes.size());
    }
    arguments.push_back(a);
  }
  reference::evaluate(g, arguments);
}

/// One program, x and y tiles of 4 floats.
template <class F>
struct OneTile {
  F f;
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({4}), y.tile({4})}; }
  void application(auto x, auto y) const { f(x, y); }
};
/// x: one program that sees the rows of a matrix of 4 columns as a level; y: a tile of 4.
template <class F>
struct RowLevel {
  F f;
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> y) const {
    return std::tuple{x.tile({1, 4}).tile({nt::whole, 1}).squeeze(1, nt::level<1>).squeeze(0, nt::level<2>).squeeze(1), y.tile({4})};
  }
  void application(auto x, auto y) const { f(x, y); }
};
/// One program over tiles of any types and shapes: x of T, y of U, both seen whole.
template <class T, int R, class U, int Q, class F>
struct Whole {
  F f;
  static auto all(auto x) {
    if constexpr (R == 1 && Q == 1) return x.tile({nt::whole});
    else return x;
  }
  template <class V> static auto whole_of(nt::Tensor<V, 1> x) { return x.tile({nt::whole}); }
  template <class V> static auto whole_of(nt::Tensor<V, 2> x) { return x.tile({nt::whole, nt::whole}).squeeze(0); }
  template <class V> static auto whole_of(nt::Tensor<V, 3> x) { return x.tile({nt::whole, nt::whole, nt::whole}).squeeze({0, 1}); }
  auto arrangement(nt::Tensor<T, R> x, nt::Tensor<U, Q> y) const { return std::tuple{whole_of(x), whole_of(y)}; }
  void application(auto x, auto y) const { f(x, y); }
};
template <class T, int R, class U, int Q, class F>
Whole<T, R, U, Q, F> whole_kernel(F f) { return {f}; }

}  // namespace tine::test
