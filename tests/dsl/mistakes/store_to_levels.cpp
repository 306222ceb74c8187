// expect: tine: this parameter still has levels to index; store to p[k]
#include "mistake.hpp"
struct K : Levels {
  void application(auto x, auto y) const {
    x = y;
  }
};
int main() { tine::core::release(tine::define(K{})); }
