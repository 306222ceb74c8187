// expect: tine: dot takes two tiles of 2 dims, or more of equal number when batched
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::dot(x, nt::sum(x, nt::axis(0)));
  }
};
int main() { tine::core::release(tine::define(K{})); }
