// Reads one instruction of those that AMX and AVX512-FP16 are encoded as: VEX of three bytes and EVEX, without prefixes
// before them (Intel's manual, volume 2, chapter 2).
#pragma once
#include <cstdint>

namespace tine::amx {

struct Instruction {
  static constexpr int none = -1, rip = 16;
  enum Encoding : uint8_t { vex, evex };
  enum Prefix : uint8_t { np, p66, pf3, pf2 };

  Encoding encoding = vex;
  Prefix prefix = np;
  int map = 0, opcode = 0;
  bool wide = false;      ///< W
  int vector_length = 0;  ///< L'L: 0, 1, 2 for 16, 32, 64 bytes
  // Registers with all bits of their numbers.
  int reg = 0, vvvv = 0, rm = 0;
  bool in_memory = false;  ///< instead of `rm`, at base + index * scale + displacement
  bool sib = false;
  int base = none, index = none, scale = 1;
  int32_t displacement = 0;
  bool short_displacement = false;  ///< in one byte, which EVEX scales by the operand's size
  // EVEX alone.
  int mask = 0;  ///< 0: none
  bool zeroing = false, broadcast = false;
  int immediate = 0;  ///< of instructions of map 3
  int size = 0;       ///< bytes of the instruction
};

/// False if the bytes are no such encoding. Reads no byte beyond the instruction.
bool decode(const uint8_t* bytes, Instruction&);

}  // namespace tine::amx
