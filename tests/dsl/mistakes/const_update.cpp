// expect: tine: this is const here and cannot be stored to; take it as `auto` or `auto&`
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    const auto& z = y;
    z += x;
  }
};
int main() { tine::core::release(tine::define(K{})); }
