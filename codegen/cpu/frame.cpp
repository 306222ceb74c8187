#include "codegen/cpu/frame.hpp"
#include "codegen/abi/compiler_abi.h"
#include "codegen/cpu/element.hpp"
#include "codegen/cpu/index.hpp"
#include "codegen/cpu/memory.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::cpu {
namespace {
constexpr int64_t alignment = 64;
// Tiles up to this size live on the stack, where LLVM can keep them in registers; the sum is bounded too.
constexpr int64_t largest_on_stack = 4096, stack_budget = 32768;
}  // namespace

Frame::Frame(ModuleOp module, ir::KernelOp k, VectorTarget t, ArrayRef<unsigned> grid_order)
    : b(module.getContext()), kernel(k), target(t), order(grid_order), loc(k.getLoc()), module_(module) {
  int64_t slot = kernel.getSources().size();
  for (Attribute a : kernel.getSources()) {
    first_stride_.push_back(slot);
    slot += cast<ir::SourceAttr>(a).getRank();
  }
  first_symbol_ = slot;

  // for (p = begin; p < end; ++p) { one program }
  b.setInsertionPointToEnd(module.getBody());
  Type i64 = b.getI64Type();
  auto fn = func::FuncOp::create(b, loc, TINE_CPU_ENTRY, b.getFunctionType({ptr_type(), i64, i64, ptr_type()}, {}));
  entry_block_ = fn.addEntryBlock();
  b.setInsertionPointToEnd(entry_block_);
  scratch_next_ = entry_block_->getArgument(3);
  Value one = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
  auto loop = scf::ForOp::create(b, loc, entry_block_->getArgument(1), entry_block_->getArgument(2), one);
  func::ReturnOp::create(b, loc);
  entry_end_ = loop;
  constants_[1] = one;
  b.setInsertionPoint(loop.getBody()->getTerminator());
  Value rest = loop.getInductionVar();
  ArrayRef<int64_t> grid = kernel.getGrid();
  program.resize(grid.size());
  for (unsigned d : order) {
    if (d == order.back()) {
      program[d] = rest;
    } else if (grid[d] == 1) {
      program[d] = this->i64(0);
    } else {
      program[d] = arith::RemUIOp::create(b, loc, rest, extent(grid[d]));
      rest = arith::DivUIOp::create(b, loc, rest, extent(grid[d]));
    }
  }
}

Type Frame::ptr_type() { return LLVM::LLVMPointerType::get(b.getContext()); }
Type Frame::register_type(Type element) {
  if (auto i = dyn_cast<IntegerType>(element)) return b.getIntegerType(i.getWidth());
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element)) return b.getI8Type();
  return element;
}
Type Frame::storage_type(Type element) {
  if (element.isInteger(1)) return b.getI8Type();
  if (isa<Float16Type, BFloat16Type>(element)) return b.getI16Type();
  return register_type(element);
}

Value Frame::i64(int64_t v) {
  Value& c = constants_[v];
  if (!c) {
    OpBuilder at(entry_block_, entry_block_->begin());
    c = arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(v));
  }
  return c;
}
Value Frame::i1(bool v) { return arith::ConstantOp::create(b, loc, b.getBoolAttr(v)); }

Value Frame::load_slot(int64_t slot, Type type) {
  Value& v = slots_[{slot, type}];
  if (!v) {
    OpBuilder at(entry_end_);
    Value p = entry_block_->getArgument(0);
    if (slot) p = LLVM::GEPOp::create(at, loc, ptr_type(), at.getI64Type(), p, ArrayRef<LLVM::GEPArg>{int32_t(slot)});
    auto load = LLVM::LoadOp::create(at, loc, type, p, type == at.getI64Type() || isa<LLVM::LLVMPointerType>(type) ? 8 : 1);
    load.setInvariant(true);
    v = load;
  }
  return v;
}
Value Frame::symbol(int64_t number) { return load_slot(first_symbol_ + number, b.getI64Type()); }
bool Frame::unit_stride(int64_t source, int64_t dim) { return llvm::is_contained(kernel.getSource(source).getUnit().asArrayRef(), dim); }
Value Frame::stride(int64_t source, int64_t dim) {
  return unit_stride(source, dim) ? i64(1) : load_slot(first_stride_[source] + dim, b.getI64Type());
}
Value Frame::base(int64_t source) { return load_slot(source, ptr_type()); }
Value Frame::scalar(int64_t source) {
  Type element = kernel.getSource(source).getType();
  return to_register(b, loc, load_slot(source, storage_type(element)), element);
}

Value Frame::padded(int64_t dim, int64_t multiple, llvm::function_ref<Value(int64_t)> extent, OpBuilder& at) {
  auto constant = [&](int64_t v) { return arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(v)).getResult(); };
  if (!ir::TileType::isSymbol(dim)) return constant((dim + multiple - 1) / multiple * multiple);
  Value n = extent(dim);
  if (multiple == 1) return n;
  n = arith::AddIOp::create(at, loc, n, constant(multiple - 1));
  return arith::SubIOp::create(at, loc, n, arith::RemUIOp::create(at, loc, n, constant(multiple)));
}

Value Frame::bytes_of(const Request& r, llvm::function_ref<Value(int64_t)> extent, OpBuilder& at) {
  auto constant = [&](int64_t v) { return arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(v)).getResult(); };
  Value n = constant(r.bytes);
  for (size_t d = 0; d < r.shape.size(); ++d) {
    int64_t multiple = d + 1 == r.shape.size() ? r.round_columns : d + 2 == r.shape.size() ? r.round_rows : 1;
    n = arith::MulIOp::create(at, loc, n, padded(r.shape[d], multiple, extent, at));
  }
  n = arith::AddIOp::create(at, loc, n, constant(alignment - 1));
  n = arith::AndIOp::create(at, loc, n, constant(-alignment));
  if (!r.count) return n;
  return arith::MulIOp::create(at, loc, n, arith::AddIOp::create(at, loc, r.count(at, extent), constant(1)));
}

Buffer Frame::padded_buffer(ArrayRef<int64_t> shape, Type element, int64_t round_rows, int64_t round_columns) {
  Buffer buffer{{}, element, SmallVector<int64_t>(shape), {}, {}, 0};
  OpBuilder at(entry_end_);
  auto extent_at_entry = [&](int64_t d) { return extent(d); };
  size_t dims = shape.size();
  if (round_rows > 1) buffer.rows = padded(shape[dims - 2], round_rows, extent_at_entry, at);
  if (round_columns > 1) buffer.columns = padded(shape[dims - 1], round_columns, extent_at_entry, at);
  return buffer;
}

Value Frame::reserve(Request request) {
  OpBuilder at(entry_end_);
  Value start = scratch_next_, size = bytes_of(request, [&](int64_t d) { return extent(d); }, at);
  scratch_next_ = LLVM::GEPOp::create(at, loc, ptr_type(), at.getI8Type(), start, ArrayRef<LLVM::GEPArg>{size});
  requests_.push_back(std::move(request));
  return start;
}

Buffer Frame::allocate_padded(ArrayRef<int64_t> shape, Type element, int64_t round_rows, int64_t round_columns) {
  Buffer buffer = padded_buffer(shape, element, round_rows, round_columns);
  int64_t bytes = ir::bytesOf(element);
  bool known = round_rows == 1 && round_columns == 1;
  for (int64_t d : shape) {
    if (ir::TileType::isSymbol(d)) known = false;
    else bytes *= d;
  }
  if (known && bytes <= largest_on_stack && stack_bytes_ + bytes <= stack_budget) {
    OpBuilder at(entry_end_);
    stack_bytes_ += bytes;
    Value n = arith::ConstantOp::create(at, loc, at.getI64IntegerAttr((bytes + alignment - 1) / alignment * alignment));
    buffer.base = LLVM::AllocaOp::create(at, loc, ptr_type(), at.getI8Type(), n, unsigned(alignment));
    return buffer;
  }
  buffer.base = reserve({SmallVector<int64_t>(shape), ir::bytesOf(element), round_rows, round_columns, {}});
  return buffer;
}

Value Frame::at_entry(const Count& count) {
  OpBuilder at(entry_end_);
  return count(at, [&](int64_t d) { return extent(d); });
}

Buffer Frame::allocate_slots(ArrayRef<int64_t> shape, Type element, int64_t round_rows, int64_t round_columns, const Count& count, Value slot) {
  Buffer buffer = padded_buffer(shape, element, round_rows, round_columns);
  Request request{SmallVector<int64_t>(shape), ir::bytesOf(element), round_rows, round_columns, {}};
  OpBuilder at(entry_end_);
  Value each = bytes_of(request, [&](int64_t d) { return extent(d); }, at);
  request.count = count;
  buffer.base = element_at(*this, reserve(std::move(request)), b.getI8Type(), mul(*this, slot, each));
  return buffer;
}

Value Frame::allocate_records(const Count& count, int64_t size) { return reserve({{size}, 8, 1, 1, count}); }

Value Frame::allocate_tags(const Count& count, int64_t size) {
  Value tags = allocate_records(count, size);
  OpBuilder at(entry_end_);
  Type i64 = at.getI64Type();
  auto constant = [&](int64_t v) { return arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(v)).getResult(); };
  Value groups = arith::AddIOp::create(at, loc, at_entry(count), constant(1));
  // Groups start at multiples of the alignment.
  auto loop = scf::ForOp::create(at, loc, constant(0), groups, constant(1));
  at.setInsertionPoint(loop.getBody()->getTerminator());
  Value offset = arith::MulIOp::create(at, loc, loop.getInductionVar(), constant((size * 8 + alignment - 1) / alignment * alignment / 8));
  Value group = LLVM::GEPOp::create(at, loc, ptr_type(), i64, tags, ArrayRef<LLVM::GEPArg>{offset});
  Value never = arith::ConstantOp::create(at, loc, DenseElementsAttr::get(VectorType::get({size}, i64), int64_t(-1)));
  LLVM::StoreOp::create(at, loc, never, group, 8);
  return tags;
}

void Frame::finish(Location l) {
  OpBuilder at(module_.getContext());
  if (streams) {  // such stores are not ordered with what tells other threads that the programs are done
    at.setInsertionPoint(entry_block_->getTerminator());
    if (target.x86) LLVM::CallIntrinsicOp::create(at, l, at.getStringAttr("llvm.x86.sse.sfence"), ValueRange{});
    else LLVM::FenceOp::create(at, l, LLVM::AtomicOrdering::seq_cst);
  }
  at.setInsertionPointToEnd(module_.getBody());
  auto fn = func::FuncOp::create(at, l, TINE_CPU_SCRATCH, at.getFunctionType({ptr_type()}, {at.getI64Type()}));
  Block* body = fn.addEntryBlock();
  at.setInsertionPointToEnd(body);
  Value total = arith::ConstantOp::create(at, l, at.getI64IntegerAttr(0));
  for (const Request& r : requests_) {
    auto extent = [&](int64_t d) -> Value {
      if (!ir::TileType::isSymbol(d)) return arith::ConstantOp::create(at, l, at.getI64IntegerAttr(d));
      Value p = LLVM::GEPOp::create(at, l, ptr_type(), at.getI64Type(), body->getArgument(0),
                                    ArrayRef<LLVM::GEPArg>{int32_t(first_symbol_ + ir::TileType::symbol(d))});
      return LLVM::LoadOp::create(at, l, at.getI64Type(), p, 8);
    };
    total = arith::AddIOp::create(at, l, total, bytes_of(r, extent, at));
  }
  func::ReturnOp::create(at, l, total);
}

}  // namespace tine::cpu
