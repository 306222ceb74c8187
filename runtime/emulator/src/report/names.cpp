// Names and one-line meanings of everything that is listed: error kinds, diagnostics, faults, instruction classes.
#include <string>

#include "tine/emulator/emulator.hpp"

namespace tine::emulator {
namespace {

struct Entry {
  const char *name, *meaning;
};
constexpr Entry kDiagnostics[kDiagnosticClasses] = {
    {"out_of_bounds", "an access outside every allocation, or past the end of the one it starts in"},
    {"misaligned", "an address that is not a multiple of the access size"},
    {"wrong_window", "an address of one state space used in another, such as a generic pointer as a shared one"},
    {"unwritten_read", "bytes read that nobody ever wrote"},
    {"shared_race", "two accesses of shared memory, one a plain store, with no barrier between them"},
    {"global_race", "two blocks, or two threads of one, touch the same bytes without synchronisation, one of them storing plainly; or a .nc load of what the block stored"},
    {"async_pending", "bytes touched while a cp.async to them has not been waited for"},
    {"barrier_divergence", "an .aligned instruction executed by a part of its warp"},
    {"barrier_misuse", "a bad barrier index or thread count, or counts that disagree"},
    {"wrong_mask", "a member mask that leaves out the executing lane, or names lanes that do not take part"},
    {"deadlock", "nothing can move any more"},
    {"step_limit", "the limit of executed instructions was reached"},
    {"trap", "trap executed"},
    {"assertion", "__assertfail called"},
    {"bad_call", "an indirect call or branch to something that is not there"},
    {"stack_overflow", "call depth or local memory beyond the limits"},
};
constexpr const char* kFaultNames[kFaults] = {"none", "mma_swapped_rows", "mma_signed_as_unsigned", "mma_wrong_column", "ldmatrix_ignores_trans", "ldmatrix_row_order", "early_cp_async", "cp_async_no_zero_fill",
                                              "unfused_fma", "cvt_x2_swapped", "min_max_propagate_nan", "ftz_ignored", "half_rounded_twice", "round_mode_ignored", "mul_wide_unsigned", "bfe_zero_extends",
                                              "prmt_no_sign", "lop3_transposed", "shfl_ignores_segment", "ballot_ignores_mask", "atom_returns_new", "barrier_does_not_wait", "dp4a_first_byte_twice"};
constexpr const char* kClasses[kInstrClasses] = {"integer", "floating", "half", "convert", "compare", "move", "load", "store", "atomic", "fence", "barrier", "warp", "matrix", "matrix_move", "async_copy", "control", "other"};
constexpr const char* kKinds[] = {"syntax", "unsupported", "semantic", "usage"};

}  // namespace

const char* name_of(ErrorKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
const char* name_of(DiagnosticClass cls) { return kDiagnostics[static_cast<std::size_t>(cls)].name; }
const char* meaning_of(DiagnosticClass cls) { return kDiagnostics[static_cast<std::size_t>(cls)].meaning; }
bool diagnostic_from_name(const std::string& name, DiagnosticClass& cls) {
  for (std::size_t i = 0; i < kDiagnosticClasses; ++i)
    if (name == kDiagnostics[i].name) {
      cls = static_cast<DiagnosticClass>(i);
      return true;
    }
  return false;
}
const char* name_of(Fault fault) { return kFaultNames[static_cast<std::size_t>(fault)]; }
const char* name_of(InstrClass cls) { return kClasses[static_cast<std::size_t>(cls)]; }

Error::Error(ErrorKind kind, std::string module, std::uint32_t line, const std::string& sentence)
    : std::runtime_error(kind == ErrorKind::usage ? sentence : module + ":" + std::to_string(line) + ": " + sentence), kind_(kind), line_(line), module_(std::move(module)), sentence_(sentence) {}

Options Options::unchecked() {
  Options o;
  for (const DiagnosticClass c : {DiagnosticClass::unwritten_read, DiagnosticClass::shared_race, DiagnosticClass::global_race, DiagnosticClass::async_pending}) o.set(c, Mode::off);
  o.counters = false;
  return o;
}

}  // namespace tine::emulator
