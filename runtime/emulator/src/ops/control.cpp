// Branches, calls, barriers, the end of threads. What they do is in machine/warp.cpp; here they are decoded.
#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"

namespace tine::emulator::detail {
namespace {

void nothing(Exec&, const Instr&, std::uint32_t) {}

void build_bra(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  if (ops.size() != 1) b.fail(ErrorKind::semantic, "bra has one target");
  b.emit(m, nothing).kind = Kind::branch;
  b.branch_to(ops[0]);
}
void build_brx(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  if (ops.size() != 2) b.fail(ErrorKind::semantic, "brx.idx has an index and a list of targets");
  const Ref index = b.source(ops[0], Type::u32).ref;
  const std::uint32_t table = b.branch_targets(ops[1]);
  Instr& in = b.emit(m, nothing);
  in.kind = Kind::branch_index;
  in.a = index;
  in.aux = table;
}
void build_ret(Builder& b, const Match& m) {
  Instr& in = b.emit(m, nothing);
  in.kind = Kind::branch;
  in.imm = -1;  // to the end of the function, where all lanes meet before they return
}
template <Kind kind> void build_plain(Builder& b, const Match& m) { b.emit(m, nothing).kind = kind; }

// call (result), name, (arguments);  name may be a register, then a prototype or a list of targets follows.
void build_call(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  std::size_t i = 0;
  CallSite site;
  auto list = [&](const AstOperand& o, std::vector<Actual>& out, bool dest) {
    for (const AstOperand& e : o.elements) {
      Actual a;
      (void)b.call_argument(e, a, dest);
      out.push_back(a);
    }
  };
  if (i < ops.size() && ops[i].kind == AstOperand::list) {
    if (ops[i].elements.size() > 1) b.fail(ErrorKind::semantic, "a call has one result at most");
    list(ops[i++], site.results, true);
  }
  if (i >= ops.size() || ops[i].kind != AstOperand::name || ops[i].has_offset || ops[i].negated || !ops[i].member.empty()) b.fail(ErrorKind::semantic, "expected the function to call");
  const AstOperand& callee = ops[i++];
  if (i < ops.size() && ops[i].kind == AstOperand::list) list(ops[i++], site.arguments, false);
  std::uint64_t index = 0;
  const Symbol* s = b.find(callee.text, index);
  if (s == nullptr) b.fail(ErrorKind::semantic, "`" + std::string(callee.text) + "` is not declared");
  Ref target = 0;
  const bool indirect = s->kind == Symbol::register_;
  if (indirect) {
    target = b.source(callee, Type::u64).ref;
    if (i + 1 != ops.size() || ops[i].kind != AstOperand::name) b.fail(ErrorKind::semantic, "an indirect call names its prototype or its targets");
    const Symbol* p = b.find(ops[i].text, index);
    if (p == nullptr || (p->kind != Symbol::prototype && p->kind != Symbol::targets)) b.fail(ErrorKind::semantic, "`" + std::string(ops[i].text) + "` is neither a prototype nor a list of targets");
    if (p->kind == Symbol::prototype) {
      if (p->statement->proto.params.size() != site.arguments.size() || p->statement->proto.results.size() != site.results.size()) b.fail(ErrorKind::semantic, "the call does not fit its prototype");
    } else {
      if (p->statement->kind != AstStatement::call_targets) b.fail(ErrorKind::semantic, "`" + std::string(ops[i].text) + "` is no list of functions");
      for (const std::string_view n : p->statement->names) site.targets.emplace_back(n);
    }
  } else {
    if (s->kind != Symbol::function) b.fail(ErrorKind::semantic, "`" + std::string(callee.text) + "` is not a function");
    if (i != ops.size()) b.fail(ErrorKind::semantic, "operands behind the arguments of a direct call");
    site.callee = std::string(callee.text);
  }
  Instr& in = b.emit(m, nothing);
  in.kind = indirect ? Kind::call_indirect : Kind::call;
  in.a = target;
  b.call_site(std::move(site), in);
}

// See arrive_at_barrier for what the fields mean.
void build_barrier(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  const bool red = m.has("red"), arrive = m.has("arrive");
  std::size_t i = 0;
  Ref d = kSinkRef;
  PredRef p = kPredSink, q = kPredTrue;
  if (red) {
    if (ops.size() < 3 || ops.size() > 4) b.fail(ErrorKind::semantic, "a barrier reduction has a destination, a barrier, maybe a count, and a predicate");
    if (m.has("popc"))
      d = b.destination(ops[0], Type::u32).ref;
    else
      p = b.predicate_destination(ops[0]);
    q = b.predicate_source(ops.back()).pred;
    i = 1;
  }
  const std::size_t left = ops.size() - i - red;
  if (left < 1 || left > 2 || (arrive && left != 2)) b.fail(ErrorKind::semantic, arrive ? "arriving at a barrier needs its thread count" : "a barrier has a number and maybe a thread count");
  const Operand number = b.source(ops[i], Type::u32);
  if (number.constant && number.bits > 15) b.fail(ErrorKind::semantic, "barriers are numbered 0 to 15");
  Ref count = b.constant(0);
  if (left == 2) {
    const Operand n = b.source(ops[i + 1], Type::u32);
    if (n.constant && (n.bits == 0 || n.bits % 32 != 0)) b.fail(ErrorKind::semantic, "the thread count of a barrier is a multiple of 32");
    count = n.ref;
  }
  Instr& in = b.emit(m, nothing);
  in.kind = Kind::barrier;
  in.a = number.ref;
  in.b = count;
  in.d = d;
  in.p = p;
  in.q = q;
  in.flags = static_cast<std::uint16_t>((left == 2 ? 1 : 0) | (arrive ? 2 : 0));
  in.n = static_cast<std::uint8_t>(!red ? 0 : m.has("popc") ? 1 : m.has("and") ? 2 : 3);
  // `bar` means `barrier.aligned`.
  in.rendezvous = m.form->name == std::string_view("bar") || m.has("aligned") ? Rendezvous::aligned : Rendezvous::none;
}
void build_warp_sync(Builder& b, const Match& m) {
  Instr& in = b.emit(m, nothing);
  in.kind = Kind::warp_sync;
  in.a = b.ref(0);
}

constexpr InstrClass C = InstrClass::control, B = InstrClass::barrier;
const Form kForms[] = {
    {"bra", "uni?", "*", 10, 0, C, build_bra},
    {"brx", "idx uni?", "*", 60, 30, C, build_brx},
    {"call", "uni?", "*", 10, 0, C, build_call},
    {"ret", "uni?", "", 10, 0, C, build_ret},
    {"exit", "", "", 10, 0, C, build_plain<Kind::exit>},
    {"trap", "", "", 10, 0, C, build_plain<Kind::trap>},
    {"brkpt", "", "", 10, 0, C, build_plain<Kind::breakpoint>},
    {"nanosleep", "u32", "0", 63, 70, InstrClass::other, build_plain<Kind::yield>},
    {"bar", "sync", "*", 10, 0, B, build_barrier},
    {"bar", "arrive", "*", 20, 20, B, build_barrier},
    {"bar", "red popc u32", "*", 20, 20, B, build_barrier},
    {"bar", "red and|or pred", "*", 20, 20, B, build_barrier},
    {"bar", "cta sync|arrive", "*", 78, 30, B, build_barrier},
    {"bar", "cta red popc u32", "*", 78, 30, B, build_barrier},
    {"bar", "cta red and|or pred", "*", 78, 30, B, build_barrier},
    {"bar", "warp sync", "u32", 60, 30, B, build_warp_sync},
    {"barrier", "sync|arrive aligned?", "*", 60, 30, B, build_barrier},
    {"barrier", "red popc aligned? u32", "*", 60, 30, B, build_barrier},
    {"barrier", "red and|or aligned? pred", "*", 60, 30, B, build_barrier},
    {"barrier", "cta sync|arrive aligned?", "*", 78, 30, B, build_barrier},
    {"barrier", "cta red popc aligned? u32", "*", 78, 30, B, build_barrier},
    {"barrier", "cta red and|or aligned? pred", "*", 78, 30, B, build_barrier},
};

}  // namespace

std::span<const Form> control_forms() { return kForms; }

}  // namespace tine::emulator::detail
