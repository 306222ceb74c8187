#include "codegen/cpu/dot.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {
namespace {

class Dot {
 public:
  Dot(Frame& f, Values& values, Value a, Value b, const Buffer& c) : f(f), b_(f.b), values_(values), a_(a), bv_(b), c_(c) {
    size_t n = c.shape.size();
    m_ = c.shape[n - 2];
    n_ = c.shape[n - 1];
    k_ = ir::shapeOf(a.getType())[n - 1];
    element_ = c.element;
    type_ = f.register_type(element_);
    lanes_ = f.target.vector_bytes / Frame::element_bytes(element_);
    // 32 vector registers hold 8 x 2 accumulators with room to load; 16 hold 6 x 2 or, in even tiles, 4 x 2.
    bool many = f.target.vector_bytes == 64;
    vectors_ = 2;
    rows_ = many ? 8 : m_ >= 0 && m_ % 6 && m_ % 4 == 0 ? 4 : 6;
    if (n_ >= 0 && n_ <= lanes_) vectors_ = 1, rows_ = many ? 16 : 8;
    if (m_ >= 0) rows_ = std::max<int64_t>(1, std::min(rows_, m_));
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
  int64_t m_, n_, k_, lanes_, rows_, vectors_;
  Type element_, type_;

  // Where the operands lie: base pointers of the present batch entry, strides in elements.
  struct Place { Value base; SmallVector<Value> strides; };
  Place a_place_, b_place_, c_place_;
  Value b_height_;  // rows of a panel of b in memory

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
  Buffer copy(Value v, int64_t round_rows, int64_t round_columns) {
    Buffer x = f.allocate_padded(ir::shapeOf(v.getType()), element_, round_rows, round_columns);
    emit_nest(f, values_, x.shape, Output{Output::buffer, nullptr, v, x});
    return x;
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
    Buffer x = f.allocate_padded(ir::shapeOf(bv_.getType()), element_, 1, width());
    x.panel = width();
    Value source = transposed(bv_);
    if (!source || values_.buffers.count(bv_) || lanes_ < 4) {
      emit_nest(f, values_, ir::shapeOf(bv_.getType()), Output{Output::buffer, nullptr, bv_, x});
      return x;
    }
    // Rows as they lie, then square blocks turned in registers.
    x = f.allocate_padded(ir::shapeOf(bv_.getType()), element_, lanes_, width());
    x.panel = width();
    Buffer rows = copy(source, width(), lanes_);
    SmallVector<Value> at;
    turn(rows, x, 0, at);
    return x;
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
    Value pitch = f.columns(from), height = f.rows(into), area = mul(f, f.rows(from), pitch);
    Value entry_index = f.i64(0);
    for (size_t k = 0; k < at.size(); ++k) entry_index = add(f, mul(f, entry_index, f.extent(from.shape[k])), at[k]);
    Value source = offset(from.base, mul(f, entry_index, area));
    Value target = offset(into.base, mul(f, entry_index, mul(f, height, f.columns(into))));
    unsigned align = unsigned(Frame::element_bytes(element_));
    loop(f.i64(0), f.rows(from), lanes_, [&](Value n) {
      Value panel = floordiv(f, n, width());
      Value column = offset(target, add(f, mul(f, panel, mul(f, height, f.i64(width()))), sub(f, n, mul(f, panel, f.i64(width())))));
      loop(f.i64(0), pitch, lanes_, [&](Value k) {
        SmallVector<Value> v;
        for (int64_t r = 0; r < lanes_; ++r)
          v.push_back(LLVM::LoadOp::create(b_, f.loc, vector(), offset(source, add(f, mul(f, add(f, n, f.i64(r)), pitch), k)), align));
        transpose(v);
        for (int64_t r = 0; r < lanes_; ++r)
          LLVM::StoreOp::create(b_, f.loc, v[r], offset(column, mul(f, add(f, k, f.i64(r)), f.i64(width()))), align);
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

    // a: in place if possible.
    if (auto it = values_.buffers.find(a_); it != values_.buffers.end() && it->second.element == element_) {
      a_place_ = row_major(f, it->second);
      return;
    }
    ArrayRef<int64_t> a_shape = ir::shapeOf(a_.getType());
    auto load = a_.getDefiningOp<ir::LoadOp>();
    std::optional<Strided> memory;
    if (load && ir::elementOf(a_.getType()) == element_ && !values_.buffers.count(a_)) memory = strided_memory(f, values_, load);
    if (!memory || known(memory->strides.back()) != 1) {
      a_place_ = row_major(f, copy(a_, 1, 1));
      return;
    }
    if (known(memory->covered)) {  // nothing to check
      a_place_ = {memory->pointer, memory->strides};
      return;
    }
    Buffer x = f.allocate(a_shape, element_);
    Place copied = row_major(f, x);
    SmallVector<Type> types{f.ptr_type()};
    types.append(memory->strides.size(), b_.getI64Type());
    auto choice = scf::IfOp::create(b_, f.loc, types, memory->covered, true);
    auto yield = [&](Value base, ArrayRef<Value> strides) {
      SmallVector<Value> v{base};
      v.append(strides.begin(), strides.end());
      scf::YieldOp::create(b_, f.loc, v);
    };
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(choice.thenBlock());
      yield(memory->pointer, memory->strides);
      b_.setInsertionPointToStart(choice.elseBlock());
      emit_nest(f, values_, a_shape, Output{Output::buffer, nullptr, a_, x});
      yield(copied.base, copied.strides);
    }
    a_place_.base = choice.getResult(0);
    a_place_.strides.assign(choice.getResults().begin() + 1, choice.getResults().end());
    a_place_.strides.back() = f.i64(1);  // in both
  }

  Value offset(Value base, Value elements) {
    return LLVM::GEPOp::create(b_, f.loc, f.ptr_type(), type_, base, ArrayRef<LLVM::GEPArg>{elements});
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
  Value entry(const Place& p, ArrayRef<Value> at) {
    Value o = f.i64(0);
    for (size_t d = 0; d < at.size(); ++d) o = add(f, o, mul(f, at[d], p.strides[d]));
    return known(o) == 0 ? p.base : offset(p.base, o);
  }

  void blocks(ArrayRef<Value> at) {
    Value a = entry(a_place_, at), b = entry(b_place_, at), c = entry(c_place_, at);
    Value m = f.extent(m_), n = f.extent(n_);
    Value n_whole = mul(f, floordiv(f, n, width()), f.i64(width()));
    auto columns = [&](Value j, Value i, int64_t rows, bool masked) {
      Value panel = offset(b, mul(f, j, b_height_));  // panel j / width holds width * height elements
      micro(a, i, rows, panel, c, j, masked ? sub(f, n, j) : Value());
    };
    // Rows outside, so that a block's rows of a stay near while b's panels pass.
    auto row_block = [&](Value i, int64_t rows) {
      loop(f.i64(0), n_whole, width(), [&](Value j) { columns(j, i, rows, false); });
      if (n_ < 0 || n_ % width()) loop(n_whole, n, width(), [&](Value j) { columns(j, i, rows, true); });
    };
    Value m_whole = mul(f, floordiv(f, m, rows_), f.i64(rows_));
    loop(f.i64(0), m_whole, rows_, [&](Value i) { row_block(i, rows_); });
    if (m_ >= 0 && m_ % rows_) row_block(m_whole, m_ % rows_);
    if (m_ < 0) loop(m_whole, m, 1, [&](Value i) { row_block(i, 1); });
  }

  VectorType vector() { return VectorType::get({lanes_}, type_); }
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
    unsigned align = unsigned(Frame::element_bytes(element_));
    SmallVector<Value> masks;
    if (left)
      for (int64_t v = 0; v < vectors_; ++v) masks.push_back(lanes_below(sub(f, left, f.i64(v * lanes_))));
    SmallVector<Value> c_at, acc, a_at;
    Value ldc = c_place_.strides[c_place_.strides.size() - 2], lda = a_place_.strides[a_place_.strides.size() - 2];
    Value step_k = a_place_.strides.back();
    Value zeros = arith::ConstantOp::create(b_, f.loc, b_.getZeroAttr(vector()));
    for (int64_t r = 0; r < rows; ++r) {
      Value row = add(f, i, f.i64(r));
      a_at.push_back(offset(a, mul(f, row, lda)));
      Value c_row = offset(c, add(f, mul(f, row, ldc), j));
      for (int64_t v = 0; v < vectors_; ++v) {
        c_at.push_back(v ? offset(c_row, f.i64(v * lanes_)) : c_row);
        acc.push_back(left ? LLVM::MaskedLoadOp::create(b_, f.loc, vector(), c_at.back(), masks[v], zeros, b_.getI32IntegerAttr(int32_t(align))).getResult()
                           : LLVM::LoadOp::create(b_, f.loc, vector(), c_at.back(), align).getResult());
      }
    }
    auto op = scf::ForOp::create(b_, f.loc, f.i64(0), f.extent(k_), f.i64(1), acc);
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToEnd(op.getBody());
      Value k = op.getInductionVar();
      Value b_row = offset(panel, mul(f, k, f.i64(width())));
      SmallVector<Value> b;
      for (int64_t v = 0; v < vectors_; ++v) {
        Value p = v ? offset(b_row, f.i64(v * lanes_)) : b_row;
        b.push_back(LLVM::LoadOp::create(b_, f.loc, vector(), p, align));
      }
      SmallVector<Value> next;
      for (int64_t r = 0; r < rows; ++r) {
        Value x = LLVM::LoadOp::create(b_, f.loc, type_, offset(a_at[r], mul(f, k, step_k)), align);
        x = vector::BroadcastOp::create(b_, f.loc, vector(), x);
        for (int64_t v = 0; v < vectors_; ++v) {
          Value old = op.getRegionIterArgs()[r * vectors_ + v];
          if (isa<FloatType>(type_)) next.push_back(LLVM::FMAOp::create(b_, f.loc, vector(), x, b[v], old));
          else next.push_back(arith::AddIOp::create(b_, f.loc, old, arith::MulIOp::create(b_, f.loc, x, b[v])));
        }
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

void emit_dot(Frame& frame, Values& values, Value a, Value b, const Buffer& c) { Dot(frame, values, a, b, c).emit(); }

}  // namespace tine::cpu
