// The parsed module: names still text, nothing checked but the grammar.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine::emulator::detail {

struct AstOperand {
  enum Kind : std::uint8_t {
    name,        // register, variable, label, function, special register (member: the ".x" behind it); offset: name+offset
    integer,     // bits
    real32, real64, decimal,  // bits
    address,     // [elements[0] + offset]; elements may be empty: an absolute address
    vector,      // {elements}
    list,        // (elements), in calls
    pair,        // a|b
    sink,        // _
  };
  Kind kind = sink;
  bool negated = false;  // !p
  std::uint32_t line = 0;
  std::string_view text, member;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  bool has_offset = false;
  std::vector<AstOperand> elements;
};

struct AstType {
  std::string_view name;  // "u32", "f16x2", "pred"
  unsigned vector = 1;    // .v2 .v4 .v8
};

struct AstInit {  // initialiser of a variable: a tree of lists and scalars
  enum Kind : std::uint8_t { number, symbol, list } kind = number;
  std::uint64_t bits = 0;   // integer, or f64 bits when real
  bool real = false;
  int exact = 0;            // 32 or 64: bits hold an exact float pattern
  std::string_view text;    // symbol
  bool generic = false;     // generic(symbol)
  std::int64_t offset = 0;
  std::uint64_t mask = ~0ull;  // 0xFF00(symbol): the byte selected
  int mask_shift = 0;
  std::uint32_t line = 0;
  std::vector<AstInit> elements;
};

struct AstVariable {
  std::uint32_t line = 0;
  std::string_view space;    // reg, param, local, shared, global, const
  AstType type;
  std::string_view name;
  unsigned align = 0;        // 0: natural
  bool is_array = false;
  bool open = false;         // [] without a size
  std::vector<std::uint64_t> dims;
  std::uint64_t range = 0;   // %r<n>; 0: a single name
  bool is_extern = false, visible = false, weak = false, common = false;
  bool pointer = false;      // .ptr
  bool managed = false;
  bool has_init = false;
  AstInit init;
};

struct AstPrototype {
  std::uint32_t line = 0;
  std::string_view name;
  std::vector<AstVariable> results, params;
  bool noreturn = false;
};

struct AstStatement {
  enum Kind : std::uint8_t { instruction, label, variable, open, close, location, branch_targets, call_targets, call_prototype } kind = instruction;
  std::uint32_t line = 0;
  std::string_view text;                   // opcode or label
  std::vector<std::string_view> modifiers;
  std::vector<AstOperand> operands;
  bool guarded = false, guard_negated = false;
  std::string_view guard;
  AstVariable var;                          // variable
  std::vector<std::string_view> names;      // targets
  AstPrototype proto;
  std::uint32_t loc_file = 0, loc_line = 0; // location
};

struct AstFunction {
  std::uint32_t line = 0;
  bool entry = false, visible = false, weak = false, is_extern = false, noreturn = false;
  std::string_view name;
  std::vector<AstVariable> results, params;
  std::uint32_t maxntid[3] = {0, 0, 0}, reqntid[3] = {0, 0, 0};
  bool has_body = false;
  std::vector<AstStatement> body;
};

struct AstModule {
  std::string name;
  std::string source;           // owns the text that all string_views point into
  unsigned version = 0;         // 90 for 9.0
  unsigned target = 0;          // 89 for sm_89
  bool arch_specific = false;   // sm_90a
  std::vector<std::pair<std::uint32_t, std::string>> files;
  std::vector<AstVariable> variables;
  std::vector<AstFunction> functions;
  std::vector<std::pair<std::string_view, std::string_view>> aliases;
};

}  // namespace tine::emulator::detail
