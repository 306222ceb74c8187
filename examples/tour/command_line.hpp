// The same kernels from the command line.
#pragma once
#include "examples/tour/tour.hpp"

namespace tour {

// Each says what it runs and shows what comes out; false if something is wrong.
bool run_on_files(const Tour&);      ///< `tinec run` on NumPy files
bool show_arrangement(const Tour&);  ///< `tinec arrange`
bool show_code(const Tour&);         ///< `tinec emit --stage asm`, or `--stage ptx`

}  // namespace tour
