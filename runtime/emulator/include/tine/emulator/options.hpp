// What a launch checks, and how far it may go.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "tine/emulator/diagnostics.hpp"
#include "tine/emulator/faults.hpp"

namespace tine::emulator {

enum class Mode : std::uint8_t {
  off,     // not looked for (out-of-bounds accesses are still refused silently: the machine never reads outside)
  report,  // counted and listed, the kernel goes on: a bad load gives 0, a bad store is dropped
  fatal,   // the first one ends the launch
};

struct Options {
  std::array<Mode, kDiagnosticClasses> modes;  // by DiagnosticClass; all `report` by default
  bool counters = true;                        // per-line bank conflicts and sectors (instruction counts are always kept)
  unsigned threads = 0;                        // host threads for blocks; 0: as many as the host has
  std::uint64_t max_warp_instructions = 4'000'000'000ull;  // per block; then step_limit. 0: no limit
  std::uint32_t max_diagnostics = 200;                     // listed entries; further ones are only counted
  std::uint32_t local_bytes = 512 * 1024;                  // local memory limit of a thread
  Fault fault = Fault::none;

  // Called with one line of text per executed warp instruction of the traced warp (global warp number: block * warps per block + warp).
  std::int64_t trace_warp = -1;
  std::function<void(const std::string&)> trace;

  Options() { modes.fill(Mode::report); }
  Mode mode(DiagnosticClass cls) const { return modes[static_cast<std::size_t>(cls)]; }
  Options& set(DiagnosticClass cls, Mode mode) {
    modes[static_cast<std::size_t>(cls)] = mode;
    return *this;
  }
  Options& races(Mode mode) { return set(DiagnosticClass::shared_race, mode).set(DiagnosticClass::global_race, mode); }
  // Everything that costs time off: races, unwritten reads, counters. Bounds stay, they cost nothing extra.
  static Options unchecked();
};

}  // namespace tine::emulator
