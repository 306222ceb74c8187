// expect: tine: pad needs one {before, after} for each dim of the level
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.pad({{1, 1}}), y};
  }
  void application(auto x, auto y) const { (void)x, (void)y; }
};
int main() { tine::core::release(tine::define(K{})); }
