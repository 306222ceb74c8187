#include "codegen/cpu/tile_unit.hpp"
#include "codegen/cpu/index.hpp"
#include "codegen/cpu/memory.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tine::cpu {

namespace {
constexpr int64_t shape_bytes = 64;
}

TileOps::TileOps(Frame& frame) : f(frame) { shapes_ = f.allocate({shape_bytes}, f.b.getI8Type()).base; }

Value TileOps::tile(int number) { return LLVM::ConstantOp::create(f.b, f.loc, f.b.getI8Type(), f.b.getI8IntegerAttr(int8_t(number))); }
void TileOps::instruction(StringRef name, ValueRange operands) {
  LLVM::CallIntrinsicOp::create(f.b, f.loc, f.b.getStringAttr(("llvm.x86." + name).str()), operands);
}

void TileOps::configure(Value rows, Value columns) {
  // Byte 0: palette 1; from 16 on: bytes of a row of each tile, 16 bits each; from 48 on: rows of each tile, 8 bits each.
  Value bytes = mul(f, columns, f.i64(4));
  auto put = [&](int64_t at, Value v) { LLVM::StoreOp::create(f.b, f.loc, v, element_at(f, shapes_, f.b.getI8Type(), f.i64(at)), 8); };
  for (int64_t at = 0; at < shape_bytes; at += 8) {
    Value v = at == 0 ? f.i64(1) : f.i64(0);
    if (at == 16) v = mul(f, bytes, f.i64(0x0001'0001'0001'0001));
    if (at == 24) v = add(f, mul(f, bytes, f.i64(0x0001'0001'0000'0000)), f.i64(0x0000'0000'0040'0040));
    if (at == 48) v = add(f, mul(f, rows, f.i64(0x0000'0101'0101'0101)), f.i64(0x1010'0000'0000'0000));
    put(at, v);
  }
  instruction("ldtilecfg", {shapes_});
}
void TileOps::release() { instruction("tilerelease", {}); }
void TileOps::zero(int t) { instruction("tilezero", {tile(t)}); }
void TileOps::load(int t, Value pointer, Value stride) { instruction("tileloadd64", {tile(t), pointer, stride}); }
void TileOps::store(int t, Value pointer, Value stride) { instruction("tilestored64", {tile(t), pointer, stride}); }
void TileOps::multiply(int sums, int a, int b, bool bf16, bool a_signed, bool b_signed) {
  std::string name = bf16 ? "tdpbf16ps" : std::string("tdpb") + (a_signed ? "s" : "u") + (b_signed ? "s" : "u") + "d";
  instruction(name, {tile(sums), tile(a), tile(b)});
}

}  // namespace tine::cpu
