// expect: tine: the kernel takes another number of arguments: one for each parameter of `arrangement`
#include "prelude.hpp"
void host() { nt::make(Scale{})(nt::view(p, {2, 3}), 2); }
