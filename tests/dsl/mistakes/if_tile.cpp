// expect: tine: a run-time value cannot steer a C++ if, while, for or ?:; use nt::if_, nt::while_, nt::range or nt::where
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    if (nt::sum(x) > 0) y = x;
    else y = x * 2;
  }
};
int main() { tine::core::release(tine::define(K{})); }
