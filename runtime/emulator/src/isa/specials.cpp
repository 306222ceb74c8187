#include "isa/specials.hpp"

#include <algorithm>

namespace tine::emulator::detail {

const std::vector<Special>& specials() {
  static const std::vector<Special> all = {
      {"%tid", "x", Type::u32, kTidX, 60, 0},          {"%tid", "y", Type::u32, kTidY, 60, 0},          {"%tid", "z", Type::u32, kTidZ, 60, 0},
      {"%ntid", "x", Type::u32, kNtidX, 60, 0},        {"%ntid", "y", Type::u32, kNtidY, 60, 0},        {"%ntid", "z", Type::u32, kNtidZ, 60, 0},
      {"%ctaid", "x", Type::u32, kCtaidX, 60, 0},      {"%ctaid", "y", Type::u32, kCtaidY, 60, 0},      {"%ctaid", "z", Type::u32, kCtaidZ, 60, 0},
      {"%nctaid", "x", Type::u32, kNctaidX, 60, 0},    {"%nctaid", "y", Type::u32, kNctaidY, 60, 0},    {"%nctaid", "z", Type::u32, kNctaidZ, 60, 0},
      {"%laneid", "", Type::u32, kLaneid, 60, 0},      {"%warpid", "", Type::u32, kWarpid, 60, 0},      {"%nwarpid", "", Type::u32, kNwarpid, 60, 0},
      {"%smid", "", Type::u32, kSmid, 60, 0},          {"%nsmid", "", Type::u32, kNsmid, 60, 0},        {"%gridid", "", Type::u64, kGridid, 60, 0},
      {"%lanemask_eq", "", Type::u32, kMaskEq, 60, 0}, {"%lanemask_le", "", Type::u32, kMaskLe, 60, 0}, {"%lanemask_lt", "", Type::u32, kMaskLt, 60, 0},
      {"%lanemask_ge", "", Type::u32, kMaskGe, 60, 0}, {"%lanemask_gt", "", Type::u32, kMaskGt, 60, 0},
      {"%dynamic_smem_size", "", Type::u32, kDynamicShared, 60, 0}, {"%total_smem_size", "", Type::u32, kTotalShared, 60, 0},
      {"%clock", "", Type::u32, kClock, 60, 0},        {"%clock_hi", "", Type::u32, kClockHi, 60, 0},   {"%clock64", "", Type::u64, kClock64, 60, 0},
      {"%globaltimer", "", Type::u64, kGlobaltimer, 60, 0}, {"%globaltimer_lo", "", Type::u32, kGlobaltimerLo, 60, 0}, {"%globaltimer_hi", "", Type::u32, kGlobaltimerHi, 60, 0},
      // Without clusters a block is a cluster of one.
      {"%clusterid", "x", Type::u32, kCtaidX, 78, 90}, {"%clusterid", "y", Type::u32, kCtaidY, 78, 90}, {"%clusterid", "z", Type::u32, kCtaidZ, 78, 90},
      {"%nclusterid", "x", Type::u32, kNctaidX, 78, 90}, {"%nclusterid", "y", Type::u32, kNctaidY, 78, 90}, {"%nclusterid", "z", Type::u32, kNctaidZ, 78, 90},
      {"%cluster_ctaid", "x", Type::u32, kZero, 78, 90}, {"%cluster_ctaid", "y", Type::u32, kZero, 78, 90}, {"%cluster_ctaid", "z", Type::u32, kZero, 78, 90},
      {"%cluster_nctaid", "x", Type::u32, kOne, 78, 90}, {"%cluster_nctaid", "y", Type::u32, kOne, 78, 90}, {"%cluster_nctaid", "z", Type::u32, kOne, 78, 90},
      {"%cluster_ctarank", "", Type::u32, kZero, 78, 90}, {"%cluster_nctarank", "", Type::u32, kOne, 78, 90},
  };
  return all;
}
const Special* find_special(std::string_view name, std::string_view member) {
  const auto& all = specials();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Special& s) { return name == s.name && member == s.member; });
  return it == all.end() ? nullptr : &*it;
}
bool is_special(std::string_view name) {
  const auto& all = specials();
  return std::any_of(all.begin(), all.end(), [&](const Special& s) { return name == s.name; });
}

}  // namespace tine::emulator::detail
