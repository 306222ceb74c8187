// expect: tine: a tile is not indexed with []; Python's x[:, None] is x(nt::whole, nt::newaxis)
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    auto m = nt::sum(x, nt::axis(1));
    y = x - m[nt::newaxis];
  }
};
int main() { tine::core::release(tine::define(K{})); }
