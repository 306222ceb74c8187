// expect: tine: this CUDA function takes another number of arguments
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const { y = x; (void)nt::cuda_function<float(float, float)>("f", "")(x); }
};
int main() { tine::core::release(tine::define(K{})); }
