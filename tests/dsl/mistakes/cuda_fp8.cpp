// expect: tine: a CUDA function takes and gives no fp8; pass the bits as u8
#include "mistake.hpp"
struct K : Tiles<> {
  void application(auto x, auto y) const { y = x; (void)nt::cuda_function<nt::f8e5m2(float)>("f", "")(x); }
};
int main() { tine::core::release(tine::define(K{})); }
