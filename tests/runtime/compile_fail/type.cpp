// expect: tine: the elements of this argument have not the type of the kernel's parameter
#include "prelude.hpp"
void host() { double q[2][3]; nt::make(Scale{})(q, 2, nt::view(p, {2, 3})); }
