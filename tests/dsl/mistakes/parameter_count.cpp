// expect: tine: application takes as many parameters as arrangement returns, in that order
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x) const {
    x = x * 2;
  }
};
int main() { tine::core::release(tine::define(K{})); }
