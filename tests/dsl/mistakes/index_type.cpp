// expect: tine: an index or a bound of a range is a single integer
#include "mistake.hpp"
struct K : Levels {
  void application(auto x, auto y) const {
    y = x[1.5];
  }
};
int main() { tine::core::release(tine::define(K{})); }
