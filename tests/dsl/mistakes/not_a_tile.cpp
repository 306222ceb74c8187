// expect: tine: this is not a tile, a size or a number
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = x + "two";
  }
};
int main() { tine::core::release(tine::define(K{})); }
