#include "decode/builder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "decode/control_flow.hpp"
#include "isa/specials.hpp"

namespace tine::emulator::detail {
namespace {

std::string quoted(std::string_view s) { return "`" + std::string(s) + "`"; }

std::string spelled(const AstStatement& s) {
  std::string t(s.text);
  for (const std::string_view m : s.modifiers) t += "." + std::string(m);
  return t;
}

double as_double(const AstOperand& o) {
  if (o.kind == AstOperand::real32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(o.bits)));
  return std::bit_cast<double>(o.bits);
}

bool is_number(const AstOperand& o) { return o.kind == AstOperand::integer || o.kind == AstOperand::real32 || o.kind == AstOperand::real64 || o.kind == AstOperand::decimal; }

}  // namespace

Type variable_type(const AstModule& m, const AstVariable& v) {
  const Type t = type_from(v.type.name);
  if (t == Type::none) throw Error(ErrorKind::semantic, m.name, v.line, "unknown type `." + std::string(v.type.name) + "`");
  return t;
}

std::uint64_t variable_bytes(const AstModule& m, const AstVariable& v, Type type) {
  std::uint64_t size = bytes_of(type) * v.type.vector;
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 34;
  for (const std::uint64_t d : v.dims) {
    if (d != 0 && size > kLimit / d) throw Error(ErrorKind::semantic, m.name, v.line, "variable " + quoted(v.name) + " is too large");
    size *= d;
  }
  return size;
}

Builder::Builder(const AstModule& module, Scope& globals, Function& function) : module_(module), scope_(&globals), f_(function) {}

void Builder::fail(ErrorKind kind, const std::string& sentence) const { throw Error(kind, module_.name, s_ != nullptr ? s_->line : f_.line, sentence); }

void Builder::need(unsigned ptx, unsigned sm, const std::string& what) const {
  if (module_.version < ptx) fail(ErrorKind::semantic, what + " wants PTX " + std::to_string(ptx / 10) + "." + std::to_string(ptx % 10) + " or later");
  if (module_.target < sm) fail(ErrorKind::semantic, what + " wants target sm_" + std::to_string(sm) + " or later");
}

// --- names

Symbol& Builder::add_symbol(std::string_view name, Symbol s, std::uint32_t line) {
  const auto [it, fresh] = scope_->symbols.emplace(name, std::move(s));
  if (!fresh) throw Error(ErrorKind::semantic, module_.name, line, quoted(name) + " is declared twice in this scope");
  return it->second;
}

const Symbol* Builder::find(std::string_view name, std::uint64_t& index) const {
  index = 0;
  for (const Scope* s = scope_; s != nullptr; s = s->parent) {
    const auto it = s->symbols.find(name);
    if (it != s->symbols.end() && it->second.range == 0) return &it->second;
    // %r12 of `.reg .b32 %r<20>`
    std::uint64_t value = 0, scale = 1;
    for (std::size_t cut = name.size(); cut > 1 && name.size() - cut < 8;) {
      const char c = name[--cut];
      if (c < '0' || c > '9') break;
      value += static_cast<std::uint64_t>(c - '0') * scale;
      scale *= 10;
      if (c == '0' && name.size() - cut > 1) continue;  // %r007 is not %r7
      const auto r = s->symbols.find(name.substr(0, cut));
      if (r != s->symbols.end() && value < r->second.range) {
        index = value;
        return &r->second;
      }
    }
  }
  return nullptr;
}

Ref Builder::register_ref(Symbol& s, std::uint64_t index) {
  const auto it = s.slots.find(index);
  if (it != s.slots.end()) return make_ref(kRegister, it->second);
  std::uint32_t& next = s.kind == Symbol::predicate ? f_.preds : f_.slots;
  const std::uint32_t slot = next;
  next += s.type == Type::b128 ? 2 : 1;
  if (next > kMaxSlots) fail(ErrorKind::unsupported, "too many registers");
  s.slots.emplace(index, slot);
  ++f_.info.registers;
  return make_ref(kRegister, slot);
}

Ref Builder::constant(std::uint64_t bits) {
  const auto it = constants_.find(bits);
  if (it != constants_.end()) return make_ref(kConstant, it->second);
  const auto slot = static_cast<std::uint32_t>(f_.constants.size());
  f_.constants.push_back(bits);
  constants_.emplace(bits, slot);
  return make_ref(kConstant, slot);
}

std::uint32_t Builder::list(std::vector<Ref> refs) {
  f_.lists.push_back(std::move(refs));
  return static_cast<std::uint32_t>(f_.lists.size()) - 1;
}

// --- declarations

std::uint32_t Builder::frame_space(std::uint64_t size, std::uint64_t align) {
  const std::uint64_t at = (f_.local_bytes + align - 1) / align * align;
  if (at + size > (1u << 24)) fail(ErrorKind::unsupported, "more than 16 MiB of local memory in one frame");
  f_.local_bytes = static_cast<std::uint32_t>(at + size);
  f_.local_align = std::max(f_.local_align, static_cast<std::uint32_t>(align));
  return static_cast<std::uint32_t>(at);
}

void Builder::declare(const AstVariable& v) {
  const Type type = variable_type(module_, v);
  Symbol s;
  s.type = type;
  if (v.has_init) fail(ErrorKind::unsupported, "initialised variables inside functions are not supported");
  if (v.space == "reg") {
    if (v.type.vector != 1) fail(ErrorKind::unsupported, "vector registers are not supported");
    if (v.is_array) fail(ErrorKind::semantic, "registers have no array form");
    if (type == Type::b128) need(83, 70, "a .b128 register");
    s.kind = type == Type::pred ? Symbol::predicate : Symbol::register_;
    s.range = v.range;
    add_symbol(v.name, std::move(s), v.line);
    return;
  }
  if (type == Type::pred) fail(ErrorKind::semantic, "predicates live in registers only");
  if (type == Type::f16x2 || type == Type::b128) fail(ErrorKind::unsupported, std::string("memory variables of type .") + name_of(type) + " are not supported");
  s.kind = Symbol::variable;
  const std::uint64_t natural = std::uint64_t{bytes_of(type)} * v.type.vector;
  const std::uint64_t align = v.align != 0 ? v.align : natural;
  const std::uint64_t count = v.range != 0 ? v.range : 1;
  if (v.open) fail(ErrorKind::semantic, "a variable without a size");
  const std::uint64_t size = variable_bytes(module_, v, type);
  if (v.space == "local" || v.space == "param") {
    s.space = v.space == "local" ? Space::local : Space::frame;
    s.param_like = v.space == "param";
    if (v.range != 0) fail(ErrorKind::unsupported, "numbered memory variables are not supported");
    s.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, 1u << 25));
    s.offset = frame_space(size * count, align);
    add_symbol(v.name, std::move(s), v.line);
    return;
  }
  if (v.space == "shared") {
    if (v.range != 0) fail(ErrorKind::unsupported, "numbered memory variables are not supported");
    if (size > (1u << 28)) fail(ErrorKind::semantic, "a shared variable too large");
    s.space = Space::shared;
    s.shared = true;
    s.size = static_cast<std::uint32_t>(size);
    s.link_name = f_.name + "$" + std::string(v.name) + "$" + std::to_string(f_.shared.size());
    f_.shared.push_back({s.link_name, s.size, static_cast<std::uint32_t>(align), false});
    add_symbol(v.name, std::move(s), v.line);
    return;
  }
  fail(ErrorKind::unsupported, "`." + std::string(v.space) + "` variables inside functions are not supported");
}

void Builder::declare_formals(const AstFunction& ast) {
  std::uint32_t offset = 0;
  auto add = [&](const AstVariable& v, std::vector<Formal>& out) {
    const Type type = variable_type(module_, v);
    Formal f;
    f.name = std::string(v.name);
    f.type = type;
    Symbol s;
    s.type = type;
    if (v.range != 0 || v.has_init || v.type.vector != 1) throw Error(ErrorKind::semantic, module_.name, v.line, "not a parameter declaration");
    if (v.space == "reg") {
      if (ast.entry) throw Error(ErrorKind::semantic, module_.name, v.line, "kernel parameters are `.param`");
      if (v.is_array) throw Error(ErrorKind::semantic, module_.name, v.line, "registers have no array form");
      if (type == Type::pred) throw Error(ErrorKind::unsupported, module_.name, v.line, "predicate parameters are not supported");
      s.kind = Symbol::register_;
      f.in_register = true;
      f.size = bytes_of(type);
      Symbol& placed = add_symbol(v.name, std::move(s), v.line);
      f.slot = register_ref(placed, 0);
    } else {
      if (type == Type::pred || type == Type::b128 || type == Type::f16x2) throw Error(ErrorKind::semantic, module_.name, v.line, std::string("a parameter of type .") + name_of(type));
      if (v.open) throw Error(ErrorKind::unsupported, module_.name, v.line, "parameters without a size are not supported");
      const std::uint64_t size = variable_bytes(module_, v, type);
      if (size > (ast.entry ? 32764u : 1u << 20)) throw Error(ErrorKind::semantic, module_.name, v.line, "parameter " + quoted(v.name) + " is too large");
      f.size = static_cast<std::uint32_t>(size);
      f.align = std::max<std::uint32_t>(v.align != 0 ? v.align : bytes_of(type), 1);
      s.kind = Symbol::variable;
      s.param_like = true;
      s.size = f.size;
      if (ast.entry) {
        offset = (offset + f.align - 1) / f.align * f.align;
        f.offset = offset;
        offset += f.size;
        if (offset > 32764) throw Error(ErrorKind::semantic, module_.name, v.line, "more than 32764 bytes of parameters");
        s.space = Space::param_entry;
        f_.info.parameters.push_back({f.name, name_of(type), f.size, f.align, f.offset, v.pointer});
      } else {
        f.offset = frame_space(f.size, std::max<std::uint32_t>(f.align, 8));
        s.space = Space::frame;
      }
      s.offset = f.offset;
      add_symbol(v.name, std::move(s), v.line);
    }
    out.push_back(std::move(f));
  };
  for (const AstVariable& v : ast.results) add(v, f_.results);
  for (const AstVariable& v : ast.params) add(v, f_.params);
  f_.info.parameter_bytes = offset;
}

// --- the statement walk

void Builder::run(const AstFunction& ast) {
  ast_ = &ast;
  f_.line = ast.line;
  scopes_.emplace_back();
  scopes_.back().parent = scope_;
  scope_ = &scopes_.back();
  function_scope_ = scope_;
  declare_formals(ast);
  if (!ast.has_body) return;

  // Labels may be used before they stand: note them first, each in its scope.
  std::vector<Scope*> inner;
  {
    std::vector<Scope*> nest{scope_};
    for (const AstStatement& s : ast.body) {
      if (s.kind == AstStatement::open) {
        scopes_.emplace_back();
        scopes_.back().parent = nest.back();
        nest.push_back(&scopes_.back());
        inner.push_back(nest.back());
      } else if (s.kind == AstStatement::close)
        nest.pop_back();
      else if (s.kind == AstStatement::label) {
        if (!nest.back()->labels.emplace(s.text, LabelSymbol{kNoPc, s.line}).second) throw Error(ErrorKind::semantic, module_.name, s.line, "label " + quoted(s.text) + " stands twice in this scope");
      } else if (s.kind == AstStatement::branch_targets || s.kind == AstStatement::call_targets || s.kind == AstStatement::call_prototype) {
        Symbol t;
        t.kind = s.kind == AstStatement::call_prototype ? Symbol::prototype : Symbol::targets;
        t.statement = &s;
        if (!nest.back()->symbols.emplace(s.text, std::move(t)).second) throw Error(ErrorKind::semantic, module_.name, s.line, quoted(s.text) + " is declared twice in this scope");
      }
    }
  }
  std::size_t opened = 0;
  for (const AstStatement& s : ast.body) {
    s_ = &s;
    switch (s.kind) {
      case AstStatement::open: scope_ = inner[opened++]; break;
      case AstStatement::close: scope_ = scope_->parent; break;
      case AstStatement::label: scope_->labels[s.text].pc = static_cast<std::uint32_t>(f_.code.size()); break;
      case AstStatement::variable: declare(s.var); break;
      case AstStatement::location: f_.locations.push_back({static_cast<std::uint32_t>(f_.code.size()), {s.loc_file, s.loc_line}}); break;
      case AstStatement::instruction: instruction(s); break;
      case AstStatement::branch_targets:
      case AstStatement::call_targets:
      case AstStatement::call_prototype: break;
    }
    if (f_.code.size() > 4'000'000) fail(ErrorKind::unsupported, "a function of more than four million instructions");
  }
  finish();
}

void Builder::instruction(const AstStatement& s) {
  const auto& forms = forms_named(s.text);
  if (const char* why = refusal(s.text, s.modifiers)) fail(ErrorKind::unsupported, quoted(spelled(s)) + " is not supported: " + why);
  if (forms.empty()) fail(ErrorKind::unsupported, "unknown instruction " + quoted(s.text));
  Match m;
  const Form* too_new = nullptr;
  for (const Form* f : forms) {
    if (!match_form(*f, s.modifiers, m)) continue;
    if (f->ptx > module_.version || f->sm > module_.target) {
      too_new = f;
      continue;
    }
    // A form with another number of operands may follow (cvt with one or two sources).
    std::size_t least = 0, most = 0;
    for (const char* c = f->operands; *c != 0;) {
      while (*c == ' ') ++c;
      if (*c == 0) break;
      bool optional = false, any = *c == '*';
      const char* e = c;
      while (*e != 0 && *e != ' ') ++e;
      optional = e[-1] == '?' && !(e - c >= 3 && e[-2] == 'p' && e[-3] == '|');
      least += !optional && !any;
      most += any ? 64 : 1;
      c = e;
    }
    if (s.operands.size() < least || s.operands.size() > most) {
      m.form = nullptr;
      continue;
    }
    check_operands(m);
    current_ = f->name;
    f->build(*this, m);
    return;
  }
  if (too_new != nullptr) need(too_new->ptx, too_new->sm, quoted(spelled(s)));
  for (const Form* f : forms)
    if (match_form(*f, s.modifiers, m)) fail(ErrorKind::semantic, quoted(spelled(s)) + " has " + std::to_string(s.operands.size()) + " operands, which no form of it takes");
  fail(ErrorKind::unsupported, "no form of " + quoted(s.text) + " has the modifiers " + quoted(spelled(s).substr(s.text.size())));
}

void Builder::check_operands(const Match& m) {
  ops_.clear();
  std::size_t i = 0;
  for (const char* c = m.form->operands; *c != 0;) {
    while (*c == ' ') ++c;
    if (*c == 0) break;
    const char* e = c;
    while (*e != 0 && *e != ' ') ++e;
    std::string_view spec(c, static_cast<std::size_t>(e - c));
    c = e;
    if (spec == "*") return;  // the rest is the builder's
    bool second = false;
    if (spec.size() >= 3 && spec.substr(spec.size() - 3) == "|p?") {
      second = true;
      spec.remove_suffix(3);
    }
    const bool optional = spec.back() == '?';
    if (optional) spec.remove_suffix(1);
    if (i >= s_->operands.size()) {
      if (!optional) fail(ErrorKind::semantic, "an operand is missing");
      ops_.emplace_back();
      continue;
    }
    const AstOperand& o = s_->operands[i++];
    const bool dest = spec[0] == '=';
    if (dest) spec.remove_prefix(1);
    const bool relaxed = spec.back() == 'r' && spec.size() > 1;
    if (relaxed) spec.remove_suffix(1);
    if (spec == "m") {
      ops_.push_back(address(o));
    } else if (spec == "p") {
      Operand r;
      if (dest) {
        r.kind = Operand::predicate;
        if (o.kind == AstOperand::pair) {
          r.pred = predicate_destination(o.elements[0]);
          r.second = predicate_destination(o.elements[1]);
          r.has_second = true;
        } else
          r.pred = predicate_destination(o);
        if (r.has_second && !second) fail(ErrorKind::semantic, "this form has one destination");
      } else
        r = predicate_source(o);
      ops_.push_back(std::move(r));
    } else if (spec == "i") {
      Operand r;
      r.kind = Operand::value;
      r.constant = true;
      r.bits = integer_constant(o, 0, ~0ull, "operand");
      r.ref = constant(r.bits);
      ops_.push_back(std::move(r));
    } else if (spec == "V") {
      Type t = m.type(0);
      std::size_t n = m.has("v2") ? 2 : m.has("v4") ? 4 : m.has("v8") ? 8 : 1;
      if (n == 1)
        ops_.push_back(dest ? destination(o, t, true) : source(o, t, true));
      else
        ops_.push_back(vector(o, t, n, dest, true));
    } else {
      Type t = Type::none;
      if (spec == "0" || spec == "1" || spec == "2")
        t = m.type(static_cast<std::size_t>(spec[0] - '0'));
      else if (spec == "w") {
        switch (m.type(0)) {
          case Type::u16: t = Type::u32; break;
          case Type::s16: t = Type::s32; break;
          case Type::u32: t = Type::u64; break;
          case Type::s32: t = Type::s64; break;
          default: break;
        }
      } else
        t = type_from(spec);
      if (t == Type::none) fail(ErrorKind::semantic, "internal: operand specification");
      if (t == Type::pred) {
        Operand r;
        if (dest) {
          r.kind = Operand::predicate;
          r.pred = predicate_destination(o);
        } else
          r = predicate_source(o);
        ops_.push_back(std::move(r));
        continue;
      }
      if (dest && o.kind == AstOperand::pair) {
        if (!second) fail(ErrorKind::semantic, "this form has one destination");
        Operand r = o.elements[0].kind == AstOperand::sink ? Operand{} : destination(o.elements[0], t, relaxed);
        if (o.elements[0].kind == AstOperand::sink) r.kind = Operand::sink;
        r.second = predicate_destination(o.elements[1]);
        r.has_second = true;
        ops_.push_back(std::move(r));
      } else
        ops_.push_back(dest ? destination(o, t, relaxed) : source(o, t, relaxed));
    }
  }
  if (i < s_->operands.size()) fail(ErrorKind::semantic, "more operands than " + quoted(m.form->name) + " takes");
}

// --- operands

Operand Builder::destination(const AstOperand& o, Type want, bool relaxed) {
  Operand r;
  r.kind = Operand::value;
  r.ast = &o;
  if (o.kind != AstOperand::name || o.has_offset || o.negated) fail(ErrorKind::semantic, "the destination must be a register");
  if (!o.member.empty()) fail(ErrorKind::semantic, "a destination cannot be " + quoted(std::string(o.text) + "." + std::string(o.member)));
  std::uint64_t index = 0;
  Symbol* s = find(o.text, index);
  if (s == nullptr) fail(ErrorKind::semantic, is_special(o.text) ? quoted(o.text) + " cannot be written" : quoted(o.text) + " is not declared");
  if (s->kind != Symbol::register_) fail(ErrorKind::semantic, quoted(o.text) + " is not a register of type ." + name_of(want));
  const bool fits = agrees(s->type, want) || (relaxed && bits_of(s->type) > bits_of(want) && s->type != Type::b128 && (is_integer(want) || is_untyped(want)) && (is_integer(s->type) || is_untyped(s->type)));
  if (!fits) fail(ErrorKind::semantic, "register " + quoted(o.text) + " of type ." + name_of(s->type) + " cannot take a ." + name_of(want));
  r.type = s->type;
  r.ref = register_ref(*s, index);
  return r;
}

Operand Builder::source(const AstOperand& o, Type want, bool relaxed) {
  Operand r;
  r.kind = Operand::value;
  r.ast = &o;
  if (is_number(o)) {
    r.constant = true;
    const unsigned bits = bits_of(want);
    if (o.kind == AstOperand::integer) {
      if (is_float(want) || want == Type::b128 || want == Type::u16x2 || want == Type::s16x2) fail(ErrorKind::semantic, std::string("an integer constant where a .") + name_of(want) + " stands: write it as 0f or 0d");
      r.bits = bits < 64 ? o.bits & ((1ull << bits) - 1) : o.bits;
    } else if (want == Type::f32)
      r.bits = o.kind == AstOperand::real32 ? o.bits : std::bit_cast<std::uint32_t>(static_cast<float>(as_double(o)));
    else if (want == Type::f64)
      r.bits = std::bit_cast<std::uint64_t>(as_double(o));
    else if ((want == Type::b32 && o.kind == AstOperand::real32) || (want == Type::b64 && o.kind == AstOperand::real64))
      r.bits = o.bits;
    else
      fail(ErrorKind::semantic, std::string("a floating-point constant where a .") + name_of(want) + " stands");
    r.ref = constant(r.bits);
    return r;
  }
  if (o.kind != AstOperand::name || o.negated) fail(ErrorKind::semantic, std::string("expected a register or constant of type .") + name_of(want));
  std::uint64_t index = 0;
  Symbol* s = find(o.text, index);
  if (s == nullptr) {
    if (is_special(o.text)) fail(ErrorKind::semantic, "special register " + quoted(o.text) + " can be read by mov and cvt only");
    if (o.text == "WARP_SZ" && is_integer(want)) {
      r.constant = true;
      r.bits = 32;
      r.ref = constant(32);
      return r;
    }
    fail(ErrorKind::semantic, quoted(o.text) + " is not declared");
  }
  if (!o.member.empty() || o.has_offset) fail(ErrorKind::semantic, "expected a plain register");
  if (s->kind != Symbol::register_) fail(ErrorKind::semantic, quoted(o.text) + " is not a register of type ." + name_of(want));
  const bool fits = agrees(s->type, want) || (relaxed && bits_of(s->type) > bits_of(want) && s->type != Type::b128 && (is_integer(want) || is_untyped(want)) && (is_integer(s->type) || is_untyped(s->type)));
  if (!fits) fail(ErrorKind::semantic, "register " + quoted(o.text) + " of type ." + name_of(s->type) + " cannot give a ." + name_of(want));
  r.type = s->type;
  r.ref = register_ref(*s, index);
  return r;
}

Operand Builder::predicate_source(const AstOperand& o) {
  Operand r;
  r.kind = Operand::predicate;
  if (o.kind == AstOperand::integer) {
    r.constant = true;
    r.pred = o.bits != 0 ? kPredTrue : kPredTrue | kPredNegated;
    return r;
  }
  if (o.kind != AstOperand::name || !o.member.empty() || o.has_offset) fail(ErrorKind::semantic, "expected a predicate");
  std::uint64_t index = 0;
  Symbol* s = find(o.text, index);
  if (s == nullptr) fail(ErrorKind::semantic, quoted(o.text) + " is not declared");
  if (s->kind != Symbol::predicate) fail(ErrorKind::semantic, quoted(o.text) + " is not a predicate");
  r.pred = register_ref(*s, index) | (o.negated ? kPredNegated : 0);
  return r;
}

PredRef Builder::predicate_destination(const AstOperand& o) {
  if (o.kind == AstOperand::sink) return kPredSink;
  if (o.negated) fail(ErrorKind::semantic, "a destination cannot be negated");
  if (o.kind != AstOperand::name) fail(ErrorKind::semantic, "expected a predicate");
  return predicate_source(o).pred;
}

Operand Builder::vector(const AstOperand& o, Type want, std::size_t n, bool dest, bool relaxed) {
  Operand r;
  r.kind = Operand::vector;
  r.ast = &o;
  if (o.kind != AstOperand::vector) fail(ErrorKind::semantic, "expected a vector of " + std::to_string(n) + " elements in braces");
  if (o.elements.size() != n) fail(ErrorKind::semantic, "expected " + std::to_string(n) + " elements, found " + std::to_string(o.elements.size()));
  for (const AstOperand& e : o.elements) {
    if (e.kind == AstOperand::sink && dest) {
      Operand s;
      s.kind = Operand::sink;
      r.elements.push_back(s);
    } else
      r.elements.push_back(dest ? destination(e, want, relaxed) : source(e, want, relaxed));
  }
  return r;
}

Operand Builder::address(const AstOperand& o) {
  Operand r;
  r.kind = Operand::address;
  r.ast = &o;
  if (o.kind != AstOperand::address) fail(ErrorKind::semantic, "expected an address in brackets");
  r.offset = o.offset;
  if (o.elements.empty()) {
    r.absolute = true;
    r.base = constant(0);
    return r;
  }
  const AstOperand& b = o.elements[0];
  std::uint64_t index = 0;
  Symbol* s = find(b.text, index);
  if (s == nullptr) fail(ErrorKind::semantic, quoted(b.text) + " is not declared");
  if (!b.member.empty()) fail(ErrorKind::semantic, "expected a register or a variable as address");
  if (s->kind == Symbol::register_) {
    if (is_float(s->type) || (bits_of(s->type) != 32 && bits_of(s->type) != 64)) fail(ErrorKind::semantic, "an address register is an integer of 32 or 64 bits");
    r.wide = bits_of(s->type) == 64;
    r.base = register_ref(*s, index);
    if (r.offset > 0x7FFFFFFF || r.offset < -0x80000000ll) fail(ErrorKind::semantic, "an address offset has 32 bits");
    return r;
  }
  if (s->kind != Symbol::variable) fail(ErrorKind::semantic, quoted(b.text) + " has no address");
  r.by_name = true;
  r.space = s->space;
  r.shared = s->shared;
  switch (s->space) {
    case Space::param_entry:
      r.base = constant(0);
      r.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(r.offset) + s->offset);
      break;
    case Space::local:
    case Space::frame:
      r.base = make_ref(kSpecial, kLocalBase);
      r.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(r.offset) + s->offset);
      break;
    default: {
      const auto slot = static_cast<std::uint32_t>(f_.constants.size());
      f_.constants.push_back(0);
      f_.relocations.push_back({slot, s->link_name, 0, line()});
      r.base = make_ref(kConstant, slot);
    }
  }
  return r;
}

std::uint64_t Builder::integer_constant(const AstOperand& o, std::uint64_t low, std::uint64_t high, const char* what) {
  if (o.kind != AstOperand::integer) fail(ErrorKind::semantic, std::string("the ") + what + " must be an integer constant");
  if (o.bits < low || o.bits > high) fail(ErrorKind::semantic, std::string("the ") + what + " must lie between " + std::to_string(low) + " and " + std::to_string(high));
  return o.bits;
}

// --- emission

Instr& Builder::emit(const Match& m, Handler run) {
  Instr in;
  in.run = run;
  in.line = s_->line;
  in.cls = m.form->cls;
  in.t0 = m.type(0);
  in.t1 = m.type(1);
  if (s_->guarded) {
    AstOperand g;
    g.kind = AstOperand::name;
    g.text = s_->guard;
    in.guard = predicate_source(g).pred ^ (s_->guard_negated ? kPredNegated : 0);
  }
  f_.code.push_back(in);
  return f_.code.back();
}

void Builder::branch_to(const AstOperand& o) {
  if (o.kind != AstOperand::name) fail(ErrorKind::semantic, "expected a label");
  fixups_.push_back({static_cast<std::uint32_t>(f_.code.size()) - 1, scope_, o.text, line(), kNoPc, 0});
}

std::uint32_t Builder::branch_targets(const AstOperand& o) {
  std::uint64_t index = 0;
  const Symbol* s = o.kind == AstOperand::name ? find(o.text, index) : nullptr;
  if (s == nullptr || s->kind != Symbol::targets || s->statement->kind != AstStatement::branch_targets) fail(ErrorKind::semantic, "expected the name of a `.branchtargets` list");
  const auto table = static_cast<std::uint32_t>(f_.targets.size());
  f_.targets.emplace_back(s->statement->names.size(), 0);
  for (std::size_t k = 0; k < s->statement->names.size(); ++k)
    fixups_.push_back({kNoPc, scope_, s->statement->names[k], s->statement->line, table, static_cast<std::uint32_t>(k)});
  return table;
}

Operand Builder::call_argument(const AstOperand& o, Actual& actual, bool dest) {
  Operand r;
  if (is_number(o) && !dest) {
    actual.in_register = true;
    r.bits = o.bits;
    actual.slot = constant(o.kind == AstOperand::decimal ? o.bits : o.bits);
    actual.size = 0;  // fits anything
    return r;
  }
  if (o.kind == AstOperand::sink && dest) {
    actual.in_register = true;
    actual.slot = kSinkRef;
    return r;
  }
  if (o.kind != AstOperand::name || !o.member.empty() || o.has_offset) fail(ErrorKind::semantic, "expected a register or a `.param` variable as argument");
  std::uint64_t index = 0;
  Symbol* s = find(o.text, index);
  if (s == nullptr) fail(ErrorKind::semantic, quoted(o.text) + " is not declared");
  if (s->kind == Symbol::register_) {
    actual.in_register = true;
    actual.slot = register_ref(*s, index);
    actual.size = bytes_of(s->type);
    return r;
  }
  if (s->kind != Symbol::variable || s->space != Space::frame) fail(ErrorKind::semantic, quoted(o.text) + " cannot be passed: only registers and `.param` variables can");
  actual.in_register = false;
  actual.offset = s->offset;
  actual.size = s->size;
  return r;
}

void Builder::call_site(CallSite&& site, Instr& in) {
  in.aux = static_cast<std::uint32_t>(f_.calls.size());
  f_.calls.push_back(std::move(site));
}

void Builder::finish() {
  s_ = nullptr;
  Instr end;
  end.kind = Kind::ret;
  end.cls = InstrClass::control;
  end.line = f_.code.empty() ? f_.line : f_.code.back().line;
  const auto end_pc = static_cast<std::uint32_t>(f_.code.size());
  f_.code.push_back(end);
  for (const Fixup& x : fixups_) {
    const LabelSymbol* label = nullptr;
    for (const Scope* s = x.scope; s != nullptr && label == nullptr; s = s->parent) {
      const auto it = s->labels.find(x.name);
      if (it != s->labels.end()) label = &it->second;
    }
    if (label == nullptr || label->pc == kNoPc) throw Error(ErrorKind::semantic, module_.name, x.line, "label " + quoted(x.name) + " is not defined");
    if (x.table != kNoPc)
      f_.targets[x.table][x.entry] = label->pc;
    else
      f_.code[x.pc].imm = label->pc;
  }
  for (Instr& in : f_.code)
    if (in.kind == Kind::branch && in.imm == -1) in.imm = end_pc;  // `ret` before the end
  find_joins(f_);
  // Lanes that are not called wait behind the call for those that are.
  for (std::size_t pc = 0; pc + 1 < f_.code.size(); ++pc)
    if (f_.code[pc].kind == Kind::call || f_.code[pc].kind == Kind::call_indirect) f_.code[pc + 1].is_join = true;
  f_.info.local_bytes = f_.local_bytes;
}

}  // namespace tine::emulator::detail
