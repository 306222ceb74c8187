// expect: tine: && and || join bools; compare first, for example x != 0
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::where(x && y, x, y);
  }
};
int main() { tine::core::release(tine::define(K{})); }
