// expect: tine: the condition of where is a tile of bool
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::where(x, 1, 0);
  }
};
int main() { tine::core::release(tine::define(K{})); }
