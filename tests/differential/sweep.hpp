// Matrices of random shape, layout and contents, and what their kernels should give, for the sweeps.
#pragma once
#include <cmath>
#include <cstring>
#include <memory>
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
    size_ = base_ + m * std::abs(row_) + n * std::abs(column_) + m * n + 16;
    data_ = std::make_unique<T[]>(static_cast<std::size_t>(size_));
    for (int64_t k = 0; k < size_; ++k) set_element(dtype<T>, reinterpret_cast<std::byte*>(&data_[k]), 77);
  }
  View<T, 2> view() { return {data_.get() + base_, {m_, n_}, {row_, column_}}; }
  View<const T, 2> view() const { return {data_.get() + base_, {m_, n_}, {row_, column_}}; }
  void fill(std::mt19937& random) {
    for (int64_t i = 0; i < m_; ++i)
      for (int64_t j = 0; j < n_; ++j) {
        const double v = is_float(dtype<T>)        ? std::uniform_real_distribution<>(-1, 1)(random)
                         : dtype<T> == DType::b1 ? double(random() % 2)
                                                 : double(int64_t(random() % 256) - (is_unsigned(dtype<T>) ? 0 : 128));
        set_element(dtype<T>, reinterpret_cast<std::byte*>(&view()(i, j)), v);
      }
  }
  double at(int64_t i, int64_t j) const { return element(dtype<T>, reinterpret_cast<const std::byte*>(&view()(i, j))); }
  /// All elements, row by row.
  std::vector<double> values() const {
    std::vector<double> all;
    for (int64_t i = 0; i < m_; ++i)
      for (int64_t j = 0; j < n_; ++j) all.push_back(at(i, j));
    return all;
  }
  /// Elements outside the matrix that changed.
  int64_t damaged() const {
    T guard;
    set_element(dtype<T>, reinterpret_cast<std::byte*>(&guard), 77);
    std::vector<char> inside(static_cast<std::size_t>(size_), 0);
    for (int64_t i = 0; i < m_; ++i)
      for (int64_t j = 0; j < n_; ++j) inside[static_cast<std::size_t>(base_ + i * row_ + j * column_)] = 1;
    int64_t n = 0;
    for (int64_t k = 0; k < size_; ++k) n += !inside[static_cast<std::size_t>(k)] && std::memcmp(&data_[k], &guard, sizeof guard) != 0;
    return n;
  }

 private:
  int64_t m_, n_, row_, column_, base_, size_;
  std::unique_ptr<T[]> data_;
};

/// How far a value of type T may be from the number that was rounded to it, relative to it and, for results below the
/// normal numbers, absolutely.
template <class T>
constexpr double rounding = std::is_same_v<T, f16> ? 0x1p-11 : std::is_same_v<T, bf16> ? 0x1p-8 : std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;
template <class T>
constexpr double least_step = std::is_same_v<T, f16> ? 0x1p-25 : 0;

/// Elements of c that are not a b: an accumulator of p bits that takes n terms is off by at most n * 2^-p times the sum of
/// their sizes. `operands`: the relative error of a product of two elements, where they are rounded first.
template <class T, class U, class R>
int64_t wrong_products(const Matrix<T>& a, const Matrix<U>& b, const Matrix<R>& c, int64_t m, int64_t n, int64_t k, double operands = 0) {
  const long double accumulator = std::is_same_v<R, double> ? 0x1p-53L : 0x1p-24L;
  const std::vector<double> left = a.values(), right = b.values();
  int64_t wrong = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      long double sum = 0, size = 0;
      for (int64_t l = 0; l < k; ++l) {
        const long double p = static_cast<long double>(left[static_cast<std::size_t>(i * k + l)]) * right[static_cast<std::size_t>(l * n + j)];
        sum += p;
        size += std::fabs(p);
      }
      const long double bound = is_float(dtype<R>) ? ((k + 1) * accumulator + operands) * size + rounding<R> * std::fabs(sum) + least_step<R> : 0;
      wrong += !(std::fabs(c.at(i, j) - sum) <= bound);
    }
  return wrong;
}

}  // namespace tine::test
