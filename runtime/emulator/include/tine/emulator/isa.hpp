// The table of supported instruction forms, as data: documents and tests are generated from it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tine::emulator {

struct FormInfo {
  std::string name;       // "add"
  std::string modifiers;  // "rn|rz|rm|rp? ftz? sat? f32": alternatives by |, optional by ?
  std::string operands;   // "=0 0 0": see docs/emulator.md
  std::uint32_t ptx = 0;  // least PTX version, times ten
  std::uint32_t sm = 0;   // least target
  std::string group;      // the counting class
};

// An instruction that exists in PTX and is refused, with the reason given to the user.
struct RefusedInfo {
  std::string name, reason;
};

std::vector<FormInfo> supported_forms();
std::vector<RefusedInfo> refused_instructions();
std::vector<std::string> special_registers();
// The generated part of docs/emulator.md.
std::string supported_markdown();
// Every concrete spelling of every form: modifiers expanded ("add.rn.ftz.f32"), with the index into supported_forms().
struct Spelling {
  std::string text;
  std::size_t form;
  std::vector<std::string> types;
};
std::vector<Spelling> all_spellings();

}  // namespace tine::emulator
