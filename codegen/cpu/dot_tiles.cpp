// Products by the tile unit: blocks of c of two by two tiles, over all of k, and single tiles for the rows and columns that are left.
#include "codegen/cpu/dot.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/pack.hpp"
#include "codegen/cpu/tile_unit.hpp"

using namespace mlir;

namespace tine::cpu {
namespace {

constexpr int64_t tile_rows = 16, tile_columns = 16;
constexpr int first_a = 4, first_b = 6;

class TileProduct {
 public:
  TileProduct(Product& product, const Operands& operands, bool accumulate, Value rounds, Value fresh)
      : p(product), f(p.f), b(f.b), operands_(operands), accumulate_(accumulate), rounds_(rounds), fresh_(fresh), unit_(f),
        c_(row_major(f, p.c)) {}

  void emit() {
    each_entry(f, p.c.shape, [&](ArrayRef<Value> at) {
      entry_ = at;
      c_entry_ = place_entry(f, c_, at, p.sum);
      blocks();
    });
    unit_.release();
  }

 private:
  Product& p;
  Frame& f;
  OpBuilder& b;
  const Operands& operands_;
  bool accumulate_;
  Value rounds_, fresh_;
  TileOps unit_;
  Place c_;
  ArrayRef<Value> entry_;  // the present batch entry
  Value c_entry_;

  int64_t element_bytes() { return 4 / p.group; }
  Value bytes_at(Value base, Value bytes) { return element_at(f, base, b.getI8Type(), bytes); }

  /// Shapes are set as seldom as the tiles' sizes change: once for all whole blocks.
  void blocks() {
    Value m = p.m_end, n = p.n_end;
    Value rows = mul(f, floordiv(f, m, 2 * tile_rows), f.i64(2 * tile_rows)), columns = mul(f, floordiv(f, n, 2 * tile_columns), f.i64(2 * tile_columns));
    auto each = [&](Value from, Value end, int64_t step, llvm::function_ref<void(Value, Value)> body) {
      emit_loop(f, from, end, step, [&](Value i) { body(i, min(f, sub(f, end, i), f.i64(tile_rows))); });
    };
    Value full = f.i64(tile_rows);
    unit_.configure(full, full);
    each(f.i64(0), rows, 2 * tile_rows, [&](Value i, Value) {
      each(f.i64(0), columns, 2 * tile_columns, [&](Value j, Value) { block(i, 2, j, 2); });
    });
    if (!known(n) || *known(n) % (2 * tile_columns))
      each(columns, n, tile_columns, [&](Value j, Value width) {
        unit_.configure(full, width);
        each(f.i64(0), rows, 2 * tile_rows, [&](Value i, Value) { block(i, 2, j, 1); });
      });
    if (!known(m) || *known(m) % (2 * tile_rows))
      each(rows, m, tile_rows, [&](Value i, Value height) {
        unit_.configure(height, full);
        each(f.i64(0), columns, 2 * tile_columns, [&](Value j, Value) { block(i, 1, j, 2); });
        each(columns, n, tile_columns, [&](Value j, Value width) {
          unit_.configure(height, width);
          block(i, 1, j, 1);
        });
      });
  }

  /// `high` by `wide` tiles of c from row i and column j on.
  void block(Value i, int high, Value j, int wide) {
    Value c_pitch = mul(f, c_.strides[c_.strides.size() - 2], f.i64(4));
    Value c_block = bytes_at(c_entry_, add(f, mul(f, i, c_pitch), mul(f, j, f.i64(4))));
    auto each_tile = [&](llvm::function_ref<void(int, Value)> body) {
      for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x)
          body(2 * y + x, bytes_at(c_block, add(f, mul(f, c_pitch, f.i64(y * tile_rows)), f.i64(x * tile_columns * 4))));
    };
    auto zero = [&] { each_tile([&](int t, Value) { unit_.zero(t); }); };
    auto load = [&] { each_tile([&](int t, Value at) { unit_.load(t, at, c_pitch); }); };
    if (!accumulate_) zero();
    else if (fresh_) either(f, fresh_, zero, load);
    else load();
    emit_loop(f, f.i64(0), rounds_ ? rounds_ : f.i64(1), 1, [&](Value slot) { sum_up(operands_.round(p, rounds_ ? slot : Value(), entry_), i, high, j, wide); });
    each_tile([&](int t, Value at) { unit_.store(t, at, c_pitch); });
  }

  /// Adds one round's products to a block's tiles.
  void sum_up(const Operands::Round& round, Value i, int high, Value j, int wide) {
    Value a_pitch = mul(f, round.a_pitch, f.i64(element_bytes())), b_pitch = f.i64(p.width() * 4);
    Value a_block = bytes_at(round.a, mul(f, i, a_pitch)), b_block = column_of(f, operands_.panels(), round.b, j);
    emit_loop(f, f.i64(0), floordiv(f, round.groups, p.k_unit() / p.group), 1, [&](Value k) {
      Value a_k = bytes_at(a_block, mul(f, k, f.i64(64))), b_k = bytes_at(b_block, mul(f, k, f.i64(16 * p.width() * 4)));
      for (int y = 0; y < high; ++y) unit_.load(first_a + y, bytes_at(a_k, mul(f, a_pitch, f.i64(y * tile_rows))), a_pitch);
      for (int x = 0; x < wide; ++x) unit_.load(first_b + x, bytes_at(b_k, f.i64(x * tile_columns * 4)), b_pitch);
      auto is_signed = [](Value v) { return !ir::elementOf(v.getType()).isUnsignedInteger(); };
      for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x) unit_.multiply(2 * y + x, first_a + y, first_b + x, p.group == 2, is_signed(p.a), is_signed(p.b));
    });
  }
};
}  // namespace

void multiply_by_tiles(Product& product, const Operands& operands, bool accumulate, Value rounds, Value fresh) {
  TileProduct(product, operands, accumulate, rounds, fresh).emit();
}

}  // namespace tine::cpu
