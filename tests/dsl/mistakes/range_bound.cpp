// expect: tine: an index or a bound of a range is a single integer
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    for (auto k : nt::range(x)) y = x * k;
  }
};
int main() { tine::core::release(tine::define(K{})); }
