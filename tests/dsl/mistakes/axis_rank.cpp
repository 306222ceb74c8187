// expect: tine: this reduction names more axes than the tile has
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::sum(nt::sum(x), nt::axis(0));
  }
};
int main() { tine::core::release(tine::define(K{})); }
