#include "instruction.hpp"

#include <cstring>

namespace tine::amx {
namespace {

int bit(int byte, int number) { return byte >> number & 1; }
// Bits that are stored inverted, to the place in a register's number that they have.
int inverted(int byte, int number, int place) { return (bit(byte, number) ^ 1) << place; }

}  // namespace

bool decode(const uint8_t* bytes, Instruction& in) {
  in = {};
  const uint8_t* at = bytes;
  const int first = *at++;
  int r, x, b;  // upper bits of register numbers
  if (first == 0xc4) {
    const int p0 = *at++, p1 = *at++;
    in.encoding = Instruction::vex;
    in.map = p0 & 31;
    r = inverted(p0, 7, 3), x = inverted(p0, 6, 3), b = inverted(p0, 5, 3);
    in.wide = bit(p1, 7);
    in.vvvv = (p1 >> 3 & 15) ^ 15;
    in.vector_length = bit(p1, 2);
    in.prefix = Instruction::Prefix(p1 & 3);
  } else if (first == 0x62) {
    const int p0 = *at++, p1 = *at++, p2 = *at++;
    if (bit(p0, 3) || !bit(p1, 2)) return false;
    in.encoding = Instruction::evex;
    in.map = p0 & 7;
    r = inverted(p0, 7, 3) | inverted(p0, 4, 4), x = inverted(p0, 6, 3), b = inverted(p0, 5, 3);
    in.wide = bit(p1, 7);
    in.vvvv = ((p1 >> 3 & 15) ^ 15) | inverted(p2, 3, 4);
    in.prefix = Instruction::Prefix(p1 & 3);
    in.zeroing = bit(p2, 7);
    in.vector_length = p2 >> 5 & 3;
    in.broadcast = bit(p2, 4);
    in.mask = p2 & 7;
  } else {
    return false;
  }
  in.opcode = *at++;

  const int modrm = *at++, mod = modrm >> 6, rm = modrm & 7;
  in.reg = (modrm >> 3 & 7) | r;
  if (mod == 3) {
    in.rm = rm | b | (in.encoding == Instruction::evex ? x << 1 : 0);
  } else {
    in.in_memory = true;
    bool long_displacement = mod == 2;
    if (rm == 4) {
      in.sib = true;
      const int sib = *at++, index = (sib >> 3 & 7) | x;
      in.scale = 1 << (sib >> 6);
      in.index = index == 4 ? Instruction::none : index;
      in.base = (sib & 7) | b;
      if (mod == 0 && (sib & 7) == 5) in.base = Instruction::none, long_displacement = true;
    } else if (mod == 0 && rm == 5) {
      in.base = Instruction::rip, long_displacement = true;
    } else {
      in.base = rm | b;
    }
    if (mod == 1) {
      in.short_displacement = true;
      in.displacement = static_cast<int8_t>(*at++);
    } else if (long_displacement) {
      std::memcpy(&in.displacement, at, 4);
      at += 4;
    }
  }
  if (in.map == 3) in.immediate = *at++;
  in.size = static_cast<int>(at - bytes);
  return true;
}

}  // namespace tine::amx
