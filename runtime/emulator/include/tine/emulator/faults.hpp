// Faults that can be planted in the machine on purpose, so that tests can show they would notice them. Never set in earnest.
#pragma once
#include <cstdint>

namespace tine::emulator {

enum class Fault : std::uint8_t {
  none,
  mma_swapped_rows,       // rows g and g+8 of an mma A fragment exchanged
  mma_signed_as_unsigned, // s8 operands of mma read as u8
  mma_wrong_column,       // columns 2t and 2t+1 of an accumulator exchanged
  ldmatrix_ignores_trans, // .trans has no effect
  ldmatrix_row_order,     // row addresses taken from lane 8*i + (7-r)
  early_cp_async,         // cp.async applied at once, no poison
  cp_async_no_zero_fill,  // the bytes behind src-size keep what they were
  unfused_fma,            // fma rounds the product first
  cvt_x2_swapped,         // the first source goes to the low half
  min_max_propagate_nan,  // min/max return NaN when one operand is NaN
  ftz_ignored,            // .ftz keeps subnormals
  half_rounded_twice,     // f16 results rounded to f32 first
  round_mode_ignored,     // .rz .rm .rp round to nearest
  mul_wide_unsigned,      // mul.wide.s32 multiplies unsigned numbers
  bfe_zero_extends,       // bfe.s32 does not extend the sign
  prmt_no_sign,           // the sign-replicating bit of a selector is ignored
  lop3_transposed,        // the truth table is indexed with the operands reversed
  shfl_ignores_segment,   // the segment mask of shfl is ignored
  ballot_ignores_mask,    // vote counts lanes outside the member mask
  atom_returns_new,       // atom returns the value after the operation
  barrier_does_not_wait,  // bar.sync lets everybody pass
  dp4a_first_byte_twice,  // dp4a uses byte 0 in place of byte 3
};
constexpr int kFaults = 23;

const char* name_of(Fault fault);

}  // namespace tine::emulator
