// The generic address space: where shared, local, parameter and code addresses live in it. Global memory is everything below.
// The low 32 bits of a window's start are not zero on purpose: a generic pointer cut to 32 bits is then no valid shared or local address.
#pragma once
#include <cstdint>

namespace tine::emulator::detail {
constexpr std::uint64_t kGlobalStart = 0x0000'6000'0000'0000ull;
constexpr std::uint64_t kSharedWindow = 0x0000'7F10'0200'0000ull;
constexpr std::uint64_t kLocalWindow = 0x0000'7F20'0400'0000ull;
constexpr std::uint64_t kParamWindow = 0x0000'7F30'0600'0000ull;
constexpr std::uint64_t kWindowSize = 0x0000'0000'0100'0000ull;
constexpr std::uint64_t kCodeWindow = 0x0000'7F40'0000'0000ull;
constexpr std::uint64_t kCodeStep = 16;
inline bool in_window(std::uint64_t a, std::uint64_t w) { return a - w < kWindowSize; }
}  // namespace tine::emulator::detail
