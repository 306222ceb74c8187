// expect: tine: sizes are known at the call, not to a C++ if, while, for or ?:; use nt::require in an arrangement, nt::if_ or nt::range in an application
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    auto s = nt::load(x);
    for (int i = 0; i < x.size(0); ++i) s += x;
    y = s;
  }
};
int main() { tine::core::release(tine::define(K{})); }
