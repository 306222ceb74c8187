#include "decode/module.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "decode/builder.hpp"
#include "syntax/parser.hpp"

namespace tine::emulator::detail {
namespace {

// Writes an initialiser into the bytes of a variable, dimension by dimension.
class Initializer {
 public:
  Initializer(const AstModule& m, const AstVariable& v, Type type, GlobalVariable& out, Scope& globals) : m_(m), v_(v), type_(type), out_(out), globals_(globals) {}
  void run() {
    std::vector<std::uint64_t> dims = v_.dims;
    if (v_.type.vector > 1) dims.push_back(v_.type.vector);
    place(v_.init, dims, 0, 0, 0);
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& why) const { throw Error(ErrorKind::semantic, m_.name, line, why); }

  std::uint64_t elements(const std::vector<std::uint64_t>& dims, std::size_t from) const {
    std::uint64_t n = 1;
    for (std::size_t i = from; i < dims.size(); ++i) n *= dims[i];
    return n;
  }
  void place(const AstInit& i, const std::vector<std::uint64_t>& dims, std::size_t d, std::uint64_t at, int depth) {
    if (i.kind == AstInit::list) {
      if (d >= dims.size()) fail(i.line, "an initialiser list where one value stands");
      // Nested lists go one dimension down; a flat list fills the elements one after another.
      const bool nested = !i.elements.empty() && i.elements[0].kind == AstInit::list;
      const std::uint64_t limit = nested ? dims[d] : elements(dims, d);
      if (i.elements.size() > limit) fail(i.line, "more initial values than elements");
      const std::uint64_t step = nested ? elements(dims, d + 1) : 1;
      for (std::size_t k = 0; k < i.elements.size(); ++k) {
        if ((i.elements[k].kind == AstInit::list) != nested) fail(i.line, "initial values mix lists and numbers");
        place(i.elements[k], dims, nested ? d + 1 : dims.size(), at + k * step, depth + 1);
      }
      return;
    }
    if (depth == 0 && !dims.empty()) fail(i.line, "an array is initialised with a list");
    scalar(i, at);
  }
  void scalar(const AstInit& i, std::uint64_t element) {
    const unsigned size = bytes_of(type_);
    const std::uint64_t at = element * size;
    if (at + size > out_.bytes.size()) fail(i.line, "more initial values than elements");
    if (i.kind == AstInit::symbol) {
      const auto it = globals_.symbols.find(i.text);
      if (it == globals_.symbols.end()) fail(i.line, "`" + std::string(i.text) + "` is not declared");
      if (it->second.shared) fail(i.line, "the address of shared memory cannot be an initial value");
      if (i.mask == ~0ull && size != 8) fail(i.line, "an address has 64 bits");
      if (is_float(type_)) fail(i.line, "an address is not a floating-point value");
      out_.pointers.push_back({at, i.mask == ~0ull ? 8u : 1u, std::string(i.text), i.offset, i.mask_shift, i.line});
      return;
    }
    std::uint64_t bits = i.bits;
    if (type_ == Type::f32) {
      if (i.exact == 64 || i.real)
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      else if (i.exact == 0)
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(bits)));
    } else if (type_ == Type::f64) {
      if (i.exact == 32)
        bits = std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
      else if (i.exact == 0 && !i.real)
        bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(bits)));
    } else if (i.exact != 0 || i.real)
      fail(i.line, std::string("a floating-point initial value for a variable of type .") + name_of(type_));
    std::memcpy(out_.bytes.data() + at, &bits, size);
  }

  const AstModule& m_;
  const AstVariable& v_;
  Type type_;
  GlobalVariable& out_;
  Scope& globals_;
};

[[noreturn]] void fail(const AstModule& m, std::uint32_t line, const std::string& why) { throw Error(ErrorKind::semantic, m.name, line, why); }

void add_variable(const AstModule& m, const AstVariable& v, Scope& globals, ModuleCode& out, std::uint64_t& total) {
  const Type type = variable_type(m, v);
  if (type == Type::pred || type == Type::f16x2 || type == Type::b128) fail(m, v.line, std::string("a variable of type .") + name_of(type));
  if (v.range != 0) throw Error(ErrorKind::unsupported, m.name, v.line, "numbered variables are not supported");
  GlobalVariable g;
  g.name = std::string(v.name);
  g.line = v.line;
  g.shared = v.space == "shared";
  g.read_only = v.space == "const";
  g.is_extern = v.is_extern;
  g.exported = v.visible || v.weak || v.common || v.is_extern;
  g.weak = v.weak || v.common;
  g.align = std::max(1u, v.align != 0 ? v.align : bytes_of(type) * v.type.vector);
  AstVariable sized = v;
  if (v.open) {
    if (v.has_init && v.init.kind == AstInit::list)
      sized.dims[0] = v.init.elements.size();
    else if (!v.is_extern)
      fail(m, v.line, "array `" + g.name + "` has no size");
  }
  g.size = variable_bytes(m, sized, type);
  g.dynamic = g.shared && v.is_extern && v.open;
  if (g.shared && v.has_init) fail(m, v.line, "shared memory has no initial value");
  if (v.is_extern && v.has_init) fail(m, v.line, "an `.extern` variable has no initial value");
  if (g.shared && v.is_extern && !v.open) throw Error(ErrorKind::unsupported, m.name, v.line, "`.extern .shared` with a size is not supported");
  if (g.read_only && g.size > 65536 && !v.is_extern) fail(m, v.line, "constant variables have 64 KiB at most");
  if (!v.is_extern && !g.shared) total += g.size;
  if (total > (std::uint64_t{1} << 32)) throw Error(ErrorKind::unsupported, m.name, v.line, "more than 4 GiB of variables");
  if (g.shared && g.size > (1u << 24)) fail(m, v.line, "shared variable `" + g.name + "` is too large");
  if (v.has_init) {
    g.bytes.assign(g.size, 0);
    Initializer(m, sized, type, g, globals).run();
  }
  out.variables.push_back(std::move(g));
}

bool same_shape(const Function& f, const AstModule& m, const AstFunction& a) {
  if (f.params.size() != a.params.size() || f.results.size() != a.results.size()) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i)
    if (bytes_of(f.params[i].type) != bytes_of(variable_type(m, a.params[i]))) return false;
  return true;
}

}  // namespace

std::unique_ptr<ModuleCode> decode(std::string_view ptx, const std::string& name) {
  auto out = std::make_unique<ModuleCode>();
  out->ast = parse(ptx, name);
  const AstModule& m = *out->ast;
  Scope globals;
  auto add = [&](std::string_view n, Symbol s, std::uint32_t line) {
    if (!globals.symbols.emplace(n, std::move(s)).second) fail(m, line, "`" + std::string(n) + "` is declared twice");
  };
  for (const AstVariable& v : m.variables) {
    Symbol s;
    s.kind = Symbol::variable;
    s.type = variable_type(m, v);
    s.space = v.space == "global" ? Space::global : v.space == "const" ? Space::constant : Space::shared;
    s.shared = v.space == "shared";
    s.link_name = std::string(v.name);
    add(v.name, std::move(s), v.line);
  }
  std::set<std::string_view> defined;
  for (const AstFunction& f : m.functions) {
    Symbol s;
    s.kind = Symbol::function;
    s.link_name = std::string(f.name);
    // Declarations may come before the definition; two bodies may not.
    const auto it = globals.symbols.find(f.name);
    if (it == globals.symbols.end())
      globals.symbols.emplace(f.name, std::move(s));
    else if (it->second.kind != Symbol::function)
      fail(m, f.line, "`" + std::string(f.name) + "` is declared twice");
    if (f.has_body && !defined.insert(f.name).second) fail(m, f.line, "function `" + std::string(f.name) + "` is defined twice");
    if (f.entry && !f.has_body && f.is_extern) throw Error(ErrorKind::unsupported, m.name, f.line, "`.extern .entry` is not supported");
  }
  if (!m.aliases.empty()) throw Error(ErrorKind::unsupported, m.name, 0, "`.alias` is not supported");
  std::uint64_t total = 0;
  for (const AstVariable& v : m.variables) add_variable(m, v, globals, *out, total);

  for (const AstFunction& a : m.functions) {
    Function f;
    f.name = std::string(a.name);
    f.entry = a.entry;
    f.is_extern = !a.has_body;
    f.exported = a.visible || a.weak || a.entry;
    f.info.name = f.name;
    f.info.module = m.name;
    f.info.line = a.line;
    std::copy(a.maxntid, a.maxntid + 3, f.info.max_threads.begin());
    std::copy(a.reqntid, a.reqntid + 3, f.info.required_threads.begin());
    Builder b(m, globals, f);
    b.run(a);
    std::uint32_t shared = 0;
    for (const SharedVariable& v : f.shared) shared = (shared + v.align - 1) / v.align * v.align + v.size;
    for (const GlobalVariable& v : out->variables)
      if (v.shared && !v.dynamic && std::any_of(f.relocations.begin(), f.relocations.end(), [&](const Relocation& r) { return r.symbol == v.name; }))
        shared = (shared + v.align - 1) / v.align * v.align + static_cast<std::uint32_t>(v.size);
    f.info.static_shared_bytes = shared;
    out->functions.push_back(std::move(f));
  }
  // Calls inside the module must agree with what they call.
  for (const Function& f : out->functions)
    for (const CallSite& c : f.calls) {
      if (c.callee.empty()) continue;
      for (const Function& t : out->functions)
        if (t.name == c.callee && (t.params.size() != c.arguments.size() || t.results.size() != c.results.size())) fail(m, f.line, "a call of `" + c.callee + "` in `" + f.name + "` does not fit its parameters");
    }
  for (const AstFunction& a : m.functions)
    for (const Function& f : out->functions)
      if (f.name == a.name && !same_shape(f, m, a)) fail(m, a.line, "`" + f.name + "` is declared with different parameters");
  return out;
}

}  // namespace tine::emulator::detail
