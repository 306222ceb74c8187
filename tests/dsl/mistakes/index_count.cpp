// expect: tine: give one index for each dim of this level
#include "mistake.hpp"
struct K : Levels {
  void application(auto x, auto y) const {
    y = x(0, 1);
  }
};
int main() { tine::core::release(tine::define(K{})); }
