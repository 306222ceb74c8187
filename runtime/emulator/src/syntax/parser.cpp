#include "syntax/parser.hpp"

#include <algorithm>
#include <cstring>

#include "syntax/lexer.hpp"
#include "tine/emulator/error.hpp"

namespace tine::emulator::detail {
namespace {

constexpr int kMaxNesting = 64;            // of scopes and initialisers: hostile text must not exhaust our stack
constexpr std::uint64_t kMaxRange = 1u << 20;  // %r<n>

bool one_of(std::string_view s, std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), s) != names.end(); }
const std::initializer_list<std::string_view> kSpaces = {"reg", "sreg", "param", "local", "shared", "global", "const", "tex"};
const std::initializer_list<std::string_view> kTypes = {"b8",  "b16", "b32", "b64", "b128", "u8",    "u16",  "u32",    "u64",     "s8",        "s16",
                                                        "s32", "s64", "f16", "f32", "f64",  "f16x2", "pred", "texref", "surfref", "samplerref"};

class Parser {
 public:
  Parser(AstModule& m, std::vector<Token> tokens) : m_(m), t_(std::move(tokens)) {}

  void run() {
    header();
    while (cur().kind != Tok::end) item();
  }

 private:
  // --- tokens
  const Token& cur() const { return t_[i_]; }
  const Token& ahead(std::size_t n = 1) const { return t_[std::min(i_ + n, t_.size() - 1)]; }
  void next() {
    if (i_ + 1 < t_.size()) ++i_;
  }
  bool is(char c) const { return cur().kind == Tok::punct && cur().punct == c; }
  bool is_dot(std::string_view s) const { return cur().kind == Tok::dot && cur().text == s; }
  bool take(char c) {
    if (!is(c)) return false;
    next();
    return true;
  }
  bool take_dot(std::string_view s) {
    if (!is_dot(s)) return false;
    next();
    return true;
  }
  std::string shown() const {
    switch (cur().kind) {
      case Tok::end: return "the end of the text";
      case Tok::dot: return "`." + std::string(cur().text) + "`";
      case Tok::string: return "a string";
      default: return "`" + std::string(cur().text.substr(0, 60)) + "`";
    }
  }
  [[noreturn]] void fail(const std::string& why, ErrorKind kind = ErrorKind::syntax) const { throw Error(kind, m_.name, cur().line, why); }
  [[noreturn]] void expected(const std::string& what) const { fail("expected " + what + " but found " + shown()); }
  void want(char c) {
    if (!take(c)) expected(std::string("`") + c + "`");
  }
  std::string_view ident(const char* what) {
    if (cur().kind != Tok::ident) expected(what);
    const std::string_view s = cur().text;
    next();
    return s;
  }
  std::uint64_t integer(const char* what) {
    if (cur().kind != Tok::integer) expected(what);
    const std::uint64_t v = cur().bits;
    next();
    return v;
  }

  // --- module level
  void header() {
    if (!take_dot("version")) expected("`.version` first");
    // "9.0" reaches us as one decimal token; "8" alone is not a version.
    if (cur().kind != Tok::decimal) expected("a version like `8.4`");
    const std::string_view v = cur().text;
    const std::size_t dot = v.find('.');
    if (dot == std::string_view::npos || v.size() - dot != 2 || dot == 0 || dot > 2 || v.find_first_of("eE") != std::string_view::npos) expected("a version like `8.4`");
    for (const char c : v) m_.version = c == '.' ? m_.version : m_.version * 10 + static_cast<unsigned>(c - '0');
    if (m_.version < 60 || m_.version > 90) fail("PTX version " + std::string(v) + " is not supported: 6.0 to 9.0 are", ErrorKind::unsupported);
    next();
    if (!take_dot("target")) expected("`.target`");
    target();
    while (take(',')) {
      const std::string_view opt = ident("a target option");
      if (one_of(opt, {"debug", "texmode_independent", "texmode_unified"})) continue;
      fail("target option `" + std::string(opt) + "` is not supported", ErrorKind::unsupported);
    }
    if (!take_dot("address_size")) expected("`.address_size 64`: 32-bit addresses are not supported");
    if (integer("an address size") != 64) fail("only 64-bit addresses are supported", ErrorKind::unsupported);
  }
  void target() {
    const std::string_view s = ident("a target like `sm_80`");
    unsigned n = 0;
    std::size_t i = 3;
    if (s.substr(0, 3) != "sm_") fail("target `" + std::string(s) + "` is not supported", ErrorKind::unsupported);
    while (i < s.size() && s[i] >= '0' && s[i] <= '9' && n < 1000) n = n * 10 + static_cast<unsigned>(s[i++] - '0');
    const std::string_view rest = s.substr(i);
    if (i == 3 || (!rest.empty() && rest != "a" && rest != "f")) fail("target `" + std::string(s) + "` is not a target", ErrorKind::syntax);
    if (!one_of(s.substr(0, i), {"sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"}) || (rest == "a" && n < 90) || (rest == "f" && n < 100))
      fail("target `" + std::string(s) + "` is not supported", ErrorKind::unsupported);
    struct { unsigned sm, ptx; } const since[] = {{72, 61}, {75, 63}, {80, 70}, {86, 71}, {87, 74}, {88, 90}, {89, 78}, {90, 78}, {100, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88}};
    for (const auto& e : since)
      if (e.sm == n && m_.version < std::max(e.ptx, rest == "a" && n == 90 ? 80u : rest == "f" ? 88u : 0u)) fail("target `" + std::string(s) + "` wants a later PTX version", ErrorKind::semantic);
    m_.target = n;
    m_.arch_specific = !rest.empty();
  }

  void item() {
    if (cur().kind != Tok::dot) expected("a directive");
    const std::string_view d = cur().text;
    if (d == "file") return file();
    if (d == "section") return section();
    if (d == "pragma") return pragma();
    if (d == "alias") {
      next();
      const std::string_view a = ident("a name");
      want(',');
      const std::string_view b = ident("a name");
      want(';');
      m_.aliases.emplace_back(a, b);
      return;
    }
    bool ext = false, vis = false, weak = false, common = false;
    for (;; next()) {
      if (is_dot("extern"))
        ext = true;
      else if (is_dot("visible"))
        vis = true;
      else if (is_dot("weak"))
        weak = true;
      else if (is_dot("common"))
        common = true;
      else
        break;
      if (ext + vis + weak + common > 1) fail("two linking directives");
    }
    if (is_dot("func") || is_dot("entry")) {
      AstFunction f;
      f.is_extern = ext;
      f.visible = vis;
      f.weak = weak;
      if (common) fail("`.common` does not go with functions");
      return function(f);
    }
    if (cur().kind != Tok::dot) expected("a directive");
    if (is_dot("const") || is_dot("global") || is_dot("shared")) {
      std::vector<AstVariable> vars;
      variables(vars, false);
      for (AstVariable& v : vars) {
        v.is_extern = ext;
        v.visible = vis;
        v.weak = weak;
        v.common = common;
        m_.variables.push_back(std::move(v));
      }
      return;
    }
    fail("directive `." + std::string(cur().text) + "` is not known at module level", ErrorKind::unsupported);
  }

  void file() {
    next();
    const std::uint64_t n = integer("a file number");
    if (cur().kind != Tok::string) expected("a file name");
    m_.files.emplace_back(static_cast<std::uint32_t>(n), std::string(cur().text));
    next();
    if (take(',')) {
      integer("a time stamp");
      want(',');
      integer("a file size");
    }
  }
  void section() {  // debug sections: data for debuggers, of no meaning here
    next();
    if (cur().kind != Tok::dot && cur().kind != Tok::ident) expected("a section name");
    next();
    want('{');
    while (!is('}')) {
      if (cur().kind == Tok::end) expected("`}` of a section");
      if (is('{')) fail("`{` inside a section");
      next();
    }
    next();
  }
  void pragma() {
    next();
    do {
      if (cur().kind != Tok::string) expected("a pragma string");
      next();
    } while (take(','));
    want(';');
  }

  // --- variables
  // One declaration statement up to and including `;`, or one parameter (no `;`).
  void variables(std::vector<AstVariable>& out, bool parameter) {
    AstVariable v;
    v.line = cur().line;
    v.space = cur().text;
    next();
    qualifiers(v, parameter);
    for (;;) {
      AstVariable one = v;
      one.line = cur().line;
      declarator(one);
      out.push_back(std::move(one));
      if (parameter) return;
      if (take(',')) continue;
      want(';');
      return;
    }
  }
  void align_of(AstVariable& v) {
    const std::uint64_t a = integer("an alignment");
    if (a == 0 || (a & (a - 1)) != 0 || a > 4096) fail("the alignment is not a power of two up to 4096");
    v.align = static_cast<unsigned>(a);
  }
  void qualifiers(AstVariable& v, bool parameter) {
    bool typed = false;
    for (; cur().kind == Tok::dot; ) {
      const std::string_view d = cur().text;
      if (d == "align") {
        next();
        align_of(v);
      } else if (d == "attribute") {
        next();
        want('(');
        while (!is(')')) {
          if (is_dot("managed"))
            v.managed = true;
          else
            fail("attribute " + shown() + " is not supported", ErrorKind::unsupported);
          next();
          if (!take(',')) break;
        }
        want(')');
      } else if (d == "ptr" && parameter && typed) {
        next();
        v.pointer = true;
        if (cur().kind == Tok::dot && one_of(cur().text, {"global", "shared", "local", "const"})) next();
        if (take_dot("align")) {
          AstVariable ignored;
          align_of(ignored);
        }
      } else if (d == "v2" || d == "v4" || d == "v8") {
        if (typed) fail("the vector size stands before the type");
        v.type.vector = static_cast<unsigned>(d[1] - '0');
        next();
      } else if (one_of(d, kTypes)) {
        if (typed) fail("a second type");
        if (one_of(d, {"texref", "surfref", "samplerref"})) fail("textures and surfaces are not supported", ErrorKind::unsupported);
        v.type.name = d;
        typed = true;
        next();
      } else
        fail("`." + std::string(d) + "` is not known in a declaration", ErrorKind::unsupported);
    }
    if (!typed) expected("a type");
    if (v.type.vector == 8) fail("`.v8` is not a variable type");
  }
  void declarator(AstVariable& v) {
    v.name = ident("a name");
    if (is('<')) {
      next();
      v.range = integer("a count");
      if (v.range == 0 || v.range > kMaxRange) fail("the register count must lie between 1 and " + std::to_string(kMaxRange), ErrorKind::unsupported);
      want('>');
    }
    while (take('[')) {
      v.is_array = true;
      if (take(']')) {
        if (!v.dims.empty()) fail("only the first dimension may be open");
        v.open = true;
        v.dims.push_back(0);
        continue;
      }
      const std::int64_t n = constant_expression(0);
      if (n < 0 || n > (std::int64_t{1} << 40)) fail("an array size out of range");
      v.dims.push_back(static_cast<std::uint64_t>(n));
      want(']');
    }
    if (take('=')) {
      v.has_init = true;
      v.init = initializer(0);
    }
  }
  std::int64_t constant_expression(int depth) {
    if (depth > kMaxNesting) fail("an expression nested too deeply");
    std::int64_t v = constant_term(depth);
    while (is('+') || is('-') || is('*')) {
      const char op = cur().punct;
      next();
      const auto w = static_cast<std::uint64_t>(constant_term(depth));
      const auto u = static_cast<std::uint64_t>(v);
      v = static_cast<std::int64_t>(op == '+' ? u + w : op == '-' ? u - w : u * w);
    }
    return v;
  }
  std::int64_t constant_term(int depth) {
    if (take('-')) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(constant_term(depth + (depth < kMaxNesting ? 1 : fail_depth()))));
    if (take('(')) {
      const std::int64_t v = constant_expression(depth + 1);
      want(')');
      return v;
    }
    return static_cast<std::int64_t>(integer("an integer"));
  }
  int fail_depth() const { fail("an expression nested too deeply"); }

  AstInit initializer(int depth) {
    if (depth > kMaxNesting) fail("an initialiser nested too deeply");
    AstInit v;
    v.line = cur().line;
    if (take('{')) {
      v.kind = AstInit::list;
      if (take('}')) return v;
      do v.elements.push_back(initializer(depth + 1));
      while (take(','));
      want('}');
      return v;
    }
    if (cur().kind == Tok::ident) {
      v.kind = AstInit::symbol;
      if (cur().text == "generic" && ahead().kind == Tok::punct && ahead().punct == '(') {
        next();
        next();
        v.generic = true;
        v.text = ident("a variable");
        symbol_offset(v);
        want(')');
      } else
        v.text = ident("a variable");
      symbol_offset(v);
      return v;
    }
    if (cur().kind == Tok::integer && ahead().kind == Tok::punct && ahead().punct == '(') {
      // 0xFF00(symbol): one byte of an address
      v.kind = AstInit::symbol;
      v.mask = cur().bits;
      v.mask_shift = -1;
      for (int b = 0; b < 8; ++b)
        if (v.mask == (0xFFull << (8 * b))) v.mask_shift = 8 * b;
      if (v.mask_shift < 0) fail("the mask of an address must select one byte");
      next();
      next();
      if (cur().kind == Tok::ident && cur().text == "generic") {
        next();
        want('(');
        v.generic = true;
        v.text = ident("a variable");
        symbol_offset(v);
        want(')');
      } else
        v.text = ident("a variable");
      symbol_offset(v);
      want(')');
      return v;
    }
    bool minus = false;
    while (take('-')) minus = !minus;
    switch (cur().kind) {
      case Tok::real32: v.exact = 32; break;
      case Tok::real64: v.exact = 64; break;
      case Tok::decimal: v.real = true; break;
      case Tok::integer: break;
      default: expected("a constant");
    }
    v.bits = cur().bits;
    if (minus) v.bits = v.exact == 32 ? v.bits ^ 0x80000000ull : v.exact == 64 || v.real ? v.bits ^ (1ull << 63) : 0 - v.bits;
    next();
    return v;
  }
  void symbol_offset(AstInit& v) {
    while (is('+') || is('-')) {
      const bool minus = is('-');
      next();
      const std::uint64_t n = integer("an offset");
      v.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(v.offset) + (minus ? 0 - n : n));
    }
  }

  // --- functions
  void parameter_list(std::vector<AstVariable>& out) {
    want('(');
    if (take(')')) return;
    do {
      if (!is_dot("param") && !is_dot("reg")) expected("`.param`");
      variables(out, true);
    } while (take(','));
    want(')');
  }
  void function(AstFunction& f) {
    f.line = cur().line;
    f.entry = cur().text == "entry";
    next();
    if (cur().kind == Tok::dot && one_of(cur().text, {"attribute"})) fail("function attributes are not supported", ErrorKind::unsupported);
    if (is('(')) {
      if (f.entry) fail("a kernel returns nothing");
      parameter_list(f.results);
    }
    f.line = cur().line;
    f.name = ident("a function name");
    if (is('(')) parameter_list(f.params);
    for (;;) {
      if (cur().kind == Tok::dot && one_of(cur().text, {"maxntid", "reqntid"})) {
        std::uint32_t* d = cur().text == "maxntid" ? f.maxntid : f.reqntid;
        next();
        d[1] = d[2] = 1;
        for (int k = 0; k < 3; ++k) {
          const std::uint64_t n = integer("a block size");
          if (n == 0 || n > 1024) fail("a block size must lie between 1 and 1024", ErrorKind::semantic);
          d[k] = static_cast<std::uint32_t>(n);
          if (!take(',')) break;
        }
      } else if (cur().kind == Tok::dot && one_of(cur().text, {"minnctapersm", "maxnctapersm", "maxnreg"})) {
        next();
        integer("a number");
      } else if (take_dot("noreturn"))
        f.noreturn = true;
      else if (is_dot("pragma")) {
        pragma();
      } else if (cur().kind == Tok::dot && one_of(cur().text, {"reqnctapercluster", "explicitcluster", "maxclusterrank", "blocksareclusters"}))
        fail("`." + std::string(cur().text) + "`: clusters are not supported yet", ErrorKind::unsupported);
      else
        break;
    }
    if (take(';')) {
      m_.functions.push_back(std::move(f));
      return;
    }
    if (!is('{')) expected("`{`, `;` or a performance directive");
    if (f.is_extern) fail("an `.extern` function has no body");
    next();
    f.has_body = true;
    body(f);
    m_.functions.push_back(std::move(f));
  }

  void body(AstFunction& f) {
    int depth = 1;
    while (depth > 0) {
      AstStatement s;
      s.line = cur().line;
      if (cur().kind == Tok::end) expected("`}` of function `" + std::string(f.name) + "`");
      if (take('{')) {
        if (++depth > kMaxNesting) fail("scopes nested too deeply");
        s.kind = AstStatement::open;
        f.body.push_back(std::move(s));
      } else if (take('}')) {
        if (--depth > 0) {
          s.kind = AstStatement::close;
          f.body.push_back(std::move(s));
        }
      } else if (take(';')) {
        // an empty statement: inline assembly leaves them behind
      } else if (cur().kind == Tok::dot)
        directive(f);
      else if (cur().kind == Tok::ident && ahead().kind == Tok::punct && ahead().punct == ':')
        labelled(f);
      else
        instruction(f);
    }
  }

  void labelled(AstFunction& f) {
    AstStatement s;
    s.line = cur().line;
    s.text = ident("a label");
    want(':');
    if (is_dot("branchtargets") || is_dot("calltargets")) {
      s.kind = is_dot("branchtargets") ? AstStatement::branch_targets : AstStatement::call_targets;
      next();
      do s.names.push_back(ident("a name"));
      while (take(','));
      want(';');
    } else if (take_dot("callprototype")) {
      s.kind = AstStatement::call_prototype;
      s.proto.line = s.line;
      s.proto.name = s.text;
      if (is('(')) parameter_list(s.proto.results);
      if (cur().kind == Tok::ident && cur().text == "_")
        next();
      else
        expected("`_` in a prototype");
      if (is('(')) parameter_list(s.proto.params);
      if (take_dot("noreturn")) s.proto.noreturn = true;
      want(';');
    } else
      s.kind = AstStatement::label;
    f.body.push_back(std::move(s));
  }

  void directive(AstFunction& f) {
    const std::string_view d = cur().text;
    if (d == "loc") {
      AstStatement s;
      s.kind = AstStatement::location;
      s.line = cur().line;
      next();
      s.loc_file = static_cast<std::uint32_t>(integer("a file number"));
      s.loc_line = static_cast<std::uint32_t>(integer("a line number"));
      integer("a column");
      while (take(',')) {
        const std::string_view what = ident("`function_name` or `inlined_at`");
        if (what == "function_name") {
          ident("a label");
          if (take('+')) integer("an offset");
        } else if (what == "inlined_at") {
          integer("a file number");
          integer("a line number");
          integer("a column");
        } else
          fail("`" + std::string(what) + "` is not known in `.loc`");
      }
      f.body.push_back(std::move(s));
      return;
    }
    if (d == "pragma") return pragma();
    if (one_of(d, kSpaces)) {
      if (one_of(d, {"tex", "sreg", "global", "const"}) && d != "global" && d != "const") fail("`." + std::string(d) + "` variables are not supported", ErrorKind::unsupported);
      std::vector<AstVariable> vars;
      variables(vars, false);
      for (AstVariable& v : vars) {
        AstStatement s;
        s.kind = AstStatement::variable;
        s.line = v.line;
        s.var = std::move(v);
        f.body.push_back(std::move(s));
      }
      return;
    }
    fail("directive `." + std::string(d) + "` is not known inside a function", ErrorKind::unsupported);
  }

  void instruction(AstFunction& f) {
    AstStatement s;
    s.line = cur().line;
    if (take('@')) {
      s.guarded = true;
      s.guard_negated = take('!');
      s.guard = ident("a predicate");
    }
    s.line = cur().line;
    s.text = ident("an instruction");
    while (cur().kind == Tok::dot) {
      s.modifiers.push_back(cur().text);
      next();
      if (s.modifiers.size() > 24) fail("too many modifiers");
    }
    if (!is(';')) {
      do s.operands.push_back(operand(0));
      while (take(','));
      if (s.operands.size() > 64) fail("too many operands");
    }
    want(';');
    f.body.push_back(std::move(s));
  }

  AstOperand operand(int depth) {
    if (depth > 4) fail("operands nested too deeply");
    AstOperand o;
    o.line = cur().line;
    if (take('[')) {
      o.kind = AstOperand::address;
      AstOperand base = operand(depth + 1);
      if (base.kind == AstOperand::name) {
        o.offset = base.offset;
        base.offset = 0;
        base.has_offset = false;
        o.elements.push_back(std::move(base));
      } else if (base.kind == AstOperand::integer)
        o.offset = static_cast<std::int64_t>(base.bits);
      else
        fail("an address is a register or a name, plus a constant");
      if (is(',')) fail("tensor and texture coordinates are not supported", ErrorKind::unsupported);
      want(']');
      return o;
    }
    if (is('{') || is('(')) {
      const char close = is('{') ? '}' : ')';
      o.kind = is('{') ? AstOperand::vector : AstOperand::list;
      next();
      if (!is(close)) do {
          o.elements.push_back(operand(depth + 1));
          if (o.elements.size() > 256) fail("too many elements");
        } while (take(','));
      want(close);
      if (is('|')) fail("`|` joins predicates only");
      return o;
    }
    if (take('!')) {
      o.negated = true;
      o.kind = AstOperand::name;
      o.text = ident("a predicate");
      return o;
    }
    bool minus = false;
    while (take('-')) minus = !minus;
    if (take('~')) {
      if (cur().kind != Tok::integer) expected("an integer");
      o.kind = AstOperand::integer;
      o.bits = ~cur().bits;
      if (minus) o.bits = 0 - o.bits;
      next();
      return o;
    }
    switch (cur().kind) {
      case Tok::integer: o.kind = AstOperand::integer; break;
      case Tok::real32: o.kind = AstOperand::real32; break;
      case Tok::real64: o.kind = AstOperand::real64; break;
      case Tok::decimal: o.kind = AstOperand::decimal; break;
      case Tok::ident: {
        if (minus) fail("a register cannot be negated in an operand");
        o.text = cur().text;
        o.kind = o.text == "_" ? AstOperand::sink : AstOperand::name;
        next();
        if (cur().kind == Tok::dot && cur().glued && one_of(cur().text, {"x", "y", "z", "w"})) {
          o.member = cur().text;
          next();
        }
        while (o.kind == AstOperand::name && (is('+') || is('-'))) {
          const bool neg = is('-');
          next();
          bool neg2 = neg;
          if (take('-')) neg2 = !neg2;
          const std::uint64_t n = integer("an offset");
          o.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(o.offset) + (neg2 ? 0 - n : n));
          o.has_offset = true;
        }
        if (is('|') && !o.has_offset) {
          AstOperand p;
          p.kind = AstOperand::pair;
          p.line = o.line;
          next();
          AstOperand second = operand(depth + 1);
          if (second.kind != AstOperand::name && second.kind != AstOperand::sink) expected("a register after `|`");
          p.elements.push_back(std::move(o));
          p.elements.push_back(std::move(second));
          return p;
        }
        return o;
      }
      default: expected("an operand");
    }
    o.bits = cur().bits;
    if (minus) o.bits = o.kind == AstOperand::integer ? 0 - o.bits : o.kind == AstOperand::real32 ? o.bits ^ 0x80000000ull : o.bits ^ (1ull << 63);
    next();
    return o;
  }

  AstModule& m_;
  std::vector<Token> t_;
  std::size_t i_ = 0;
};

}  // namespace

std::unique_ptr<AstModule> parse(std::string_view source, const std::string& name) {
  auto m = std::make_unique<AstModule>();
  m->name = name;
  m->source.assign(source);
  Parser(*m, lex(m->source, m->name)).run();
  return m;
}

}  // namespace tine::emulator::detail
