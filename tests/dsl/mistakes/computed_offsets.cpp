// expect: tine: this is about a parameter or p[k]; a computed tile has no place in a source tensor
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::offsets(x + 1, 0);
  }
};
int main() { tine::core::release(tine::define(K{})); }
