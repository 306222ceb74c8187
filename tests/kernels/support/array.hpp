// A block of elements in memory, as the case files hold it: element type, shape, bytes in row-major order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dsl/include/tine/dtype.hpp"

namespace tine::test {

struct Array {
  DType type = DType::f32;
  std::vector<int64_t> shape;
  std::vector<std::byte> data;
  int64_t count() const;
};

/// "f32", "bf16", "bool", ... as the case files write them.
DType dtype_named(const std::string& name);
const char* dtype_name(DType);

/// A NumPy file (little-endian, C order). Narrow floats stand in it as unsigned integers of their width, so the element
/// type comes from the caller; the width must agree.
Array read_npy(const std::string& path, DType type);

/// One element as a double (64-bit integers beyond 2^53 lose bits), and back, rounded to nearest even.
double element(DType, const std::byte*);
void set_element(DType, std::byte*, double);
bool is_nan(DType, const std::byte*);

}  // namespace tine::test
