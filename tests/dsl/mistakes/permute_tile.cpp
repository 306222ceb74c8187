// expect: tine: permute names each dim of the tile once
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::permute(x, {0, 1, 2});
  }
};
int main() { tine::core::release(tine::define(K{})); }
