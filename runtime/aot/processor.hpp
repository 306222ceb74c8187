// What this processor can do, against what the targets of a pack need.
#pragma once
#include <span>

#include "runtime/aot/pack.hpp"

namespace tine::aot {

/// Whether the processor, and the system's saving of its registers, have all features. `xcr0` stands among the leaves
/// as `xcr0_leaf`.
bool processor_has(std::span<const PackedFeature>);
inline constexpr uint32_t xcr0_leaf = 0xffffffff;
/// One register (eax, ebx, ecx, edx by number) of a leaf; 0 where the processor has no such leaf, and on other
/// architectures. There the leaf 0 is what the system says of the processor (AT_HWCAP in 0 and 1, AT_HWCAP2 in 2 and
/// 3).
uint32_t processor_register(uint32_t leaf, uint32_t subleaf, uint32_t reg);
/// Asks the system to let this process use AMX tiles; false if it does not.
bool allow_tiles();

}  // namespace tine::aot
