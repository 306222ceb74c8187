// The tiles of one thread, and what Intel's instruction reference (volume 2, AMX) says that each instruction does to
// them. Slow, and meant to be read beside the manual. Where the manual has #UD or #GP the result says why; nullptr:
// done.
#pragma once
#include <cstdint>

namespace tine::amx {

class Tiles {
 public:
  using Fault = const char*;
  static constexpr int count = 8, most_rows = 16, row_bytes = 64;

  Fault ldtilecfg(const uint8_t* shapes);  // 64 bytes
  void tilerelease() { *this = {}; }
  Fault tilezero(int tile);
  /// Rows are `stride` bytes apart.
  Fault tileloadd(int tile, const uint8_t* from, int64_t stride);
  Fault tilestored(int tile, uint8_t* into, int64_t stride) const;
  /// sums += a * b.
  Fault tdpbf16ps(int sums, int a, int b);
  Fault tdpb(int sums, int a, int b, bool a_signed, bool b_signed);

 private:
  struct Tile {
    int rows = 0, bytes = 0;  // of a row; both 0: not configured
    uint8_t data[most_rows][row_bytes] = {};
  };
  Fault configured(int tile) const;
  Fault fit(int sums, int a, int b) const;

  bool configured_ = false;
  Tile tiles_[count];
};

}  // namespace tine::amx
