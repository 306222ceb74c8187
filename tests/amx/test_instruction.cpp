#include <catch2/catch.hpp>
#include <cstring>

#include "forms.hpp"
#include "instruction.hpp"

using namespace tine::amx;

namespace {

struct Code {
  Instruction::Encoding encoding;
  Instruction::Prefix prefix;
  int map, opcode, vector_length;
};
constexpr Code codes[form_kinds] = {
    {Instruction::vex, Instruction::pf2, 2, 0x4b, 0},  {Instruction::vex, Instruction::pf3, 2, 0x4b, 0},
    {Instruction::vex, Instruction::np, 2, 0x49, 0},   {Instruction::vex, Instruction::pf2, 2, 0x49, 0},
    {Instruction::vex, Instruction::np, 2, 0x49, 0},   {Instruction::vex, Instruction::pf3, 2, 0x5c, 0},
    {Instruction::vex, Instruction::pf2, 2, 0x5e, 0},  {Instruction::vex, Instruction::pf3, 2, 0x5e, 0},
    {Instruction::vex, Instruction::p66, 2, 0x5e, 0},  {Instruction::vex, Instruction::np, 2, 0x5e, 0},
    {Instruction::evex, Instruction::p66, 6, 0x13, 2}, {Instruction::evex, Instruction::np, 5, 0x58, 2},
    {Instruction::evex, Instruction::np, 3, 0xc2, 2},  {Instruction::evex, Instruction::p66, 5, 0x6e, 0}};

int register_of(uint8_t number) { return number == 255 ? Instruction::none : number; }

// "" if an instruction was decoded as its form says.
std::string wrong(const Form& form, const uint8_t* bytes) {
  Instruction in;
  if (!decode(bytes, in)) return "not decoded";
  const Code& code = codes[form.kind];
  if (in.encoding != code.encoding || in.prefix != code.prefix || in.map != code.map || in.opcode != code.opcode)
    return "opcode";
  if (in.wide || in.vector_length != code.vector_length) return "W or L";
  if (in.size != form.size) return "size";
  if (in.reg != form.reg || in.vvvv != form.vvvv) return "reg or vvvv";
  if (in.in_memory != (form.rm == 255) || (!in.in_memory && in.rm != form.rm)) return "rm";
  if (in.in_memory && (in.base != register_of(form.base) || in.index != register_of(form.index)))
    return "base or index";
  // Without an index the scale says nothing.
  if (form.index != 255 && in.scale != form.scale) return "scale";
  const int unit = !in.short_displacement || in.encoding == Instruction::vex ? 1
                   : form.broadcast                                          ? 2
                   : form.kind == vcvtph2psx                                 ? 32
                                                                             : 64;
  if (in.displacement * unit != form.displacement) return "displacement";
  if (in.mask != form.mask || in.zeroing != form.zeroing || in.broadcast != form.broadcast) return "mask, z or b";
  if (in.immediate != form.immediate) return "immediate";
  return "";
}

}  // namespace

TEST_CASE("instructions are read as the assembler wrote them, all forms of operands") {
  int counts[form_kinds] = {};
  for (const uint8_t* at = tine_forms; at != tine_forms_end;) {
    Form form;
    std::memcpy(&form, at, sizeof form);
    at += sizeof form;
    REQUIRE(form.kind < form_kinds);
    const std::string what = wrong(form, at);
    if (!what.empty()) {
      INFO("kind " << int(form.kind) << ", base " << int(form.base) << ", index " << int(form.index) << ", scale "
                   << int(form.scale) << ", displacement " << form.displacement);
      FAIL(what);
    }
    at += form.size;
    ++counts[form.kind];
  }
  // 16 bases, 15 indices, 4 scales, 7 displacements; 16 bases alone.
  CHECK(counts[tileloadd] == 16 * 15 * 4 * 7 + 16 * 7);
  CHECK(counts[tilestored] == 16 * 15 * 4 + 15 * 7);
  CHECK(counts[ldtilecfg] == 16 * 7 + 2);
  CHECK(counts[tilezero] == 8);
  CHECK(counts[tilerelease] == 1);
  for (int dot : {tdpbf16ps, tdpbssd, tdpbsud, tdpbusd, tdpbuud}) CHECK(counts[dot] == 8 * 7 * 6);
  CHECK(counts[vcvtph2psx] == 16 * 7);
  CHECK(counts[vaddph] == 8 * 8 * 9);
  CHECK(counts[vcmpph] == 8 * 8 + 1);
  CHECK(counts[vmovw] == 16);
}

TEST_CASE("other instructions are not read") {
  const uint8_t ud2[] = {0x0f, 0x0b}, nop[] = {0x90}, vex2[] = {0xc5, 0xf8, 0x77}, rex[] = {0x48, 0x89, 0xc0};
  Instruction in;
  for (const uint8_t* bytes : {ud2, nop, vex2, rex}) CHECK_FALSE(decode(bytes, in));
}
