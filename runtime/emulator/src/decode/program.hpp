// The decoded form: one Instr per instruction, operands resolved to register slots, ready to run over 32 lanes.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/types.hpp"
#include "syntax/ast.hpp"
#include "tine/emulator/machine.hpp"
#include "tine/emulator/report.hpp"

namespace tine::emulator::detail {

struct Exec;
struct Instr;
// Executes one instruction for the lanes of `mask` (never empty).
using Handler = void (*)(Exec&, const Instr&, std::uint32_t mask);

// A slot is 32 lanes of 64 bits. A Ref names one: two bits say which table, the rest the index.
// Registers of up to 64 bits take one slot, zero-extended; 128-bit ones take two.
using Ref = std::uint32_t;
enum RefBase : std::uint32_t { kRegister = 0, kConstant = 1, kSpecial = 2 };
constexpr Ref make_ref(RefBase base, std::uint32_t slot) { return (static_cast<std::uint32_t>(base) << 30) | slot; }
constexpr std::uint32_t kMaxSlots = 1u << 22;
constexpr Ref kSinkRef = make_ref(kRegister, 0);  // slot 0 of every frame takes what nobody wants

// Predicates are one 32-bit word each, a bit per lane. Index 0 is a sink; 1 is always true.
using PredRef = std::uint32_t;
constexpr PredRef kPredSink = 0, kPredTrue = 1, kPredNegated = 0x80000000u;

enum class Kind : std::uint8_t {
  plain, branch, branch_index, call, call_indirect, ret, exit, trap, breakpoint, barrier, warp_sync, yield,
};
// What must hold before an instruction runs.
enum class Rendezvous : std::uint8_t {
  none,
  member_mask,  // all lanes of the mask in `c`-like operand `mask_ref` must be there
  aligned,      // the whole warp must be there
};
enum class Space : std::uint8_t { generic, global, shared, local, constant, param_entry, frame };

struct Instr {
  Handler run = nullptr;
  Ref d = 0, a = 0, b = 0, c = 0;
  PredRef p = 0, q = 0;          // predicate operands: destinations or sources, as the handler wants
  PredRef guard = kPredTrue;
  Ref mask_ref = 0;              // member mask
  std::int64_t imm = 0;          // address offset, branch target, immediate ...
  std::uint32_t aux = 0;         // index into the function's operand lists
  std::uint32_t line = 0;
  std::uint32_t join = 0xFFFFFFFFu;  // branches: where the sides meet again (immediate post-dominator)
  Kind kind = Kind::plain;
  InstrClass cls = InstrClass::other;
  Rendezvous rendezvous = Rendezvous::none;
  Type t0 = Type::none, t1 = Type::none;
  Space space = Space::generic;
  std::uint8_t n = 1;            // vector length, matrices ...
  std::uint16_t flags = 0;       // by handler
  bool is_join = false;          // some branch meets here
  bool narrow = false;           // the address register has 32 bits: addresses wrap there

  std::uint64_t address(std::uint64_t base) const { const std::uint64_t a = base + static_cast<std::uint64_t>(imm); return narrow ? a & 0xFFFFFFFFu : a; }
};

constexpr std::uint32_t kNoPc = 0xFFFFFFFFu;

struct Relocation {              // constant slot to be filled at link time
  std::uint32_t constant;
  std::string symbol;
  std::int64_t addend;
  std::uint32_t line;
};

struct Formal {                  // a parameter or result of a function
  std::string name;
  Type type = Type::b32;
  bool in_register = false;
  Ref slot = 0;                  // in_register
  std::uint32_t offset = 0, size = 0, align = 1;  // otherwise: in the frame's local memory (functions) or the parameter buffer (kernels)
};
struct Actual {                  // an argument at a call
  bool in_register = true;
  Ref slot = 0;
  std::uint32_t offset = 0, size = 0;
};
struct CallSite {
  std::string callee;            // empty when indirect
  std::vector<Actual> results, arguments;
  std::vector<std::string> targets;  // .calltargets; empty: anything with the right shape
};

struct SharedVariable {
  std::string name;
  std::uint32_t size = 0, align = 1;
  bool dynamic = false;
};

struct Function {
  std::string name;
  bool entry = false, is_extern = false, exported = false;
  std::uint32_t line = 0;
  std::vector<Instr> code;
  std::vector<std::uint64_t> constants;            // one value per slot
  std::vector<Relocation> relocations;
  std::vector<std::vector<Ref>> lists;             // operand lists (vectors, fragments)
  std::vector<std::vector<std::uint32_t>> targets; // of brx.idx
  std::vector<CallSite> calls;
  std::vector<Formal> results, params;
  std::vector<SharedVariable> shared;              // demoted variables; symbol names are "function$name"
  std::uint32_t slots = 1, preds = 2, local_bytes = 0, local_align = 16;
  std::vector<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>> locations;  // pc -> (file, line)
  KernelInfo info;
};

struct GlobalVariable {
  std::string name;
  std::uint32_t line = 0;
  bool read_only = false, shared = false, dynamic = false, is_extern = false, exported = false, weak = false;
  std::uint32_t align = 1;
  std::uint64_t size = 0;
  std::vector<std::uint8_t> bytes;   // initial value, size bytes or empty
  struct Pointer { std::uint64_t at; unsigned bytes; std::string symbol; std::int64_t addend; int shift; std::uint32_t line; };
  std::vector<Pointer> pointers;     // addresses to put into `bytes` at link time
};

struct ModuleCode {
  std::unique_ptr<AstModule> ast;    // owns the text
  std::vector<Function> functions;
  std::vector<GlobalVariable> variables;
};

}  // namespace tine::emulator::detail
