// The instruction table: one Form per line of the ISA's syntax boxes, with the function that decodes it.
// The checker, the generated document and the tests against ptxas all read this one table.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/types.hpp"
#include "tine/emulator/report.hpp"

namespace tine::emulator::detail {

class Builder;
struct Match;
using Build = void (*)(Builder&, const Match&);

// modifiers: components separated by blanks, alternatives by `|`, `?` at the end: may be left out. An alternative may hold dots ("xorsign.abs").
//            Order is the documented one. Alternatives that are types count, in order, as type 0, 1, 2 ...
// operands:  `=` marks a destination. 0 1 2: of that type; w: of twice the width of type 0; any type name: that type; p: predicate (sources may be
//            negated); m: an address; i: an integer constant; V: scalar or vector of type 0 (ld, st); *: the builder looks itself. A `?` at the end:
//            may be left out. `|p?` behind a destination: an optional second, predicate destination. `r`: relaxed, register may be wider.
struct Form {
  const char* name;
  const char* modifiers;
  const char* operands;
  std::uint16_t ptx, sm;
  InstrClass cls;
  Build build;
};

std::span<const Form> integer_forms();
std::span<const Form> logic_forms();
std::span<const Form> float_forms();
std::span<const Form> half_forms();
std::span<const Form> compare_forms();
std::span<const Form> convert_forms();
std::span<const Form> move_forms();
std::span<const Form> memory_forms();
std::span<const Form> atomic_forms();
std::span<const Form> async_forms();
std::span<const Form> warp_forms();
std::span<const Form> control_forms();
std::span<const Form> matrix_forms();

const std::vector<const Form*>& all_forms();
// Forms of one opcode, in table order; empty when there is none.
const std::vector<const Form*>& forms_named(std::string_view name);
// Why a known PTX instruction (opcode, or opcode with leading modifiers) is refused; null when it is not on the list.
const char* refusal(std::string_view name, const std::vector<std::string_view>& modifiers);

struct Component {
  std::vector<std::string> alternatives;
  bool optional = false;
};
std::vector<Component> components_of(const Form& form);

// A form that fits the modifiers of an instruction.
struct Match {
  const Form* form = nullptr;
  const std::vector<std::string_view>* modifiers = nullptr;
  std::vector<Type> types;
  bool has(std::string_view modifier) const;
  bool starts(std::string_view prefix) const;         // some modifier starts with it
  std::string_view first_of(std::initializer_list<std::string_view> names) const;  // the one that is there, or empty
  Type type(std::size_t i) const { return i < types.size() ? types[i] : Type::none; }
};
bool match_form(const Form& form, const std::vector<std::string_view>& modifiers, Match& match);

}  // namespace tine::emulator::detail
