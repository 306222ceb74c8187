// Instructions in all forms of operands, assembled by the compiler's assembler beside what they say (forms.cpp).
#pragma once
#include <cstdint>

namespace tine::amx {

struct Form {
  uint8_t kind, size;          // of the record's instruction
  uint8_t reg, vvvv, rm;       // where there are such; `rm` 255: memory
  uint8_t base, index, scale;  // 255: none; 16: rip
  uint8_t mask, zeroing, broadcast, immediate;
  int32_t displacement;
};
static_assert(sizeof(Form) == 16);
enum FormKind : uint8_t {
  tileloadd,
  tilestored,
  ldtilecfg,
  tilezero,
  tilerelease,
  tdpbf16ps,
  tdpbssd,
  tdpbsud,
  tdpbusd,
  tdpbuud,
  vcvtph2psx,
  vaddph,
  vcmpph,
  vmovw,
  form_kinds
};

}  // namespace tine::amx

// A Form, its instruction, the next Form, ...
extern "C" const uint8_t tine_forms[], tine_forms_end[];
