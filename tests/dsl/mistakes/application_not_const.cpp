// expect: tine: `application` is a const member function
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
