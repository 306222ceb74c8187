// The tile unit of AMX. Its registers are large, so Linux gives them to a process that asks; who does not ask, or is refused,
// is ended at the first instruction.
#pragma once
#include <string>

namespace tine::launch {

enum class TileUnit { absent, refused, allowed };
/// Asks the system, once a process; the answer holds for all its threads.
TileUnit tile_unit();
/// What `tile_unit` answers from now on; for tests, which execute the unit's instructions themselves where the processor does not. Not
/// to be called while kernels run.
void assume_tile_unit(TileUnit);

/// The target to compile for, for code that runs in this process. `cpu` is the machine without its tile unit where that is refused; a
/// RuntimeError for `cpu:amx` where it is not allowed, for another processor's target, and for one that is no processor's.
std::string runnable_target(const std::string& target, TileUnit);

}  // namespace tine::launch
