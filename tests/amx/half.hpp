// AVX512-FP16, which every processor with AMX has and others with AVX-512 have not: those of its instructions that
// kernels and random programs turned out to need, with their siblings (Intel's instruction reference, volume 2).
#pragma once
#include "registers.hpp"

namespace tine::amx {

enum class Done : uint8_t { yes, no, other };
/// Executes one on a thread's registers, but for stepping over it. `other`: it is none of these; `no`: a form of one of
/// them that is not emulated, and `why` says which.
Done execute_half(const Instruction&, const Registers&, const char*& why);

}  // namespace tine::amx
