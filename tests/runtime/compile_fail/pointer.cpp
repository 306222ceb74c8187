// expect: tine: this argument is no tensor; pass a tine::view, a container, an mdspan or a DLTensor
#include "prelude.hpp"
void host() { float* q = p; nt::make(Scale{})(q, 2, nt::view(p, {2, 3})); }
