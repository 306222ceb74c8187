// expect: tine: axis takes one or more ints; leave it out to reduce over all axes
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::sum(x, nt::axis());
  }
};
int main() { tine::core::release(tine::define(K{})); }
