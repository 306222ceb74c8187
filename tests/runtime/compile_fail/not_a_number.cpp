// expect: tine: this parameter is a scalar; pass a number
#include "prelude.hpp"
void host() { nt::make(Scale{})(nt::view(p, {2, 3}), nt::view(p, {2, 3}), nt::view(p, {2, 3})); }
