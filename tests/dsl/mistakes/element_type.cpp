// expect: tine: this is not an element type; there are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64 and the f8 types
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<char, 1> x) const {
    return std::tuple{x.tile({n})};
  }
  void application(auto x) const { (void)x; }
};
int main() { tine::core::release(tine::define(K{})); }
