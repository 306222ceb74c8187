// expect: tine: trans swaps the last two dims of a tile; this one has fewer
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::trans(nt::sum(x, nt::axis(0)));
  }
};
int main() { tine::core::release(tine::define(K{})); }
