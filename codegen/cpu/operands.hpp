// The operands of a product where its inner loops find them: of one round, or of all rounds of a loop.
#pragma once
#include "codegen/cpu/pack.hpp"

namespace tine::cpu {

class Operands {
 public:
  /// Lays them out at the frame's insertion point. With rounds, what differs between these beyond the slot's number goes to
  /// the slot's record.
  explicit Operands(Product& product);

  /// Of one round and one batch entry: rounds of the loop over k (`groups`), rows of a (or its panels) and what lies between
  /// two, b's panels, and column sums for a flipped a.
  struct Round { mlir::Value groups, a, a_pitch, b, sums; };
  /// `slot`: null without rounds.
  Round round(Product& product, mlir::Value slot, llvm::ArrayRef<mlir::Value> entry) const;

  const Buffer& panels() const { return packed_.panels; }
  const std::optional<Buffer>& a_panels() const { return a_.panels; }

 private:
  PackedB packed_;
  PlacedA a_;
  Buffer sums_;
  mlir::Value records_;

  mlir::Value record(Product& product, mlir::Value slot) const;
};

/// Where a batch entry of strided memory starts.
mlir::Value place_entry(Frame& frame, const Place& place, llvm::ArrayRef<mlir::Value> entry, mlir::Type element);

}  // namespace tine::cpu
