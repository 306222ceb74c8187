// expect: tine: a tile takes nt::whole once for each of its dims, and nt::newaxis where a dim of size 1 is wanted
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = x - nt::sum(x, nt::axis(1))(nt::whole, nt::whole);
  }
};
int main() { tine::core::release(tine::define(K{})); }
