// One argument of a call, as it crosses from user headers into libtine.
#pragma once
#include <cstdint>

namespace tine {

/// A tensor or a scalar by value. Non-owning: `data` and `dims` must live until the call returns.
struct Argument {
  void* data = nullptr;           ///< base pointer of a tensor
  const int64_t* dims = nullptr;  ///< `rank` sizes, then `rank` strides, in elements
  uint64_t scalar = 0;            ///< of rank 0: the value's bits in the low bytes
  uint8_t type = 0;               ///< element type, numbered as `DType`
  uint8_t rank = 0;
  bool is_const = false;          ///< the elements may only be read
  uint8_t memory = 0;             ///< where the data lies, as DLPack numbers it; 0: not said
};

}  // namespace tine
