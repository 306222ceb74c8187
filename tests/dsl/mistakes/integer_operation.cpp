// expect: tine: this operation takes integers
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = x % 2;
  }
};
int main() { tine::core::release(tine::define(K{})); }
