// expect: tine: the condition of if_ and while_ is a single bool; nt::where chooses lane by lane
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const {
    nt::while_([&] { return x > 0; }, [&] { y = x; });
  }
};
int main() { tine::core::release(tine::define(K{})); }
