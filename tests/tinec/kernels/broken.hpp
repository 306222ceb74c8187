// Does not compile.
#pragma once
#include <tine/tine.hpp>
struct Broken { undeclared_type x; };
