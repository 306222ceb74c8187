#include "forms.hpp"

// record KIND, REG, VVVV, RM, BASE, INDEX, SCALE, MASK, ZEROING, BROADCAST, IMMEDIATE, DISPLACEMENT, the instruction
asm(R"(
.pushsection .rodata.tine_forms, "a", @progbits
.globl tine_forms, tine_forms_end
.macro record kind, reg, vvvv, rm, base, index, scale, mask, zeroing, broadcast, immediate, displacement, instruction:vararg
  .byte \kind, 2f - 1f, \reg, \vvvv, \rm, \base, \index, \scale, \mask, \zeroing, \broadcast, \immediate
  .long \displacement
  1: \instruction
  2:
.endm
tine_forms:

# base + index * scale + displacement, each base with each index
.set b, 0
.irp base, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
  .set i, 0
  .irp index, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
    .if i == 4
      .set i, 5  # rsp is no index
    .endif
    .irp scale, 1, 2, 4, 8
      .irp displacement, 0, 1, -128, 127, 128, -129, 0x12345678
        record 0, 3, 0, 255, b, i, \scale, 0, 0, 0, 0, \displacement, tileloadd \displacement(%\base, %\index, \scale), %tmm3
      .endr
      record 1, 7, 0, 255, b, i, \scale, 0, 0, 0, 0, 64, tilestored %tmm7, 64(%\base, %\index, \scale)
    .endr
    .set i, i + 1
  .endr

  # base + displacement, and index * scale + displacement
  .irp displacement, 0, 1, -128, 127, 128, -129, 0x12345678
    record 0, 0, 0, 255, b, 255, 1, 0, 0, 0, 0, \displacement, tileloadd \displacement(%\base), %tmm0
    record 2, 0, 0, 255, b, 255, 1, 0, 0, 0, 0, \displacement, ldtilecfg \displacement(%\base)
    .if b != 4
      record 1, 5, 0, 255, 255, b, 4, 0, 0, 0, 0, \displacement, tilestored %tmm5, \displacement(, %\base, 4)
    .endif
  .endr
  # short displacements count what the operand holds
  .irp displacement, 0, 32, -4096, 4064, 4096, 33
    record 10, 9, 0, 255, b, 255, 1, 0, 0, 0, 0, \displacement, vcvtph2psx \displacement(%\base), %zmm9
  .endr
  record 10, 30, 0, 255, b, 255, 1, 2, 0, 1, 0, 254, vcvtph2psx 254(%\base){1to16}, %zmm30{%k2}
  .set b, b + 1
.endr
record 2, 0, 0, 255, 16, 255, 1, 0, 0, 0, 0, 0x1000, ldtilecfg 0x1000(%rip)
record 2, 0, 0, 255, 255, 255, 1, 0, 0, 0, 0, 0x1000, ldtilecfg 0x1000

# registers alone
.irp tile, 0, 1, 2, 3, 4, 5, 6, 7
  record 3, \tile, 0, 0, 255, 255, 1, 0, 0, 0, 0, 0, tilezero %tmm\tile
.endr
record 4, 0, 0, 0, 255, 255, 1, 0, 0, 0, 0, 0, tilerelease
.irp sums, 0, 1, 2, 3, 4, 5, 6, 7
  .irp a, 0, 1, 2, 3, 4, 5, 6, 7
    .irp b, 0, 1, 2, 3, 4, 5, 6, 7
      .if (\sums != \a) && (\sums != \b) && (\a != \b)
        record 5, \sums, \b, \a, 255, 255, 1, 0, 0, 0, 0, 0, tdpbf16ps %tmm\b, %tmm\a, %tmm\sums
        record 6, \sums, \b, \a, 255, 255, 1, 0, 0, 0, 0, 0, tdpbssd %tmm\b, %tmm\a, %tmm\sums
        record 7, \sums, \b, \a, 255, 255, 1, 0, 0, 0, 0, 0, tdpbsud %tmm\b, %tmm\a, %tmm\sums
        record 8, \sums, \b, \a, 255, 255, 1, 0, 0, 0, 0, 0, tdpbusd %tmm\b, %tmm\a, %tmm\sums
        record 9, \sums, \b, \a, 255, 255, 1, 0, 0, 0, 0, 0, tdpbuud %tmm\b, %tmm\a, %tmm\sums
      .endif
    .endr
  .endr
.endr
.irp c, 0, 7, 8, 15, 16, 23, 24, 31
  .irp a, 0, 7, 8, 15, 16, 23, 24, 31
    .irp b, 0, 7, 8, 15, 16, 23, 24, 31
      record 11, \c, \a, \b, 255, 255, 1, 0, 0, 0, 0, 0, vaddph %zmm\b, %zmm\a, %zmm\c
    .endr
    record 11, \c, \a, 255, 0, 255, 1, 5, 1, 0, 0, 64, vaddph 64(%rax), %zmm\a, %zmm\c {%k5} {z}
    record 12, 3, \c, \a, 255, 255, 1, 6, 0, 0, 17, 0, vcmpph $17, %zmm\a, %zmm\c, %k3 {%k6}
  .endr
.endr
record 12, 1, 20, 255, 16, 255, 1, 0, 0, 0, 1, 0x1000, vcmpph $1, 0x1000(%rip), %zmm20, %k1
.set b, 0
.irp from, eax, ecx, edx, ebx, esp, ebp, esi, edi, r8d, r9d, r10d, r11d, r12d, r13d, r14d, r15d
  record 13, 17, 0, b, 255, 255, 1, 0, 0, 0, 0, 0, vmovw %\from, %xmm17
  .set b, b + 1
.endr

tine_forms_end:
.popsection
)");
