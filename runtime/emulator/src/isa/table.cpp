#include "isa/table.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace tine::emulator::detail {
namespace {

std::vector<std::string> split(std::string_view s, char sep) {
  std::vector<std::string> out;
  std::size_t b = 0;
  while (b <= s.size()) {
    std::size_t e = s.find(sep, b);
    if (e == std::string_view::npos) e = s.size();
    if (e > b) out.emplace_back(s.substr(b, e - b));
    b = e + 1;
  }
  return out;
}

// Parsed once per form, shared by all uses.
const std::vector<Component>& parsed(const Form& form) {
  static const std::unordered_map<const Form*, std::vector<Component>> all = [] {
    std::unordered_map<const Form*, std::vector<Component>> m;
    for (const Form* f : all_forms()) m.emplace(f, components_of(*f));
    return m;
  }();
  return all.at(&form);
}

bool match_from(const std::vector<Component>& cs, std::size_t c, const std::vector<std::string_view>& mods, std::size_t m, std::vector<Type>& types) {
  if (c == cs.size()) return m == mods.size();
  for (const std::string& alt : cs[c].alternatives) {
    std::size_t k = m, b = 0;
    bool ok = true;
    while (ok && b <= alt.size()) {
      std::size_t e = alt.find('.', b);
      if (e == std::string::npos) e = alt.size();
      ok = k < mods.size() && mods[k] == std::string_view(alt).substr(b, e - b);
      ++k;
      b = e + 1;
    }
    if (!ok) continue;
    const Type t = type_from(alt);
    if (t != Type::none) types.push_back(t);
    if (match_from(cs, c + 1, mods, k, types)) return true;
    if (t != Type::none) types.pop_back();
  }
  return cs[c].optional && match_from(cs, c + 1, mods, m, types);
}

}  // namespace

std::vector<Component> components_of(const Form& form) {
  std::vector<Component> out;
  for (std::string& part : split(form.modifiers, ' ')) {
    Component c;
    if (part.back() == '?') {
      c.optional = true;
      part.pop_back();
    }
    c.alternatives = split(part, '|');
    out.push_back(std::move(c));
  }
  return out;
}

const std::vector<const Form*>& all_forms() {
  static const std::vector<const Form*> all = [] {
    std::vector<const Form*> v;
    for (auto group : {integer_forms(), logic_forms(), float_forms(), half_forms(), compare_forms(), convert_forms(), move_forms(), memory_forms(),
                       atomic_forms(), async_forms(), warp_forms(), control_forms(), matrix_forms()})
      for (const Form& f : group) v.push_back(&f);
    return v;
  }();
  return all;
}

const std::vector<const Form*>& forms_named(std::string_view name) {
  static const std::map<std::string, std::vector<const Form*>, std::less<>> by_name = [] {
    std::map<std::string, std::vector<const Form*>, std::less<>> m;
    for (const Form* f : all_forms()) m[f->name].push_back(f);
    return m;
  }();
  static const std::vector<const Form*> none;
  const auto it = by_name.find(name);
  return it == by_name.end() ? none : it->second;
}

bool Match::has(std::string_view m) const { return std::find(modifiers->begin(), modifiers->end(), m) != modifiers->end(); }
bool Match::starts(std::string_view prefix) const {
  return std::any_of(modifiers->begin(), modifiers->end(), [&](std::string_view m) { return m.substr(0, prefix.size()) == prefix; });
}
std::string_view Match::first_of(std::initializer_list<std::string_view> names) const {
  for (const std::string_view n : names)
    if (has(n)) return n;
  return {};
}

bool match_form(const Form& form, const std::vector<std::string_view>& modifiers, Match& match) {
  match.types.clear();
  if (!match_from(parsed(form), 0, modifiers, 0, match.types)) return false;
  match.form = &form;
  match.modifiers = &modifiers;
  return true;
}

}  // namespace tine::emulator::detail
