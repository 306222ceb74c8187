#include "provide.hpp"

#include "runtime/launch/tile_unit.hpp"
#include "trap.hpp"

namespace tine::amx {
namespace {

// What the code for `cpu:amx` may use of AVX-512 and beside it, which is what Sapphire Rapids has.
std::string missing() {
  std::string out;
#define TINE_NEEDS(feature) \
  if (!__builtin_cpu_supports(feature)) out += (out.empty() ? "" : ", ") + std::string(feature)
  TINE_NEEDS("avx512f");
  TINE_NEEDS("avx512cd");
  TINE_NEEDS("avx512bw");
  TINE_NEEDS("avx512dq");
  TINE_NEEDS("avx512vl");
  TINE_NEEDS("avx512ifma");
  TINE_NEEDS("avx512vbmi");
  TINE_NEEDS("avx512vbmi2");
  TINE_NEEDS("avx512vnni");
  TINE_NEEDS("avx512bitalg");
  TINE_NEEDS("avx512vpopcntdq");
  TINE_NEEDS("avx512bf16");
  TINE_NEEDS("avxvnni");
  TINE_NEEDS("gfni");
  TINE_NEEDS("vpclmulqdq");
  TINE_NEEDS("vaes");
#undef TINE_NEEDS
  return out;
}

}  // namespace

Provided provide_tile_unit() {
  if (launch::tile_unit() == launch::TileUnit::allowed) return {true, false, "AMX: this processor's own"};
  const std::string lacks = missing();
  if (!lacks.empty())
    return {false, false, "skipped: beside AMX, this processor lacks " + lacks + ", which `cpu:amx` needs"};
  install_trap();
  launch::assume_tile_unit(launch::TileUnit::allowed);
  return {true, true,
          "AMX: not this processor's; its instructions, and AVX512-FP16's where it lacks those too, are trapped and "
          "emulated"};
}

}  // namespace tine::amx
