// Matrices of random shape, layout and contents, and what their kernels should give, for the sweeps.
#pragma once
#include <cmath>
#include <random>
#include <vector>

#include "array.hpp"
#include "tine/view.hpp"

namespace tine::test {

/// A matrix in one of several layouts, with guard elements around it and in its gaps.
template <class T>
class Matrix {
 public:
  enum Layout { rows, columns, pitched, spread, shifted, layouts };

  Matrix(int64_t m, int64_t n, Layout layout) : m_(m), n_(n) {
    const int64_t pitch = n + (layout == pitched ? 3 : 0), step = layout == spread ? 2 : 1;
    row_ = layout == columns ? 1 : pitch * step;
    column_ = layout == columns ? m + 1 : step;
    base_ = layout == shifted ? 17 : 16;
    data_.resize(static_cast<std::size_t>(base_ + m * std::abs(row_) + n * std::abs(column_) + m * n + 16));
    for (T& x : data_) set_element(dtype<T>, reinterpret_cast<std::byte*>(&x), 77);
  }
  View<T, 2> view() { return {data_.data() + base_, {m_, n_}, {row_, column_}}; }
  View<const T, 2> view() const { return {data_.data() + base_, {m_, n_}, {row_, column_}}; }
  void fill(std::mt19937& random) {
    for (int64_t i = 0; i < m_; ++i)
      for (int64_t j = 0; j < n_; ++j) {
        const double v = is_float(dtype<T>) ? std::uniform_real_distribution<>(-1, 1)(random)
                                            : double(int64_t(random() % 256) - (is_unsigned(dtype<T>) ? 0 : 128));
        set_element(dtype<T>, reinterpret_cast<std::byte*>(&view()(i, j)), v);
      }
  }
  double at(int64_t i, int64_t j) const { return element(dtype<T>, reinterpret_cast<const std::byte*>(&view()(i, j))); }
  /// Elements outside the matrix that changed.
  int64_t damaged() const {
    std::vector<char> inside(data_.size(), 0);
    for (int64_t i = 0; i < m_; ++i)
      for (int64_t j = 0; j < n_; ++j) inside[static_cast<std::size_t>(base_ + i * row_ + j * column_)] = 1;
    int64_t n = 0;
    for (std::size_t k = 0; k < data_.size(); ++k)
      n += !inside[k] && element(dtype<T>, reinterpret_cast<const std::byte*>(&data_[k])) != 77;
    return n;
  }

 private:
  int64_t m_, n_, row_, column_, base_;
  std::vector<T> data_;
};

}  // namespace tine::test
