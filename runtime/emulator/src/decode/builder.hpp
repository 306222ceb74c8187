// Turns one function's statements into Instrs: scopes, names, operand checks. The instruction families call it back to emit code.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode/program.hpp"
#include "isa/table.hpp"
#include "tine/emulator/error.hpp"

namespace tine::emulator::detail {

struct Symbol {
  enum Kind : std::uint8_t { register_, predicate, variable, function, targets, prototype } kind = register_;
  Type type = Type::b32;
  Space space = Space::generic;         // variables
  bool shared = false;                  // a variable in shared memory
  std::string link_name;                // variables resolved at link time
  std::uint32_t offset = 0, size = 0;   // frame and parameter variables
  std::uint64_t range = 0;              // registers: 0 for a single one
  std::unordered_map<std::uint64_t, std::uint32_t> slots;  // registers: index -> slot, given on first use
  const AstStatement* statement = nullptr;  // targets, prototypes
  bool param_like = false;              // .param variable of a function or a call
};

struct LabelSymbol {
  std::uint32_t pc = kNoPc;
  std::uint32_t line = 0;
};

struct Scope {
  Scope* parent = nullptr;
  std::map<std::string_view, Symbol> symbols;
  std::map<std::string_view, LabelSymbol> labels;
};

// An operand after checking.
struct Operand {
  enum Kind : std::uint8_t { absent, value, predicate, address, vector, sink, other } kind = absent;
  Ref ref = kSinkRef;               // value
  Type type = Type::none;           // value: declared type of the register; none for constants
  bool constant = false;            // value: `bits` is known now
  std::uint64_t bits = 0;
  PredRef pred = kPredSink;         // predicate
  bool has_second = false;          // d|p
  PredRef second = kPredSink;
  Ref base = 0;                     // address
  std::int64_t offset = 0;
  bool by_name = false;             // address: of a variable, whose space is
  bool absolute = false;            // address: a constant
  Space space = Space::generic;
  bool shared = false;
  bool wide = true;                 // address: 64-bit register
  std::vector<Operand> elements;    // vector
  const AstOperand* ast = nullptr;
};

class Builder {
 public:
  Builder(const AstModule& module, Scope& globals, Function& function);
  void run(const AstFunction& ast);

  // --- for instruction families
  [[noreturn]] void fail(ErrorKind kind, const std::string& sentence) const;
  const AstModule& module() const { return module_; }
  Function& function() { return f_; }
  const AstStatement& statement() const { return *s_; }
  std::uint32_t line() const { return s_->line; }
  std::size_t operand_count() const { return ops_.size(); }
  Operand& op(std::size_t i) { return ops_[i]; }
  Ref ref(std::size_t i) { return ops_[i].ref; }
  // Emits with line, class and guard filled in.
  Instr& emit(const Match& m, Handler run);
  Ref constant(std::uint64_t bits);
  std::uint32_t list(std::vector<Ref> refs);
  // Checks operand i of the statement (for `*` specs).
  Operand source(const AstOperand& o, Type want, bool relaxed = false);
  Operand destination(const AstOperand& o, Type want, bool relaxed = false);
  Operand predicate_source(const AstOperand& o);
  PredRef predicate_destination(const AstOperand& o);
  // A brace vector of exactly n elements of one type. Sinks are allowed in destinations.
  Operand vector(const AstOperand& o, Type want, std::size_t n, bool dest, bool relaxed = false);
  Operand address(const AstOperand& o);
  std::uint64_t integer_constant(const AstOperand& o, std::uint64_t low, std::uint64_t high, const char* what);
  const Symbol* find(std::string_view name, std::uint64_t& index) const;
  Symbol* find(std::string_view name, std::uint64_t& index) { return const_cast<Symbol*>(std::as_const(*this).find(name, index)); }
  // Branch target of the instruction emitted last; patched when all labels are known.
  void branch_to(const AstOperand& o);
  std::uint32_t branch_targets(const AstOperand& o);
  void call_site(CallSite&& site, Instr& in);
  void need(unsigned ptx, unsigned sm, const std::string& what) const;
  Operand call_argument(const AstOperand& o, Actual& actual, bool dest);

 private:
  void declare(const AstVariable& v);
  void declare_formals(const AstFunction& ast);
  std::uint32_t frame_space(std::uint64_t size, std::uint64_t align);
  void instruction(const AstStatement& s);
  void check_operands(const Match& m);
  Ref register_ref(Symbol& s, std::uint64_t index);
  Symbol& add_symbol(std::string_view name, Symbol s, std::uint32_t line);
  void finish();
  void control_flow();

  const AstModule& module_;
  Scope* scope_;
  Scope* function_scope_ = nullptr;
  Function& f_;
  const AstFunction* ast_ = nullptr;
  const AstStatement* s_ = nullptr;
  std::vector<Operand> ops_;
  std::deque<Scope> scopes_;
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
  struct Fixup { std::uint32_t pc; const Scope* scope; std::string_view name; std::uint32_t line; std::uint32_t table; std::uint32_t entry; };
  std::vector<Fixup> fixups_;
  std::unordered_map<std::uint32_t, std::uint32_t> reloc_;  // unused slots guard
  const char* current_ = "";
};

// Size of a variable in bytes; throws when it does not fit.
std::uint64_t variable_bytes(const AstModule& m, const AstVariable& v, Type type);
Type variable_type(const AstModule& m, const AstVariable& v);

}  // namespace tine::emulator::detail
