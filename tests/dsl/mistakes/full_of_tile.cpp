// expect: tine: full repeats a single number; nt::broadcast repeats a tile
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::full<float>(y.shape(), x);
  }
};
int main() { tine::core::release(tine::define(K{})); }
