// What a launch leaves behind beside the memory it changed.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tine/emulator/diagnostics.hpp"

namespace tine::emulator {

enum class InstrClass : std::uint8_t {
  integer, floating, half, convert, compare, move, load, store, atomic, fence, barrier, warp, matrix, matrix_move, async_copy, control, other,
};
constexpr std::size_t kInstrClasses = 17;
const char* name_of(InstrClass cls);

struct ClassCount {
  std::uint64_t warp_instructions = 0;    // issued with at least one active lane
  std::uint64_t thread_instructions = 0;  // active lanes summed up
};

// Memory behaviour of one PTX line, summed over all blocks.
struct LineStats {
  std::string module;
  std::uint32_t line = 0;
  std::string source_file;
  std::uint32_t source_line = 0;
  std::uint64_t global_requests = 0;   // warp instructions that touched global memory
  std::uint64_t global_sectors = 0;    // 32-byte sectors they needed
  std::uint64_t global_bytes = 0;      // distinct bytes of them that were used; sectors * 32 / bytes is 1 at best
  std::uint64_t shared_requests = 0;   // warp instructions that touched shared memory
  std::uint64_t shared_wavefronts = 0; // passes over the 32 banks they needed
  std::uint64_t shared_ideal = 0;      // passes had no two lanes met in a bank; conflicts = wavefronts - ideal
};

struct Report {
  std::string kernel;
  std::vector<Diagnostic> diagnostics;   // in order of (block, occurrence); the same for any number of host threads unless the kernel itself is racy
  std::uint64_t diagnostics_dropped = 0; // distinct findings beyond Options::max_diagnostics
  bool aborted = false;                  // a fatal finding ended the launch early
  std::array<ClassCount, kInstrClasses> counts{};
  std::vector<LineStats> lines;          // sorted by module and line; empty without Options::counters
  std::string output;                    // what printf printed, block after block
  double seconds = 0;                    // wall time of the launch

  bool clean() const { return diagnostics.empty() && diagnostics_dropped == 0; }
  bool has(DiagnosticClass cls) const;
  std::uint64_t thread_instructions() const;
  std::uint64_t bank_conflicts() const;
  std::string to_json() const;
  // One line per diagnostic: "MODULE:LINE: class: message".
  std::string summary() const;
};

}  // namespace tine::emulator
