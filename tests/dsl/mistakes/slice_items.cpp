// expect: tine: a slice takes integers, nt::slice(...), nt::whole, nt::newaxis and nt::ellipsis
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x("rows", nt::whole), y};
  }
  void application(auto x, auto y) const { (void)x, (void)y; }
};
int main() { tine::core::release(tine::define(K{})); }
