// Instructions that PTX has and the machine does not execute, with the reason the user reads.
#include <cstring>

#include "isa/table.hpp"
#include "tine/emulator/isa.hpp"

namespace tine::emulator::detail {
namespace {

// The name may carry leading modifiers: "cp.async.bulk" stands for every instruction that starts so.
struct Refused {
  const char *name, *reason;
};
constexpr const char kHopper[] = "bulk and tensor copies, mbarriers, clusters and wgmma of sm_90 are not executed yet";
constexpr const char kTexture[] = "textures and surfaces are not executed";
constexpr const char kVideo[] = "video instructions are not executed";
constexpr const char kBlackwell[] = "instructions of sm_100 and later are not executed";
constexpr const char kOldWarp[] = "it has no meaning since sm_70; use the .sync form";
constexpr Refused kRefused[] = {
    {"mbarrier", kHopper}, {"cp.async.bulk", kHopper}, {"cp.async.mbarrier", kHopper}, {"cp.reduce", kHopper}, {"st.async", kHopper}, {"red.async", kHopper}, {"st.bulk", kHopper}, {"wgmma", kHopper},
    {"barrier.cluster", kHopper}, {"mapa", kHopper}, {"getctarank", kHopper}, {"setmaxnreg", kHopper}, {"griddepcontrol", kHopper}, {"tensormap", kHopper}, {"multimem", kHopper}, {"fence.proxy", kHopper},
    {"fence.mbarrier_init", kHopper}, {"prefetch.tensormap", kHopper}, {"clusterlaunchcontrol", kBlackwell}, {"tcgen05", kBlackwell},
    {"tex", kTexture}, {"tld4", kTexture}, {"txq", kTexture}, {"suld", kTexture}, {"sust", kTexture}, {"sured", kTexture}, {"suq", kTexture}, {"istypep", kTexture},
    {"vadd", kVideo}, {"vsub", kVideo}, {"vabsdiff", kVideo}, {"vmin", kVideo}, {"vmax", kVideo}, {"vshl", kVideo}, {"vshr", kVideo}, {"vmad", kVideo}, {"vset", kVideo},
    {"vadd2", kVideo}, {"vsub2", kVideo}, {"vavrg2", kVideo}, {"vabsdiff2", kVideo}, {"vmin2", kVideo}, {"vmax2", kVideo}, {"vset2", kVideo},
    {"vadd4", kVideo}, {"vsub4", kVideo}, {"vavrg4", kVideo}, {"vabsdiff4", kVideo}, {"vmin4", kVideo}, {"vmax4", kVideo}, {"vset4", kVideo},
    {"shfl.up", kOldWarp}, {"shfl.down", kOldWarp}, {"shfl.bfly", kOldWarp}, {"shfl.idx", kOldWarp}, {"vote.all", kOldWarp}, {"vote.any", kOldWarp}, {"vote.uni", kOldWarp}, {"vote.ballot", kOldWarp},
    {"mma.sp", "sparse matrix products are not executed"}, {"alloca", "dynamic local memory is not executed"}, {"stacksave", "dynamic local memory is not executed"}, {"stackrestore", "dynamic local memory is not executed"},
    {"discard", "it makes memory undefined, which cannot be checked"}, {"applypriority", "cache control beyond prefetch is not executed"}, {"pmevent", "performance counters are not there"},
    {"ld.mmio", "memory-mapped devices are not there"}, {"st.mmio", "memory-mapped devices are not there"},
};

}  // namespace

const char* refusal(std::string_view name, const std::vector<std::string_view>& modifiers) {
  for (const Refused& r : kRefused) {
    std::string_view rest = r.name;
    std::size_t part = 0;
    bool same = true;
    while (same && !rest.empty()) {
      const std::size_t dot = rest.find('.');
      const std::string_view want = rest.substr(0, dot);
      const std::string_view have = part == 0 ? name : part - 1 < modifiers.size() ? modifiers[part - 1] : std::string_view();
      // "mbarrier" also stands behind "::": mbarrier::complete_tx
      same = have == want || (part != 0 && have.size() > want.size() && have.substr(0, want.size()) == want && have[want.size()] == ':');
      ++part;
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
    if (same) return r.reason;
  }
  for (const std::string_view m : modifiers)
    if (m.substr(0, 15) == "shared::cluster") return kHopper;
  return nullptr;
}

}  // namespace tine::emulator::detail

namespace tine::emulator {
std::vector<RefusedInfo> refused_instructions() {
  std::vector<RefusedInfo> v;
  for (const auto& r : detail::kRefused) v.push_back({r.name, r.reason});
  return v;
}
}  // namespace tine::emulator
