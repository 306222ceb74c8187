#pragma once
#include "decode/builder.hpp"
namespace tine::emulator::detail {
// The state space an access names, checked against the variable it names.
Space space_of(Builder& b, const Match& m, const Operand& address);
}
