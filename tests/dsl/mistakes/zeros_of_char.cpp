// expect: tine: this is not an element type; there are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64 and the f8 types
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::zeros<char>(y.shape());
  }
};
int main() { tine::core::release(tine::define(K{})); }
