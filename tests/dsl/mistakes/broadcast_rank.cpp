// expect: tine: broadcast cannot drop dims
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    y = nt::broadcast(x, {4});
  }
};
int main() { tine::core::release(tine::define(K{})); }
