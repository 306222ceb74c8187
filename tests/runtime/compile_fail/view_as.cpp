// expect: tine: view_as keeps the size of the elements
#include "prelude.hpp"
void host() { nt::view_as<nt::f16>(p, {6}); }
