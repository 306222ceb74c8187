// Finds for every branch where its sides meet again: the immediate post-dominator, the place where lanes wait for each other.
#pragma once
#include "decode/program.hpp"

namespace tine::emulator::detail {
// Fills Instr::join and Instr::is_join. The last instruction is the function's only `ret`.
void find_joins(Function& f);
}
