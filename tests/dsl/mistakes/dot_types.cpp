// expect: tine: dot takes two tiles of floats, two of fp8, or two of i8 and u8; cast first
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::dot(nt::cast<int>(x), nt::cast<int>(x));
  }
};
int main() { tine::core::release(tine::define(K{})); }
