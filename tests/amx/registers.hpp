// The registers of a thread that a signal interrupted, as Linux lays them beside the handler's stack; what is written
// there the thread finds when the handler returns.
#pragma once
#include <ucontext.h>

#include <array>
#include <cstdint>

#include "instruction.hpp"

namespace tine::amx {

using Vector = std::array<uint8_t, 64>;

class Registers {
 public:
  explicit Registers(ucontext_t&);

  /// By the number in instructions.
  uint64_t& general(int number) const;
  uint64_t& rip() const;
  uint64_t& flags() const;
  uint32_t mxcsr() const;
  /// Whether the frame holds vector and mask registers at all.
  bool has_vectors() const { return xsave_ != nullptr; }
  Vector vector(int number) const;
  void set_vector(int number, const Vector&) const;
  uint64_t mask(int number) const;
  void set_mask(int number, uint64_t) const;

  /// Where an operand in memory begins, but for the index times the scale; short displacements of EVEX count `unit`
  /// bytes.
  uint64_t base_address(const Instruction&, int unit = 1) const;
  /// Index times scale: the rest of an address, or the stride between rows of a tile.
  uint64_t scaled_index(const Instruction&) const;
  uint64_t address(const Instruction& in, int unit) const { return base_address(in, unit) + scaled_index(in); }

 private:
  uint8_t* component(int number) const;

  ucontext_t& context_;
  uint8_t* xsave_ = nullptr;
};

}  // namespace tine::amx
