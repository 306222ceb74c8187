// NumPy's .npy files, and the strided views that kernels see of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/tinec/npy_header.hpp"

namespace tinec::npy {

/// Bytes at an address that is a multiple of 64, so that calls of kernels find the alignment that they hope for.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes);  ///< zeros; a Failure if there is no memory
  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte*) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

/// Elements in memory of someone else's. Strides count elements.
struct View {
  std::byte* data = nullptr;
  Element element;
  std::vector<int64_t> shape, strides;
};

struct Array {
  Buffer buffer;
  View view;  ///< of all the buffer
};

/// Number of elements; a Failure if a shape has more bytes than an address space, named as `what`.
int64_t count(const std::vector<int64_t>& shape, int bytes, const std::string& what);

/// Zeros, in row-major order.
Array make_array(Element, const std::vector<int64_t>& shape, const std::string& what);
/// Reads a file in any order of dims and bytes; elements of the result have this machine's order of bytes.
Array read(const std::string& path);
/// Only what the file says of itself.
Header read_header(const std::string& path);
/// Writes a view in column-major order if that is how it lies in memory, else in row-major order.
void write(const std::string& path, const View&);

}  // namespace tinec::npy
