// expect: tine: this function takes floats; cast first, for example nt::cast<float>(x)
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::exp(nt::cast<int>(x));
  }
};
int main() { tine::core::release(tine::define(K{})); }
