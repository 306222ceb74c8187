// expect: tine: a kernel has one member function `arrangement`, not overloaded and not a template
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(auto x, auto y) const {
    return std::tuple{x.tile({n}), y.tile({n})};
  }
  void application(auto x, auto y) const { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
