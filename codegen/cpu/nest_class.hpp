// The state of one nest while its code is emitted. Its parts: nest.cpp (which loops, in which order), nest_access.cpp (addresses,
// ranges and masks), nest_evaluate.cpp (values at a point), nest_reduce.cpp (accumulators and results).
#pragma once
#include <map>
#include "codegen/cpu/nest.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tine::cpu {

/// A value at the nest's present point: one scalar for all lanes, or a vector.
inline bool is_vector(mlir::Value v) { return mlir::isa<mlir::VectorType>(v.getType()); }

/// Lanes [lo, hi) of the vector dim at which an access is in range; valid for one round of the loops outside it.
struct Interval { mlir::Value lo, hi; };

/// One condition `0 <= index (if low)` and `index < limit` of an access, with its index split along the vector dim.
struct Condition {
  mlir::AffineExpr index, limit;
  bool low;
  std::optional<Linear> linear;   // none: the index is not affine in the vector dim
};

/// A load, store, `valid` or `offsets` at one index.
struct Access {
  mlir::Operation* op;
  Index index;
  int64_t param;
  mlir::SmallVector<int64_t> axis_dim;      // flat axis -> dim of the nest, or -1
  std::optional<unsigned> vector_axis;  // flat axis that runs along the vector dim
  mlir::SmallVector<Condition> conditions;
  bool irregular = false;             // some condition is not affine in the vector dim, or not in an inner one
  Interval interval;                  // over conditions that do not depend on inner loops
  Interval covered;                   // over all conditions and all rounds of the inner loops
};

class Nest {
 public:
  Nest(Frame& f, Values& values, mlir::ArrayRef<int64_t> shape, mlir::ArrayRef<Output> outputs, mlir::ArrayRef<mlir::Value> limits = {})
      : f(f), b(f.b), values_(values), shape_(shape), outputs_(outputs), limits_(limits) {}
  void emit();
  mlir::Value scalar(mlir::Value v);

 private:
  Frame& f;
  mlir::OpBuilder& b;
  Values& values_;
  mlir::ArrayRef<int64_t> shape_;
  mlir::ArrayRef<Output> outputs_;
  mlir::ArrayRef<mlir::Value> limits_;
  mlir::SmallVector<int64_t> reduced_;
  Index identity_;
  Reads reads_;

  // ---- loops
  mlir::SmallVector<int64_t> order_;        // dims of the nest, outermost loop first; dims of size 1 are left out
  int64_t vector_dim_ = -1;
  int64_t lanes_ = 0, unroll_ = 1;
  mlir::SmallVector<mlir::Value> extents_, iv_;   // iv of the vector dim: its first lane
  struct Level { mlir::Block* block = nullptr; mlir::Operation* before = nullptr; };
  mlir::SmallVector<Level> levels_;         // level k: inside the k outer loops of order_
  bool masked_ = false;               // in the masked copy of the vector loop
  bool main_from_zero_ = false;       // the unmasked loop starts at lane 0
  mlir::Value lanes_mask_;                  // of the masked copy: lanes below the end
  std::vector<Access> accesses_;
  using Memo = std::map<std::pair<const void*, std::vector<int8_t>>, mlir::Value>;
  std::vector<Memo> memo_;
  int64_t vector_level() const;
  bool is_reduced(int64_t d) const;
  mlir::Type element_of_memory(int64_t param);
  /// The flat axes of the tile level of a param: first axis and their number.
  std::pair<unsigned, unsigned> tile_axes(int64_t param);
  /// How an access moves along dim d of the nest: 0 not at all, 1 to the neighbour in memory, 2 elsewhere.
  int step_along(const Reads::Place& p, int64_t d);
  static int64_t param_of(mlir::Operation* op);
  static mlir::ValueRange indices_of(mlir::Operation* op);
  /// The vector dim: where most accesses go to neighbours, short dims last; the loops: kept dims outside, reduced inside.
  void choose_loops();

  // ---- insertion points
  /// Makes level k the place where code is added: inside the k outer loops, before the next loop.
  void enter(int64_t level);
  struct AtLevel {
    mlir::OpBuilder::InsertionGuard guard;
    AtLevel(Nest& n, int64_t level) : guard(n.b) {
      const Level& l = n.levels_[level];
      if (l.before) n.b.setInsertionPoint(l.before);
      else if (l.block && !(n.b.getInsertionBlock() == l.block)) n.b.setInsertionPointToEnd(l.block);
    }
  };
  int64_t level_of(const Index& index) const;
  bool has_lanes(const Index& index) const;

  // ---- accesses
  Access& find_access(mlir::Operation* op, const Index& index);
  /// Values of the map's dims for an access: program index, level indices, loop indices.
  mlir::SmallVector<mlir::Value> axis_values(const Access& a);
  /// Axes that run along loops inside the vector loop.
  mlir::SmallVector<unsigned> inner_axes(const Access& a, mlir::AffineExpr e);
  /// Narrows an interval by one condition with index `c*lane + rest` and limit, all emitted here.
  void narrow(Interval& v, int64_t c, mlir::Value rest, mlir::Value limit, bool low);
  /// Computes the intervals of all accesses, at the level just outside the vector loop.
  void find_intervals();
  mlir::VectorType vector_of(mlir::Type element);
  mlir::Value splat(mlir::Value v);
  /// 0, 1, 2, ... as i32 lanes.
  mlir::Value iota();
  /// Lanes whose position lane + iv lies below `end`.
  mlir::Value lanes_below(mlir::Value end);
  mlir::Value lanes_from(mlir::Value begin);
  mlir::Value both(mlir::Value x, mlir::Value y);
  mlir::Value compare(mlir::arith::CmpIPredicate p, mlir::Value x, mlir::Value y);
  /// Which lanes of an access are in range at the present point; null: all of them. A scalar if it does not depend on lanes.
  mlir::Value mask_of(Access& a, bool lanes);
  /// Address of an access: elements from the source's base for the first lane, and how lanes step.
  struct Address { mlir::Value pointer; mlir::Value step; bool unit = false; mlir::Value lane_offsets; };
  Address address_of(Access& a, bool lanes);
  mlir::Value gather_pointers(const Address& p, mlir::Type storage);
  mlir::Value all_lanes(bool v);
  /// Loads an element or lanes; `mask` null: all. Lanes masked off hold `other`.
  mlir::Value load_memory(const Address& p, bool lanes, mlir::Value mask, mlir::Type element, mlir::Value other);
  mlir::Value guarded_load(mlir::Value pointer, mlir::Value mask, mlir::Type storage, unsigned align, mlir::Value other);
  void store_memory(const Address& p, bool lanes, mlir::Value mask, mlir::Type element, mlir::Value v, bool stream = false);
  /// In the unmasked loop, whether an access to rows that start at multiples of 16 bytes always starts at one itself.
  bool starts_at_16_bytes(Access& a);
  /// In a nest that stores what it loads a second time, asks for the next program's lanes: its first loop, which only loads,
  /// would else wait for memory that idles while this one stores.
  void prefetch_next_program(Access& a, const Address& p);
  mlir::Value other_of(int64_t param);
  Address buffer_address(const Buffer& buffer, const Index& index);

  // ---- evaluation
  mlir::Value evaluate(mlir::Value v, const Index& index);
  mlir::Value compute(mlir::Value v, const Index& index);
  mlir::Value constant(ir::ConstantOp x);
  mlir::Value offsets(ir::OffsetsOp x, const Index& index, bool lanes);

  // ---- loops
  using Accumulators = mlir::SmallVector<mlir::Value>;
  size_t reductions() const;
  Accumulators run(int64_t level, Accumulators acc);
  Accumulators loop_or_body(int64_t level, Accumulators acc);
  Accumulators loop(int64_t level, mlir::Value lo, mlir::Value hi, int64_t step, Accumulators acc, llvm::function_ref<Accumulators(Accumulators)> inside);
  Accumulators vector_loop(int64_t level, Accumulators acc);
  size_t unroll_for_reduction() const;  ///< accumulators of a lane-wise reduction that are independent
  Accumulators run_reduced(int64_t level, Accumulators acc);
  Accumulators unrolled(int64_t level, Accumulators in);

  // ---- reductions
  static bool is_arg(const Output& o);
  graph::Op combiner(const Output& o);
  /// The element type in which a reduction runs: its result's, or for argmax and argmin the operand's.
  /// Narrow floats run in f32, which holds each of them exactly.
  mlir::Type running_element(const Output& o);
  /// Accumulators of one unrolled copy: one for each reduction, two (value, position) for argmax and argmin.
  size_t accumulator_count() const;
  Accumulators start_accumulators();
  mlir::Value arg_identity(const Output& o, mlir::Type type);
  /// Row-major position within the reduced dims of the present point.
  mlir::Value reduced_position();
  /// Whether (x, xi) comes before (y, yi): NaN first, then the extreme value, then the lower position.
  mlir::Value comes_before(const Output& o, mlir::Value x, mlir::Value xi, mlir::Value y, mlir::Value yi);
  mlir::Value is_false(mlir::Value v);
  /// What a lane is where every load below it is out of range along the vector dim; none if that is not known here.
  std::optional<double> value_outside(mlir::Value v);
  std::optional<double> find_value_outside(mlir::Value v);
  llvm::DenseMap<mlir::Value, std::optional<double>> outside_;  // what was found
  /// All outputs are reductions that lanes past the data do not change.
  bool ends_with_data();
  /// Evaluates all outputs at the present point.
  Accumulators body(Accumulators acc);
  /// Joins unrolled copies and lanes, and writes the results.
  void finish_accumulators(Accumulators& acc);
  void write_result(const Output& o, mlir::Value v);
};

}  // namespace tine::cpu
