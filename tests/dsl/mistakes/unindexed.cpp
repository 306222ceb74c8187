// expect: tine: this parameter still has levels to index; write p[k], or p(i, j), to get a tile
#include "mistake.hpp"
struct K : Levels {
  void application(auto x, auto y) const {
    y = nt::exp(x);
  }
};
int main() { tine::core::release(tine::define(K{})); }
