// expect: tine: bitcast goes between types of the same width, and not to or from bool
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::bitcast<nt::i16>(x);
  }
};
int main() { tine::core::release(tine::define(K{})); }
