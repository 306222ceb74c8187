// expect: tine: the type of a CUDA function is written as in float(float, int)
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const { y = x; (void)nt::cuda_function<float>("f", ""); }
};
int main() { tine::core::release(tine::define(K{})); }
