// Lets code for `cpu:amx` run in this process.
#pragma once
#include <string>

namespace tine::amx {

struct Provided {
  bool runs, trapped;
  std::string how;  ///< for the test's output: by what the code is executed, or why it cannot be
};
/// By this processor where it has AMX and the system lets us use it; elsewhere by the trap, where the rest of the code
/// can run. Before any kernel runs.
Provided provide_tile_unit();

}  // namespace tine::amx
