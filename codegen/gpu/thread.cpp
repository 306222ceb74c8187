#include "codegen/gpu/thread.hpp"
#include "codegen/abi/gpu_artefact.h"
#include "codegen/gpu/symbol_facts.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using tine::layout::Axis;
using tine::layout::Layout;

namespace tine::gpu {

Thread::Thread(ModuleOp module, ir::KernelOp k, const TargetInfo& t, ThreadOptions o)
    : b(module.getContext()), loc(k.getLoc()), kernel(k), target(t), options(o), module_(module), narrow_(k.getNarrowIndex()) {
  Type i64 = b.getI64Type();
  SmallVector<Type> slots;
  for (Attribute a : kernel.getSources()) {
    auto source = cast<ir::SourceAttr>(a);
    slots.push_back(source.getRank() ? Type(LLVM::LLVMPointerType::get(b.getContext(), unsigned(Space::global))) : i64);
  }
  int64_t slot = int64_t(slots.size());
  for (Attribute a : kernel.getSources()) {
    first_stride_.push_back(slot);
    slot += cast<ir::SourceAttr>(a).getRank();
  }
  first_symbol_ = slot;
  slots.resize(size_t(slot) + kernel.getSymbols().size(), i64);

  b.setInsertionPointToEnd(module.getBody());
  auto fn = LLVM::LLVMFuncOp::create(b, loc, TINE_GPU_ENTRY, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), slots));
  for (auto [i, a] : llvm::enumerate(kernel.getSources())) {
    auto source = cast<ir::SourceAttr>(a);
    if (source.getRank()) fn.setArgAttr(unsigned(i), LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(std::max<int64_t>(source.getAlign(), ir::bytesOf(source.getType()))));
  }
  entry_ = fn.addEntryBlock(b);
  b.setInsertionPointToEnd(entry_);
  entry_end_ = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));  // a mark; `finish` takes it out
  Operation* end = LLVM::ReturnOp::create(b, loc, ValueRange());

  b.setInsertionPoint(entry_end_);
  Value thread = target.id(b, loc, TargetInfo::Id::thread);
  int64_t warp_bits = layout::log2_ceil(target.warp);
  lane = arith::AndIOp::create(b, loc, thread, i32(target.warp - 1));
  warp = arith::ShRUIOp::create(b, loc, thread, i32(warp_bits));
  Value block = widen(target.id(b, loc, TargetInfo::Id::block)), blocks = widen(target.id(b, loc, TargetInfo::Id::row_blocks));
  if (!narrow_) {  // more programs than one row of blocks
    block = arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, widen(target.id(b, loc, TargetInfo::Id::block_row)), blocks), block);
    blocks = arith::MulIOp::create(b, loc, blocks, widen(target.id(b, loc, TargetInfo::Id::rows)));
  }
  Value programs = index(1);
  for (int64_t d : kernel.getGrid()) programs = mul(programs, extent(d));
  b.setInsertionPoint(end);
  if (options.persistent) {
    auto loop = scf::ForOp::create(b, loc, block, programs, blocks);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    unravel(loop.getInductionVar());
  } else if (narrow_) {
    unravel(block);
  } else {
    auto branch = scf::IfOp::create(b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, block, programs), false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    unravel(block);
  }
  program_start_ = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
}

/// Row-major: the last dim runs fastest. In groups, programs of `group` neighbouring rows run column by column, so that they
/// find each other's columns in the cache.
void Thread::unravel(Value number) {
  ArrayRef<int64_t> grid = kernel.getGrid();
  program.assign(grid.size(), index(0));
  auto div = [&](Value x, Value y) -> Value { return known(y) == 1 ? x : arith::DivUIOp::create(b, loc, x, y).getResult(); };
  auto rem = [&](Value x, Value y) -> Value { return known(y) == 1 ? index(0) : arith::RemUIOp::create(b, loc, x, y).getResult(); };
  size_t plain = grid.size();
  Value rest = number;
  if (options.group > 0 && grid.size() >= 2) {
    Value rows = extent(grid[grid.size() - 2]), columns = extent(grid.back()), plane = mul(rows, columns);
    Value inside = rem(rest, plane), in_group = mul(columns, index(options.group));
    Value first = mul(div(inside, in_group), index(options.group));
    Value height = arith::MinSIOp::create(b, loc, sub(rows, first), index(options.group));
    Value within = rem(inside, in_group);
    program[grid.size() - 2] = add(first, rem(within, height));
    program.back() = div(within, height);
    rest = div(rest, plane);
    plain = grid.size() - 2;
  }
  for (size_t d = plain; d-- > 0;) {
    if (d == 0) {
      program[0] = grid[0] == 1 ? index(0) : rest;
    } else if (grid[d] != 1) {
      program[d] = rem(rest, extent(grid[d]));
      rest = div(rest, extent(grid[d]));
    }
  }
}

void Thread::finish() {
  entry_end_->erase();
  program_start_->erase();
}

// ---- types

Type Thread::register_type(Type element) {
  if (auto i = dyn_cast<IntegerType>(element)) return b.getIntegerType(i.getWidth());
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element)) return b.getI8Type();
  return element;
}
Type Thread::storage_type(Type element) { return b.getIntegerType(unsigned(8 * ir::bytesOf(element))); }

Value Thread::to_register(Value v, Type element) {
  if (element.isInteger(1)) return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, v, constant(v.getType(), 0));
  Type type = register_type(element);
  return v.getType() == type ? v : arith::BitcastOp::create(b, loc, type, v).getResult();
}
Value Thread::to_storage(Value v, Type element) {
  if (element.isInteger(1)) return arith::ExtUIOp::create(b, loc, b.getI8Type(), v);
  Type type = storage_type(element);
  return v.getType() == type ? v : arith::BitcastOp::create(b, loc, type, v).getResult();
}

SmallVector<Value> Thread::repack(ValueRange words, unsigned to) {
  unsigned from = words[0].getType().getIntOrFloatBitWidth();
  if (from == to) return SmallVector<Value>(words);
  SmallVector<Value> result;
  if (from < to) {
    auto type = VectorType::get({int64_t(to / from)}, b.getIntegerType(from));
    for (size_t i = 0; i < words.size(); i += to / from) {
      Value v = LLVM::UndefOp::create(b, loc, type);
      for (unsigned k = 0; k < to / from; ++k) v = LLVM::InsertElementOp::create(b, loc, v, words[i + k], i32(k));
      result.push_back(LLVM::BitcastOp::create(b, loc, b.getIntegerType(to), v));
    }
    return result;
  }
  auto type = VectorType::get({int64_t(from / to)}, b.getIntegerType(to));
  for (Value w : words) {
    Value v = LLVM::BitcastOp::create(b, loc, type, w);
    for (unsigned k = 0; k < from / to; ++k) result.push_back(LLVM::ExtractElementOp::create(b, loc, v, i32(k)));
  }
  return result;
}

// ---- constants and parameters

Value Thread::constant(Type type, int64_t v) {
  Value& c = constants_[{type, v}];
  if (!c) {
    OpBuilder at(entry_, entry_->begin());
    APInt bits(type.getIntOrFloatBitWidth(), uint64_t(v), true, true);  // an index outside its level may have more
    c = arith::ConstantOp::create(at, kernel.getLoc(), at.getIntegerAttr(type, bits));
  }
  return c;
}
Value Thread::symbol(int64_t number) { return entry_->getArgument(unsigned(first_symbol_ + number)); }
Value Thread::slot(int64_t number, Type type) {
  Value v = entry_->getArgument(unsigned(number));
  if (v.getType() == type) return v;
  Value& n = indices_[number];
  if (!n) {
    OpBuilder at(entry_end_);
    n = arith::TruncIOp::create(at, kernel.getLoc(), type, v);
  }
  return n;
}
Value Thread::symbol_index(int64_t number) { return slot(first_symbol_ + number, index_type()); }
Value Thread::stride(int64_t source, int64_t dim) {
  if (llvm::is_contained(kernel.getSource(source).getUnit().asArrayRef(), dim)) return index(1);
  return slot(first_stride_[size_t(source)] + dim, index_type());
}
Value Thread::base(int64_t source) { return entry_->getArgument(unsigned(source)); }
Value Thread::scalar(int64_t source) {
  Value& v = scalars_[source];
  if (!v) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(entry_end_);
    Type element = kernel.getSource(source).getType(), storage = storage_type(element);
    Value bits = entry_->getArgument(unsigned(source));
    if (storage != b.getI64Type()) bits = arith::TruncIOp::create(b, loc, storage, bits);
    v = to_register(bits, element);
  }
  return v;
}

// ---- this thread

const LayoutInfo& Thread::layout(ir::LayoutAttr attr) {
  auto& info = layouts_[attr];
  if (!info) {
    info = std::make_unique<LayoutInfo>();
    info->map = attr.getLayout();
    info->registers = info->map.in_size(Axis::reg);
    size_t rank = attr.getShape().size();
    for (int64_t r = 0; r < info->registers; ++r) {
      auto& at = info->at.emplace_back();
      layout::Word image = info->map.image(info->map.pack_in(Axis::reg, r));
      for (size_t d = 0; d < rank; ++d) at.push_back(info->map.unpack_out(image, layout::dim(int(d))));
    }
    info->free_lanes = info->map.free_bits(Axis::lane);
    info->free_warps = info->map.free_bits(Axis::warp);
  }
  return *info;
}

Value Thread::thread_part(const Layout& map, Axis out, int64_t flipped) {
  for (const Part& p : parts_)
    if (p.out == out && p.flipped == flipped && p.map == map) return p.value;
  if (flipped) {
    Value part = thread_part(map, out);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(entry_end_);
    Value turned = known(part) == 0 ? i32(flipped) : arith::XOrIOp::create(b, loc, part, i32(flipped)).getResult();
    parts_.push_back({map, out, flipped, turned});
    return turned;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(entry_end_);
  Value sum;
  for (const layout::Run& run : map.runs()) {
    if (run.out != out || (run.in != Axis::lane && run.in != Axis::warp)) continue;
    Value x = run.in == Axis::lane ? lane : warp;
    bool whole = run.from == 0 && run.count == map.in_bits(run.in);
    if (run.from) x = arith::ShRUIOp::create(b, loc, x, i32(run.from));
    if (!whole && run.from + run.count < map.in_bits(run.in)) x = arith::AndIOp::create(b, loc, x, i32((int64_t(1) << run.count) - 1));
    if (run.to) x = arith::ShLIOp::create(b, loc, x, i32(run.to));
    if (!sum) sum = x;
    else if (map.disjoint(out)) sum = arith::AddIOp::create(b, loc, sum, x);
    else sum = arith::XOrIOp::create(b, loc, sum, x);
  }
  if (!sum) sum = i32(0);
  parts_.push_back({map, out, 0, sum});
  return sum;
}

Value Thread::acts(const LayoutInfo& info) {
  if (!info.free_lanes && !info.free_warps) return {};
  Value& v = acting_[{info.free_lanes, info.free_warps}];
  if (!v) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(entry_end_);
    auto zero = [&](Value x, int64_t bits) -> Value {
      if (!bits) return {};
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, arith::AndIOp::create(b, loc, x, i32(bits)), i32(0));
    };
    v = both(zero(lane, info.free_lanes), zero(warp, info.free_warps));
  }
  return v;
}

bool Thread::padded(int64_t dim, int64_t size) const {
  if (!ir::TileType::isSymbol(dim)) return dim != size;
  auto capacity = symbol_capacity(kernel, ir::TileType::symbol(dim));
  return !(capacity && capacity->exact && capacity->size == size);
}

// ---- shared memory, loops

Value Thread::shared_pointer(int64_t offset) {
  Type type = LLVM::LLVMPointerType::get(b.getContext(), unsigned(Space::shared));
  if (!shared_) {  // its size is the launch's
    OpBuilder at(module_.getBody(), module_.getBody()->begin());
    shared_ = LLVM::GlobalOp::create(at, loc, LLVM::LLVMArrayType::get(b.getI8Type(), 0), false, LLVM::Linkage::External, "tine_shared", Attribute(), 16,
                                     unsigned(Space::shared));
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(entry_end_);
  Value base = LLVM::AddressOfOp::create(b, loc, type, "tine_shared");
  if (!offset) return base;
  return LLVM::GEPOp::create(b, loc, type, b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{int32_t(offset)});
}

SmallVector<Value> Thread::loop(Value lo, Value hi, Value step, ValueRange carried, llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto op = scf::ForOp::create(b, loc, lo, hi, step, carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
  if (!carried.empty()) scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(op.getResults());
}

}  // namespace tine::gpu
