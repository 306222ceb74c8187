// expect: tine: the value has more dims than the tile that it is stored to
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = x(nt::whole, nt::whole, nt::newaxis) * x;
  }
};
int main() { tine::core::release(tine::define(K{})); }
