// expect: tine: names takes string literals
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  static constexpr auto names = nt::names("x", 2);
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({4, n}), y.tile({4, n})};
  }
  void application(auto x, auto y) const { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
