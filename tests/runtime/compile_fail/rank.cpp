// expect: tine: this argument has not the rank of the kernel's parameter; for a container, say tine::view(v, {rows, columns})
#include "prelude.hpp"
void host() { std::vector<float> v(6); nt::make(Scale{})(v, 2, nt::view(p, {2, 3})); }
