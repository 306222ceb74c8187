// expect: tine: a CUDA function's arguments are tiles, sizes and numbers; index a parameter that has levels left
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const { y = x; (void)nt::cuda_function<float(float)>("f", "")("x"); }
};
int main() { tine::core::release(tine::define(K{})); }
