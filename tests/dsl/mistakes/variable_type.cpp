// expect: tine: a variable keeps its element type and rank; cast the new value, or declare another variable
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    auto m = nt::cast<nt::f16>(x);
    m = x;
    y = m;
  }
};
int main() { tine::core::release(tine::define(K{})); }
