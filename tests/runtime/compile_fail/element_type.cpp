// expect: tine: a view's elements have no element type of the language
#include "prelude.hpp"
void host() { struct Odd {}; Odd q[2]; nt::view(q); }
