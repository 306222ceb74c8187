// expect: tine: an argument has not the CUDA function's type; cast it, for example nt::cast<float>(x)
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const { y = x; (void)nt::cuda_function<float(double)>("f", "")(x); }
};
int main() { tine::core::release(tine::define(K{})); }
