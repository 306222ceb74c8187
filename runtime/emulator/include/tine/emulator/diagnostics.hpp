// The registry of what the machine can find wrong with a running kernel. Every class here is provoked by a test.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tine::emulator {

enum class DiagnosticClass : std::uint8_t {
  out_of_bounds,       // an access outside every allocation, or past the end of the one it starts in
  misaligned,          // an address that is not a multiple of the access size (vector accesses: of the whole vector)
  wrong_window,        // an address of one state space used in another: a generic pointer as a shared one, a store to .const ...
  unwritten_read,      // bytes read that nobody ever wrote
  shared_race,         // two accesses of shared memory, one a plain store, with no barrier between them
  global_race,         // two blocks, or two threads of one, touch the same bytes without synchronisation, one of them storing plainly; or a .nc load of what the block stored
  async_pending,       // bytes touched while a cp.async to them has not been waited for
  barrier_divergence,  // an .aligned instruction executed by a part of its warp
  barrier_misuse,      // bad barrier index or thread count, or counts that disagree
  wrong_mask,          // a member mask that leaves out the executing lane, or names lanes that do not take part
  deadlock,            // nothing can move any more
  step_limit,          // the limit of executed instructions was reached
  trap,                // trap executed
  assertion,           // __assertfail called
  bad_call,            // an indirect call or branch to something that is not there
  stack_overflow,      // call depth, or local memory, beyond the limits
};
constexpr std::size_t kDiagnosticClasses = 16;

const char* name_of(DiagnosticClass cls);     // "out_of_bounds"
const char* meaning_of(DiagnosticClass cls);  // one line for documents
bool diagnostic_from_name(const std::string& name, DiagnosticClass& cls);

// One finding. Repetitions (same class, same line) are counted, not listed again.
struct Diagnostic {
  DiagnosticClass cls{};
  std::string module, kernel;
  std::uint32_t line = 0;        // PTX line, 1-based
  std::uint32_t other_line = 0;  // the other access of a race, the copy of a pending read ...; 0 when there is none
  std::string source_file;       // from .loc, empty without line tables
  std::uint32_t source_line = 0;
  std::array<std::uint32_t, 3> block{}, thread{};  // the first thread that did it
  std::string message;
  std::uint64_t count = 1;
};

}  // namespace tine::emulator
