#include "codegen/cpu/dot.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/separable.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {
namespace {

class Dot {
 public:
  Dot(Frame& f, Values& values, Value a, Value b, const Buffer& c, bool accumulate, Value rows, Value columns)
      : f(f), b_(f.b), values_(values), a_(a), bv_(b), c_(c), accumulate_(accumulate) {
    size_t n = c.shape.size();
    m_ = c.shape[n - 2];
    n_ = c.shape[n - 1];
    k_ = ir::shapeOf(a.getType())[n - 1];
    sum_ = f.register_type(c.element);
    lanes_ = f.target.vector_bytes / Frame::element_bytes(c.element);
    choose_elements();
    // 32 vector registers hold 8 x 2 accumulators with room to load; 16 hold 4 x 2.
    bool many = f.target.vector_bytes == 64;
    vectors_ = 2;
    rows_ = many ? 8 : 4;
    if (n_ >= 0 && n_ <= lanes_) vectors_ = 1, rows_ = many ? 16 : 8;
    if (m_ >= 0) rows_ = std::max<int64_t>(1, std::min(rows_, m_));
    m_end_ = rows ? rows : f.extent(m_);
    n_end_ = columns ? columns : f.extent(n_);
    k_end_ = contracted();
  }

  void emit() {
    pack();
    SmallVector<Value> batch;
    over_batch(0, batch);
  }

 private:
  Frame& f;
  OpBuilder& b_;
  Values& values_;
  Value a_, bv_;
  const Buffer& c_;
  bool accumulate_;
  int64_t m_, n_, k_, lanes_, rows_, vectors_;
  Type sum_;        // an accumulator's element, as in a register
  Type element_;    // an element of a and b in the packed copies
  Type unit_;       // what is multiplied at once: an element, or a group of them in 32 bits
  int64_t group_ = 1;
  bool flip_a_ = false;  // a is i8, and 128 is added to make it u8
  std::optional<Buffer> a_panels_;  // a in panels of `lanes_` rows (copy_separable), instead of a_place_
  Buffer sums_;          // with flip_a_: 128 times the sum of each column of b

  Value m_end_, n_end_, k_end_;  // what is computed: rows and columns of c that count, and k up to which a or b is in range

  /// The load whose elements a value holds in their place (or with the last two dims swapped); zero stays zero.
  struct Source { ir::LoadOp load; bool turned = false; };
  Source source_of(Value v) {
    Source s;
    while (Operation* op = v.getDefiningOp()) {
      if (values_.buffers.count(v)) return {};
      if (auto load = dyn_cast<ir::LoadOp>(op)) return s.load = load, s;
      if (isa<ir::CastOp>(op)) v = op->getOperand(0);
      else if (Value t = transposed(v)) v = t, s.turned = !s.turned;
      else return {};
    }
    return {};
  }
  /// Where neither operand is in range the product is 0 * 0: the last block of k ends where the longer one does.
  Value contracted() {
    Value k = f.extent(k_);
    Source a = source_of(a_), b = source_of(bv_);
    for (ir::LoadOp load : {a.load, b.load})
      if (!load || f.kernel.getParam(load.getParamNumber()).getOther().getValueAsDouble() != 0) return k;
    unsigned last = unsigned(ir::shapeOf(a_.getType()).size()) - 1;
    Value end_a = in_range_extent(f, values_, a.load, a.turned ? last - 1 : last);
    Value end_b = in_range_extent(f, values_, b.load, b.turned ? last : last - 1);
    return min(f, k, max(f, end_a, end_b));
  }

  // Where the operands lie: base pointers of the present batch entry, strides in elements.
  struct Place { Value base; SmallVector<Value> strides; };
  Place a_place_, b_place_, c_place_;
  Value b_height_;     // rows of a panel of b in memory
  Value sums_entry_;   // sums_ of the present batch entry

  int64_t width() const { return lanes_ * vectors_; }

  static Place row_major(Frame& f, const Buffer& x) {
    Place p{x.base, SmallVector<Value>(x.shape.size())};
    Value stride = f.i64(1);
    for (size_t d = x.shape.size(); d-- > 0;) {
      p.strides[d] = stride;
      size_t left = x.shape.size() - d;
      stride = mul(f, stride, left == 1 ? f.columns(x) : left == 2 ? f.rows(x) : f.extent(x.shape[d]));
    }
    return p;
  }
  void choose_elements() {
    Type a = ir::elementOf(a_.getType()), b = ir::elementOf(bv_.getType());
    element_ = c_.element;
    unit_ = sum_;
    if (f.target.bf16_dot && a.isBF16() && b.isBF16()) group_ = 2, element_ = a;
    bool b_signed = b.isInteger(8) && !b.isUnsignedInteger();
    if (f.target.int8_dot && a.isInteger(8) && b_signed) group_ = 4, element_ = b, flip_a_ = !a.isUnsignedInteger();
    if (group_ > 1) unit_ = b_.getI32Type();
  }
  Value groups() { return ceildiv(f, k_end_, group_); }

  /// Limits of a nest over a tile whose last two dims end at `rows` and `columns`.
  static SmallVector<Value> limits(Value v, Value rows, Value columns) {
    SmallVector<Value> l(ir::shapeOf(v.getType()).size());
    l[l.size() - 2] = rows;
    l[l.size() - 1] = columns;
    return l;
  }
  /// A row-major copy of what lies below `rows` and `columns`. Groups that reach past the last dim (or, for `along_rows`,
  /// the one before) are filled with zeros.
  Buffer copy(Value v, Value rows, Value columns, int64_t round_rows, int64_t round_columns, bool along_rows = false) {
    Type element = group_ > 1 ? ir::elementOf(v.getType()) : element_;
    Buffer x = f.allocate_padded(ir::shapeOf(v.getType()), element, round_rows, round_columns);
    clear_ragged(x, along_rows ? rows : columns);
    emit_nest(f, values_, x.shape, Output{Output::buffer, nullptr, v, x}, limits(v, rows, columns));
    return x;
  }
  /// Zeros where k ends within a group.
  void clear_ragged(const Buffer& x, Value k) {
    if (group_ == 1 || (known(k) && *known(k) % group_ == 0)) return;
    Value left = arith::RemUIOp::create(b_, f.loc, k, f.i64(group_));
    auto ragged = scf::IfOp::create(b_, f.loc, arith::CmpIOp::create(b_, f.loc, arith::CmpIPredicate::ne, left, f.i64(0)), false);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(ragged.thenBlock());
    fill_zero(f, x);
  }
  /// b is loaded from memory whose neighbours lie along k, not along n.
  bool runs_along_k() {
    auto load = bv_.getDefiningOp<ir::LoadOp>();
    if (!load || values_.buffers.count(bv_)) return false;
    auto memory = strided_memory(f, values_, load);
    size_t n = ir::shapeOf(bv_.getType()).size();
    return memory && known(memory->strides[n - 2]) == 1 && known(memory->strides[n - 1]) != 1;
  }
  /// The operand of a permutation that swaps the last two dims.
  static Value transposed(Value v) {
    auto op = v.getDefiningOp<ir::PermuteOp>();
    if (!op) return {};
    ArrayRef<int64_t> order = op.getOrder();
    size_t n = order.size();
    for (size_t d = 0; d + 2 < n; ++d)
      if (order[d] != int64_t(d)) return {};
    return order[n - 1] == int64_t(n - 2) && order[n - 2] == int64_t(n - 1) ? op.getOperand() : Value();
  }
  /// b in panels of the block's width; the columns that pad the last one are never stored.
  Buffer pack_columns() {
    Value source = transposed(bv_);
    bool turned = source && !values_.buffers.count(bv_) && lanes_ >= 4;
    bool own = !turned && lanes_ >= 4 && runs_along_k();
    if (group_ == 1 && !turned && !own) {
      Buffer x = f.allocate_padded(ir::shapeOf(bv_.getType()), element_, 1, width());
      x.panel = width();
      emit_nest(f, values_, ir::shapeOf(bv_.getType()), Output{Output::buffer, nullptr, bv_, x}, limits(bv_, k_end_, n_end_));
      return x;
    }
    // The panels, an element of theirs being a group.
    Buffer x = f.allocate_padded(ir::shapeOf(bv_.getType()), group_ > 1 ? Type(b_.getI32Type()) : element_, lanes_ * group_, width());
    x.panel = width();
    x.rows = floordiv(f, x.rows, group_);
    SmallVector<Value> at;
    if (turned) {
      // Rows as they lie, then square blocks turned in registers.
      Buffer rows = copy(source, n_end_, k_end_, width(), lanes_ * group_);
      turn(rows, x, 0, at);
    } else if (own) {
      SmallVector<int64_t> shape(ir::shapeOf(bv_.getType()));
      std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
      Buffer rows = f.allocate_padded(shape, group_ > 1 ? ir::elementOf(bv_.getType()) : element_, width(), lanes_ * group_);
      clear_ragged(rows, k_end_);
      Buffer as_b = rows;  // the same memory, as b sees it
      as_b.shape.assign(ir::shapeOf(bv_.getType()).begin(), ir::shapeOf(bv_.getType()).end());
      as_b.rows = f.rows(rows);
      as_b.columns = f.columns(rows);
      as_b.turned = true;
      emit_nest(f, values_, as_b.shape, Output{Output::buffer, nullptr, bv_, as_b}, limits(bv_, k_end_, n_end_));
      turn(rows, x, 0, at);
    } else {
      Buffer rows = copy(bv_, k_end_, n_end_, group_, width(), true);
      interleave(rows, x, 0, at);
    }
    return x;
  }
  /// Where a batch entry of two buffers starts.
  std::pair<Value, Value> entries(const Buffer& from, const Buffer& into, ArrayRef<Value> at) {
    Value index = f.i64(0);
    for (size_t k = 0; k < at.size(); ++k) index = add(f, mul(f, index, f.extent(from.shape[k])), at[k]);
    auto start = [&](const Buffer& x) {
      Value o = mul(f, index, mul(f, f.rows(x), f.columns(x)));
      return known(o) == 0 ? x.base : LLVM::GEPOp::create(b_, f.loc, f.ptr_type(), f.storage_type(x.element), x.base, ArrayRef<LLVM::GEPArg>{o}).getResult();
    };
    return {start(from), start(into)};
  }
  Value element_at(Value base, Type element, Value index) {
    return LLVM::GEPOp::create(b_, f.loc, f.ptr_type(), element, base, ArrayRef<LLVM::GEPArg>{index});
  }
  /// Groups from `group_` rows: into[..., g, n] = from[..., g * group_ + (0, 1, ...), n]; and the sums of columns.
  void interleave(const Buffer& from, const Buffer& into, size_t d, SmallVector<Value>& at) {
    size_t dims = from.shape.size();
    if (d + 2 < dims) {
      loop(f.i64(0), f.extent(from.shape[d]), 1, [&](Value i) {
        at.push_back(i);
        interleave(from, into, d + 1, at);
        at.pop_back();
      });
      return;
    }
    auto [source, target] = entries(from, into, at);
    Type narrow = f.storage_type(from.element);
    VectorType row = VectorType::get({lanes_}, narrow);
    Value pitch = f.columns(from);
    loop(f.i64(0), pitch, lanes_, [&](Value n) {
      Value column = panel_column(target, into, n);
      loop(f.i64(0), groups(), 1, [&](Value g) {
        SmallVector<Value> v;
        for (int64_t r = 0; r < group_; ++r) {
          Value k = add(f, mul(f, g, f.i64(group_)), f.i64(r));
          v.push_back(LLVM::LoadOp::create(b_, f.loc, row, element_at(source, narrow, add(f, mul(f, k, pitch), n)), 1));
        }
        while (v.size() > 1) {  // vectors i and i + half take turns, lane by lane
          size_t half = v.size() / 2;
          SmallVector<Value> next;
          for (size_t i = 0; i < half; ++i) {
            int64_t w = cast<VectorType>(v[i].getType()).getDimSize(0);
            SmallVector<int64_t> order;
            for (int64_t l = 0; l < w; ++l) order.append({l, w + l});
            next.push_back(vector::ShuffleOp::create(b_, f.loc, v[i], v[i + half], order));
          }
          v = next;
        }
        LLVM::StoreOp::create(b_, f.loc, v[0], element_at(column, b_.getI32Type(), mul(f, g, f.i64(width()))), 1);
      });
    });
  }
  /// Column n (a multiple of the lanes) of the panels.
  Value panel_column(Value base, const Buffer& into, Value n) {
    Value panel = floordiv(f, n, width());
    Value o = add(f, mul(f, panel, mul(f, f.rows(into), f.i64(width()))), sub(f, n, mul(f, panel, f.i64(width()))));
    return element_at(base, f.storage_type(into.element), o);
  }
  /// into[..., k, n] = from[..., n, k], in blocks of lanes_ x lanes_.
  void turn(const Buffer& from, const Buffer& into, size_t d, SmallVector<Value>& at) {
    size_t dims = from.shape.size();
    if (d + 2 < dims) {
      loop(f.i64(0), f.extent(from.shape[d]), 1, [&](Value i) {
        at.push_back(i);
        turn(from, into, d + 1, at);
        at.pop_back();
      });
      return;
    }
    auto [source, target] = entries(from, into, at);
    // From here on an element of `from` is a group of neighbours along k.
    Value pitch = floordiv(f, f.columns(from), group_);
    Type unit = f.storage_type(into.element);
    VectorType type = VectorType::get({lanes_}, unit);
    loop(f.i64(0), f.rows(from), lanes_, [&, source = source, target = target](Value n) {
      Value column = panel_column(target, into, n);
      loop(f.i64(0), pitch, lanes_, [&](Value k) {
        SmallVector<Value> v;
        for (int64_t r = 0; r < lanes_; ++r)
          v.push_back(LLVM::LoadOp::create(b_, f.loc, type, element_at(source, unit, add(f, mul(f, add(f, n, f.i64(r)), pitch), k)), 1));
        transpose(v);
        for (int64_t r = 0; r < lanes_; ++r)
          LLVM::StoreOp::create(b_, f.loc, v[r], element_at(column, unit, mul(f, add(f, k, f.i64(r)), f.i64(width()))), 1);
      });
    });
  }
  /// Turns a square of vectors: in round s, vectors s apart exchange the blocks of s lanes off the diagonal.
  void transpose(SmallVector<Value>& v) {
    for (int64_t s = lanes_ / 2; s > 0; s /= 2) {
      for (int64_t i = 0; i < lanes_; ++i) {
        if (i & s) continue;
        SmallVector<int64_t> low, high;
        for (int64_t l = 0; l < lanes_; ++l) {
          low.push_back(l & s ? lanes_ + (l ^ s) : l);
          high.push_back(l & s ? lanes_ + l : l ^ s);
        }
        Value x = v[i], y = v[i + s];
        v[i] = vector::ShuffleOp::create(b_, f.loc, x, y, low);
        v[i + s] = vector::ShuffleOp::create(b_, f.loc, x, y, high);
      }
    }
  }

  void pack() {
    Buffer packed = pack_columns();
    b_place_ = row_major(f, packed);
    b_height_ = f.rows(packed);
    c_place_ = row_major(f, c_);

    if (flip_a_) {
      sum_columns(packed);
      Buffer x = copy(a_, m_end_, k_end_, 1, group_);
      flip(x);
      a_place_ = row_major(f, x);
      return;
    }
    // a: in place if possible.
    Type a_element = group_ > 1 ? ir::elementOf(a_.getType()) : element_;
    bool whole_groups = group_ == 1 || (known(k_end_) && *known(k_end_) % group_ == 0);
    if (auto it = values_.buffers.find(a_); it != values_.buffers.end() && it->second.element == a_element && whole_groups) {
      a_place_ = row_major(f, it->second);
      return;
    }
    auto load = a_.getDefiningOp<ir::LoadOp>();
    std::optional<Strided> memory;
    if (load && group_ == 1 && !values_.buffers.count(a_) && lanes_ >= 4 && !strided_memory(f, values_, load)) {
      Buffer x = f.allocate_padded(ir::shapeOf(a_.getType()), element_, lanes_, 1);
      x.columns = f.extent(k_);
      x.panel = lanes_;
      if (copy_separable(f, values_, load, x, m_end_, k_end_)) {
        a_panels_ = x;
        rows_ = std::min(rows_, lanes_);
        while (lanes_ % rows_) --rows_;
        return;
      }
    }
    if (load && ir::elementOf(a_.getType()) == a_element && !values_.buffers.count(a_)) memory = strided_memory(f, values_, load, limits(a_, m_end_, k_end_));
    if (!memory || known(memory->strides.back()) != 1) {
      a_place_ = row_major(f, copy(a_, m_end_, k_end_, 1, group_));
      return;
    }
    Value direct = memory->covered;
    if (!whole_groups) {
      Value left = arith::RemUIOp::create(b_, f.loc, k_end_, f.i64(group_));
      direct = arith::AndIOp::create(b_, f.loc, direct, arith::CmpIOp::create(b_, f.loc, arith::CmpIPredicate::eq, left, f.i64(0)));
    }
    SmallVector<Type> types{f.ptr_type()};
    types.append(memory->strides.size(), b_.getI64Type());
    auto choice = scf::IfOp::create(b_, f.loc, types, direct, true);
    auto yield = [&](const Place& p) {
      SmallVector<Value> v{p.base};
      v.append(p.strides.begin(), p.strides.end());
      scf::YieldOp::create(b_, f.loc, v);
    };
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(choice.thenBlock());
      yield({memory->pointer, memory->strides});
      b_.setInsertionPointToStart(choice.elseBlock());
      yield(row_major(f, copy(a_, m_end_, k_end_, 1, group_)));
    }
    a_place_.base = choice.getResult(0);
    a_place_.strides.assign(choice.getResults().begin() + 1, choice.getResults().end());
    a_place_.strides.back() = f.i64(1);  // in both
  }
  /// i8 to u8: adds 128 to each element, which turns the top bit.
  void flip(const Buffer& x) {
    each_vector(f, x, [&](Value bytes) {
      Value p = element_at(x.base, b_.getI8Type(), bytes);
      VectorType type = VectorType::get({64}, b_.getI8Type());
      Value v = LLVM::LoadOp::create(b_, f.loc, type, p, 64);
      Value top = arith::ConstantOp::create(b_, f.loc, DenseElementsAttr::get(type, int8_t(-128)));
      LLVM::StoreOp::create(b_, f.loc, arith::XOrIOp::create(b_, f.loc, v, top), p, 64);
    });
  }
  /// sums_[..., n] = 128 * sum over k of b[..., k, n]: what the flipped a adds too much.
  void sum_columns(const Buffer& packed) {
    SmallVector<int64_t> shape(packed.shape);
    shape.erase(shape.end() - 2);
    if (shape.empty()) shape.push_back(n_);
    shape.insert(shape.end() - 1, 1);
    sums_ = f.allocate_padded(shape, b_.getI32Type(), 1, width());
    SmallVector<Value> at;
    sum_entry(packed, 0, at);
  }
  void sum_entry(const Buffer& packed, size_t d, SmallVector<Value>& at) {
    if (d + 2 < packed.shape.size()) {
      loop(f.i64(0), f.extent(packed.shape[d]), 1, [&](Value i) {
        at.push_back(i);
        sum_entry(packed, d + 1, at);
        at.pop_back();
      });
      return;
    }
    auto [source, target] = entries(packed, sums_, at);
    loop(f.i64(0), f.columns(packed), lanes_, [&, source = source, target = target](Value n) {
      Value column = panel_column(source, packed, n);
      Value zeros = arith::ConstantOp::create(b_, f.loc, b_.getZeroAttr(vector()));
      auto op = scf::ForOp::create(b_, f.loc, f.i64(0), groups(), f.i64(1), ValueRange{zeros});
      {
        OpBuilder::InsertionGuard guard(b_);
        b_.setInsertionPointToEnd(op.getBody());
        Value v = LLVM::LoadOp::create(b_, f.loc, units(), element_at(column, unit_, mul(f, op.getInductionVar(), f.i64(width()))), 4);
        Value ones = arith::ConstantOp::create(b_, f.loc, DenseElementsAttr::get(units(), int32_t(0x01010101)));
        scf::YieldOp::create(b_, f.loc, multiply_add(ones, v, op.getRegionIterArgs()[0]));
      }
      Value seven = arith::ConstantOp::create(b_, f.loc, DenseElementsAttr::get(vector(), int32_t(7)));
      LLVM::StoreOp::create(b_, f.loc, arith::ShLIOp::create(b_, f.loc, op.getResult(0), seven), element_at(target, b_.getI32Type(), n), 4);
    });
  }

  Value offset(Value base, Value elements) {
    return element_at(base, sum_, elements);
  }
  Type a_storage() { return group_ > 1 ? f.storage_type(element_) : unit_; }
  VectorType units() { return VectorType::get({lanes_}, unit_); }
  /// sum + x * y, lane by lane; groups: all their products.
  Value multiply_add(Value x, Value y, Value sum) {
    if (group_ == 1 && isa<FloatType>(sum_)) return LLVM::FMAOp::create(b_, f.loc, sum.getType(), x, y, sum);
    if (group_ == 1) return arith::AddIOp::create(b_, f.loc, sum, arith::MulIOp::create(b_, f.loc, x, y));
    StringRef name = group_ == 2 ? "llvm.x86.avx512bf16.dpbf16ps.512" : "llvm.x86.avx512.vpdpbusd.512";
    VectorType narrow = VectorType::get({lanes_ * group_}, group_ == 2 ? Type(b_.getBF16Type()) : Type(b_.getI8Type()));
    Value p = LLVM::BitcastOp::create(b_, f.loc, narrow, x), q = LLVM::BitcastOp::create(b_, f.loc, narrow, y);
    return LLVM::CallIntrinsicOp::create(b_, f.loc, sum.getType(), b_.getStringAttr(name), ValueRange{sum, p, q}).getResult(0);
  }
  /// for (i = lo; i < hi; i += step) body(i)
  void loop(Value lo, Value hi, int64_t step, llvm::function_ref<void(Value)> body) {
    if (known(lo) && known(hi)) {
      if (*known(lo) >= *known(hi)) return;
      if (*known(lo) + step >= *known(hi)) return body(lo);
    }
    auto op = scf::ForOp::create(b_, f.loc, lo, hi, f.i64(step));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPoint(op.getBody()->getTerminator());
    body(op.getInductionVar());
  }

  void over_batch(size_t d, SmallVector<Value>& at) {
    if (d + 2 == c_.shape.size()) return blocks(at);
    loop(f.i64(0), f.extent(c_.shape[d]), 1, [&](Value i) {
      at.push_back(i);
      over_batch(d + 1, at);
      at.pop_back();
    });
  }
  Value entry(const Place& p, ArrayRef<Value> at, Type element) {
    Value o = f.i64(0);
    for (size_t d = 0; d < at.size(); ++d) o = add(f, o, mul(f, at[d], p.strides[d]));
    return known(o) == 0 ? p.base : element_at(p.base, element, o);
  }

  void blocks(ArrayRef<Value> at) {
    Value a = a_panels_ ? a_panels_->base : entry(a_place_, at, a_storage()), b = entry(b_place_, at, unit_), c = entry(c_place_, at, sum_);
    sums_entry_ = flip_a_ ? entry(row_major(f, sums_), at, sum_) : Value();
    Value m = m_end_, n = n_end_;
    Value n_whole = mul(f, floordiv(f, n, width()), f.i64(width()));
    auto columns = [&](Value j, Value i, int64_t rows, bool masked) {
      Value panel = element_at(b, unit_, mul(f, j, b_height_));  // panel j / width holds width * height elements
      micro(a, i, rows, panel, c, j, masked ? sub(f, n, j) : Value());
    };
    // Rows outside, so that a block's rows of a stay near while b's panels pass.
    auto row_block = [&](Value i, int64_t rows) {
      loop(f.i64(0), n_whole, width(), [&](Value j) { columns(j, i, rows, false); });
      if (!known(n) || *known(n) % width()) loop(n_whole, n, width(), [&](Value j) { columns(j, i, rows, true); });
    };
    Value m_whole = mul(f, floordiv(f, m, rows_), f.i64(rows_));
    loop(f.i64(0), m_whole, rows_, [&](Value i) { row_block(i, rows_); });
    // The rows that are left: one block where their number is known, else by halves.
    if (known(m)) {
      if (*known(m) % rows_) row_block(m_whole, *known(m) % rows_);
      return;
    }
    Value next = m_whole;
    for (int64_t rows = rows_ / 2; rows > 0; rows /= 2) {
      Value end = add(f, next, mul(f, floordiv(f, sub(f, m, next), rows), f.i64(rows)));
      loop(next, end, rows, [&](Value i) { row_block(i, rows); });
      next = end;
    }
  }

  VectorType vector() { return VectorType::get({lanes_}, sum_); }
  Value lanes_below(Value end) {
    SmallVector<int32_t> numbers;
    for (int64_t i = 0; i < lanes_; ++i) numbers.push_back(int32_t(i));
    Value iota = arith::ConstantOp::create(b_, f.loc, DenseElementsAttr::get(VectorType::get({lanes_}, b_.getI32Type()), ArrayRef<int32_t>(numbers)));
    Value n = min(f, max(f, end, f.i64(0)), f.i64(lanes_));
    Value n32 = arith::TruncIOp::create(b_, f.loc, b_.getI32Type(), n);
    return arith::CmpIOp::create(b_, f.loc, arith::CmpIPredicate::slt, iota, vector::BroadcastOp::create(b_, f.loc, iota.getType(), n32));
  }

  /// One block of c: `rows` from row i, `vectors_` vectors from column j; `left`: columns that exist from j on (null: all).
  void micro(Value a, Value i, int64_t rows, Value panel, Value c, Value j, Value left) {
    unsigned align = unsigned(Frame::element_bytes(c_.element));
    SmallVector<Value> masks;
    if (left)
      for (int64_t v = 0; v < vectors_; ++v) masks.push_back(lanes_below(sub(f, left, f.i64(v * lanes_))));
    SmallVector<Value> c_at, acc, a_at;
    Value ldc = c_place_.strides[c_place_.strides.size() - 2], lda = a_panels_ ? Value() : a_place_.strides[a_place_.strides.size() - 2];
    Value zeros = arith::ConstantOp::create(b_, f.loc, b_.getZeroAttr(vector()));
    for (int64_t r = 0; r < rows; ++r) {
      Value row = add(f, i, f.i64(r));
      if (a_panels_) {  // a block of rows lies within a panel
        Value panel = floordiv(f, i, lanes_), within = sub(f, i, mul(f, panel, f.i64(lanes_)));
        a_at.push_back(element_at(a, unit_, add(f, mul(f, mul(f, panel, f.columns(*a_panels_)), f.i64(lanes_)), add(f, within, f.i64(r)))));
      } else {
        a_at.push_back(element_at(a, a_storage(), mul(f, row, lda)));
      }
      Value c_row = offset(c, add(f, mul(f, row, ldc), j));
      for (int64_t v = 0; v < vectors_; ++v) {
        c_at.push_back(v ? offset(c_row, f.i64(v * lanes_)) : c_row);
        if (!accumulate_) acc.push_back(zeros);
        else acc.push_back(left ? LLVM::MaskedLoadOp::create(b_, f.loc, vector(), c_at.back(), masks[v], zeros, b_.getI32IntegerAttr(int32_t(align))).getResult()
                           : LLVM::LoadOp::create(b_, f.loc, vector(), c_at.back(), align).getResult());
      }
    }
    if (flip_a_)
      for (int64_t v = 0; v < vectors_; ++v) {
        Value much = LLVM::LoadOp::create(b_, f.loc, vector(), offset(sums_entry_, add(f, j, f.i64(v * lanes_))), align);
        for (int64_t r = 0; r < rows; ++r) acc[r * vectors_ + v] = arith::SubIOp::create(b_, f.loc, acc[r * vectors_ + v], much);
      }
    auto op = scf::ForOp::create(b_, f.loc, f.i64(0), groups(), f.i64(1), acc);
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToEnd(op.getBody());
      Value k = op.getInductionVar();
      Value b_row = element_at(panel, unit_, mul(f, k, f.i64(width())));
      Value a_k = mul(f, k, f.i64(a_panels_ ? lanes_ : group_));
      SmallVector<Value> b;
      for (int64_t v = 0; v < vectors_; ++v) {
        Value p = v ? element_at(b_row, unit_, f.i64(v * lanes_)) : b_row;
        b.push_back(LLVM::LoadOp::create(b_, f.loc, units(), p, align));
      }
      SmallVector<Value> next;
      for (int64_t r = 0; r < rows; ++r) {
        Value x = LLVM::LoadOp::create(b_, f.loc, unit_, element_at(a_at[r], a_storage(), a_k), 1);
        x = vector::BroadcastOp::create(b_, f.loc, units(), x);
        for (int64_t v = 0; v < vectors_; ++v) next.push_back(multiply_add(x, b[v], op.getRegionIterArgs()[r * vectors_ + v]));
      }
      scf::YieldOp::create(b_, f.loc, next);
    }
    for (size_t x = 0; x < c_at.size(); ++x) {
      if (left) LLVM::MaskedStoreOp::create(b_, f.loc, op.getResult(x), c_at[x], masks[x % vectors_], b_.getI32IntegerAttr(int32_t(align)));
      else LLVM::StoreOp::create(b_, f.loc, op.getResult(x), c_at[x], align);
    }
  }
};
}  // namespace

void emit_dot(Frame& frame, Values& values, Value a, Value b, const Buffer& c, bool accumulate, Value rows, Value columns) {
  Dot(frame, values, a, b, c, accumulate, rows, columns).emit();
}

}  // namespace tine::cpu
