// expect: tine: a scalar parameter cannot be stored to; copy it with nt::load to have a variable
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 1> x, nt::Scalar<float> s) const {
    return std::tuple{x.tile({n}), s};
  }
  void application(auto x, auto s) const { s = 1; x = x * s; }
};
int main() { tine::core::release(tine::define(K{})); }
