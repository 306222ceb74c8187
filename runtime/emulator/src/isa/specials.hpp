// Special registers (%tid.x ...): each is a slot of the warp's special table, filled when the warp starts; clocks are read when asked for.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/types.hpp"

namespace tine::emulator::detail {

enum SpecialSlot : std::uint32_t {
  kLocalBase,  // not visible in PTX: start of the running frame in local memory
  kTidX, kTidY, kTidZ, kNtidX, kNtidY, kNtidZ, kCtaidX, kCtaidY, kCtaidZ, kNctaidX, kNctaidY, kNctaidZ,
  kLaneid, kWarpid, kNwarpid, kSmid, kNsmid, kGridid, kMaskEq, kMaskLe, kMaskLt, kMaskGe, kMaskGt, kDynamicShared, kTotalShared,
  kZero, kOne, kSpecialSlots,
  kClock = 100, kClockHi, kClock64, kGlobaltimer, kGlobaltimerLo, kGlobaltimerHi,  // read by code, no slot
};

struct Special {
  const char* name;    // "%tid"
  const char* member;  // "x" or ""
  Type type;
  std::uint32_t slot;
  unsigned ptx, sm;
};
const std::vector<Special>& specials();
const Special* find_special(std::string_view name, std::string_view member);
bool is_special(std::string_view name);

}  // namespace tine::emulator::detail
