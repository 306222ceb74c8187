// expect: tine: a scalar parameter takes no number of a higher kind (bool < integer < float); convert it
#include "prelude.hpp"
void host() { nt::make(Scale{})(nt::view(p, {2, 3}), 2.5, nt::view(p, {2, 3})); }
