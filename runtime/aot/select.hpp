// The variant for a call: what the call's tensors say about themselves, against what each variant needs.
#pragma once
#include <cstdint>
#include <span>

#include "dsl/graph/specialization.hpp"
#include "runtime/aot/arguments.hpp"
#include "runtime/aot/message.hpp"
#include "runtime/aot/view.hpp"
#include "runtime/launch/facts.hpp"
#include "runtime/launch/footprint.hpp"

namespace tine::aot {

/// What is true of a call whatever program runs.
struct CallFacts {
  graph::SourceFacts sources[max_sources];
  launch::Footprint footprints[max_sources];
  uint64_t overlaps[max_sources] = {};  ///< bit o of [s]: stored source s may share memory with source o (or itself)
};

/// False with a message where a tensor's reach leaves the address space or data are missing.
bool find_facts(Base, const PackedKernel&, const PackedInstance&, std::span<const Argument>, CallFacts& out);
/// 64 or 16 where the base is a multiple of it, else that of an element, else 1. A null base counts as 64.
uint32_t alignment_of(const void* base, uint32_t element);

struct Choice {
  const PackedProgram* program = nullptr;
  const PackedVariant* variant = nullptr;
  int status = 0;  ///< what the call returns if there is no variant
};

/// The first variant that accepts the call and whose target `can_run` (by position in Pack::targets), of the tuned
/// config for these shapes first. Without one: why, in the thread's message.
Choice choose(Base, const PackedKernel&, const PackedInstance&, std::span<const Argument>, const CallFacts&,
              uint32_t device, std::span<const bool> can_run);

/// Checks what the program's arrangement and application demand of sizes. False with a message.
bool check_sizes(Base, const PackedKernel&, const PackedInstance&, const PackedProgram&, std::span<const Argument>);
/// Size of the grid, 0 if any of its dims is; -1 with a message.
int64_t count_programs(Base, const PackedKernel&, const PackedInstance&, const PackedProgram&,
                       std::span<const Argument>);
/// Values of the program's symbols. False with a message.
bool fill_symbols(Base, const PackedKernel&, const PackedInstance&, const PackedProgram&, std::span<const Argument>,
                  int64_t* slots);

}  // namespace tine::aot
