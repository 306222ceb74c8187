// expect: tine: one index for each dim of the view
#include "prelude.hpp"
void host() { nt::view(p, {2, 3})(1); }
