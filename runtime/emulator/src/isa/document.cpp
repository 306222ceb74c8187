// The table as text: the generated part of docs/emulator.md, and every spelling for the tests.
#include <algorithm>

#include "isa/specials.hpp"
#include "isa/table.hpp"
#include "tine/emulator/diagnostics.hpp"
#include "tine/emulator/faults.hpp"
#include "tine/emulator/isa.hpp"

namespace tine::emulator {

using namespace detail;

std::vector<FormInfo> supported_forms() {
  std::vector<FormInfo> v;
  for (const Form* f : all_forms()) v.push_back({f->name, f->modifiers, f->operands, f->ptx, f->sm, name_of(f->cls)});
  return v;
}

std::vector<std::string> special_registers() {
  std::vector<std::string> v;
  for (const Special& s : specials()) v.push_back(std::string(s.name) + (*s.member != 0 ? "." : "") + s.member);
  return v;
}

std::vector<Spelling> all_spellings() {
  std::vector<Spelling> out;
  const auto& forms = all_forms();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const std::vector<Component> cs = components_of(*forms[i]);
    std::vector<Spelling> now{{forms[i]->name, i, {}}};
    for (const Component& c : cs) {
      std::vector<Spelling> next;
      for (const Spelling& s : now) {
        if (c.optional) next.push_back(s);
        for (const std::string& a : c.alternatives) {
          Spelling t = s;
          t.text += "." + a;
          if (type_from(a) != Type::none) t.types.push_back(a);
          next.push_back(std::move(t));
        }
      }
      now = std::move(next);
    }
    out.insert(out.end(), now.begin(), now.end());
  }
  return out;
}

std::string supported_markdown() {
  auto version = [](std::uint32_t v) { return std::to_string(v / 10) + "." + std::to_string(v % 10); };
  auto code = [](std::string s) {
    std::string t;
    for (const char c : s) t += c == '|' ? std::string("\\|") : std::string(1, c);
    return s.empty() ? std::string() : "`" + t + "`";
  };
  std::string s = "| instruction | modifiers | operands | PTX | sm | class |\n|---|---|---|---|---|---|\n";
  for (const FormInfo& f : supported_forms())
    s += "| `" + f.name + "` | " + code(f.modifiers) + " | " + code(f.operands) + " | " + (f.ptx <= 60 ? "" : version(f.ptx)) + " | " + (f.sm <= 70 ? "" : std::to_string(f.sm)) + " | " + f.group + " |\n";
  s += "\n### Special registers\n\n";
  for (const std::string& r : special_registers()) s += "`" + r + "` ";
  s += "\n\n### Refused, with the reason\n\n| instruction | reason |\n|---|---|\n";
  for (const RefusedInfo& r : refused_instructions()) s += "| `" + r.name + "` | " + r.reason + " |\n";
  s += "\n### Diagnostics\n\n| class | what it means |\n|---|---|\n";
  for (std::size_t i = 0; i < kDiagnosticClasses; ++i) s += std::string("| `") + name_of(static_cast<DiagnosticClass>(i)) + "` | " + meaning_of(static_cast<DiagnosticClass>(i)) + " |\n";
  s += "\n### Faults that tests can plant\n\n";
  for (int i = 1; i < kFaults; ++i) s += std::string("`") + name_of(static_cast<Fault>(i)) + "` ";
  return s + "\n";
}

}  // namespace tine::emulator
