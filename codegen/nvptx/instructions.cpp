#include "codegen/nvptx/instructions.hpp"
#include "codegen/nvptx/cuda_functions.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using tine::gpu::Space;

namespace tine::nvptx {
namespace {

Value constant(OpBuilder& b, Location loc, int64_t v) { return LLVM::ConstantOp::create(b, loc, b.getI32Type(), v); }

/// The class of an operand of inline assembly.
const char* register_class(unsigned bits) { return bits <= 16 ? "h" : bits == 32 ? "r" : "l"; }

class Instructions final : public gpu::TargetInfo {
 public:
  explicit Instructions(const Target& target) {
    name = target.cpu();
    max_shared = target.max_shared;
    max_warps = Target::max_threads / warp;
    registers = Target::max_registers;
    registers_per_block = Target::registers_per_sm;
  }

  Value id(OpBuilder& b, Location loc, Id which) const override {
    const char* name = nullptr;
    switch (which) {
      case Id::thread: name = "llvm.nvvm.read.ptx.sreg.tid.x"; break;
      case Id::block: name = "llvm.nvvm.read.ptx.sreg.ctaid.x"; break;
      case Id::block_row: name = "llvm.nvvm.read.ptx.sreg.ctaid.y"; break;
      case Id::row_blocks: name = "llvm.nvvm.read.ptx.sreg.nctaid.x"; break;
      case Id::rows: name = "llvm.nvvm.read.ptx.sreg.nctaid.y"; break;
    }
    return intrinsic(b, loc, name, b.getI32Type(), {});
  }
  Value shuffle_xor(OpBuilder& b, Location loc, Value word, int64_t mask) const override {
    return intrinsic(b, loc, "llvm.nvvm.shfl.sync.bfly.i32", b.getI32Type(), {constant(b, loc, -1), word, constant(b, loc, mask), constant(b, loc, warp - 1)});
  }
  Value shuffle_from(OpBuilder& b, Location loc, Value word, Value lane) const override {
    return intrinsic(b, loc, "llvm.nvvm.shfl.sync.idx.i32", b.getI32Type(), {constant(b, loc, -1), word, lane, constant(b, loc, warp - 1)});
  }
  void barrier(OpBuilder& b, Location loc) const override {
    LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.all"), ValueRange{constant(b, loc, 0)});
  }

  SmallVector<Value> load(OpBuilder& b, Location loc, Space space, Value pointer, int64_t offset, unsigned bits, ValueRange other, Value predicate,
                          bool constant) const override {
    size_t count = other.size();
    Type word = b.getIntegerType(bits);
    unsigned align = unsigned(bits / 8 * count);
    SmallVector<Value> words;
    if (!predicate) {
      if (offset) pointer = moved(b, loc, pointer, offset);
      Type type = count == 1 ? word : Type(VectorType::get({int64_t(count)}, word));
      auto load = LLVM::LoadOp::create(b, loc, type, pointer, align);
      load.setInvariant(constant);
      if (count == 1) return {load.getResult()};
      for (size_t i = 0; i < count; ++i) words.push_back(LLVM::ExtractElementOp::create(b, loc, load, nvptx::constant(b, loc, int64_t(i))));
      return words;
    }
    // mov what others have; @p ld over it. LLVM has no predicated loads, and branches would keep it from moving code.
    std::string text, constraints, list;
    SmallVector<Value> operands{predicate, pointer};
    size_t next = count + 2;
    for (size_t i = 0; i < count; ++i) {
      std::string to = "$" + std::to_string(i), value = "0";
      APInt c;
      bool zero = matchPattern(other[i], m_ConstantInt(&c)) && c.isZero();
      if (!zero) {
        Value v = other[i];
        if (bits == 8) v = LLVM::ZExtOp::create(b, loc, b.getI16Type(), v);
        operands.push_back(v);
        value = "$" + std::to_string(next++);
      }
      text += "mov.b" + std::to_string(std::max(bits, 16u)) + " " + to + ", " + value + ";\n\t";
      list += (i ? ", " : "") + to;
      constraints += std::string("=&") + register_class(bits) + ",";
    }
    constraints += space == Space::shared ? "b,r" : "b,l";  // shared pointers have 32 bits
    for (size_t i = 2; i < operands.size(); ++i) constraints += std::string(",") + register_class(bits);
    text += "@$" + std::to_string(count) + " ld." + space_name(space) + (constant && space == Space::global ? ".nc" : "") + vector_name(count) + ".b" +
            std::to_string(bits) + " " + (count > 1 ? "{" + list + "}" : list) + ", [$" + std::to_string(count + 1) + offset_text(offset) + "];";
    if (!constant) constraints += ",~{memory}";
    Type held = bits == 8 ? b.getI16Type() : word;
    Type result = count == 1 ? held : Type(LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(count, held)));
    Value loaded = assembly(b, loc, result, operands, text, constraints, !constant);
    for (size_t i = 0; i < count; ++i) {
      Value v = count == 1 ? loaded : LLVM::ExtractValueOp::create(b, loc, loaded, ArrayRef<int64_t>{int64_t(i)}).getResult();
      words.push_back(bits == 8 ? LLVM::TruncOp::create(b, loc, word, v).getResult() : v);
    }
    return words;
  }

  void store(OpBuilder& b, Location loc, Space space, Value pointer, int64_t offset, ValueRange words, Value predicate) const override {
    size_t count = words.size();
    unsigned bits = words[0].getType().getIntOrFloatBitWidth(), align = unsigned(bits / 8 * count);
    if (!predicate) {
      if (offset) pointer = moved(b, loc, pointer, offset);
      Value v = words[0];
      if (count > 1) {
        v = LLVM::UndefOp::create(b, loc, VectorType::get({int64_t(count)}, words[0].getType()));
        for (size_t i = 0; i < count; ++i) v = LLVM::InsertElementOp::create(b, loc, v, words[i], constant(b, loc, int64_t(i)));
      }
      LLVM::StoreOp::create(b, loc, v, pointer, align);
      return;
    }
    std::string list, constraints = space == Space::shared ? "b,r" : "b,l";
    SmallVector<Value> operands{predicate, pointer};
    for (size_t i = 0; i < count; ++i) {
      operands.push_back(bits == 8 ? LLVM::ZExtOp::create(b, loc, b.getI16Type(), words[i]).getResult() : words[i]);
      list += (i ? ", $" : "$") + std::to_string(i + 2);
      constraints += std::string(",") + register_class(bits);
    }
    std::string text = std::string("@$0 st.") + space_name(space) + vector_name(count) + ".b" + std::to_string(bits) + " [$1" + offset_text(offset) + "], " +
                       (count > 1 ? "{" + list + "}" : list) + ";";
    assembly(b, loc, {}, operands, text, constraints + ",~{memory}", true);
  }

  Value call(OpBuilder& b, ir::ForeignOp op, ValueRange arguments) const override { return call_cuda_function(b, op, arguments); }

  // ---- matrix units and asynchronous copies: what sm_80 has, and all later architectures too

  const gpu::MatrixUnit* matrix_unit(Type a, Type b, Type result, StringRef precision) const override {
    static const gpu::MatrixUnit half{layout::mma_m16n8(16)}, byte{layout::mma_m16n8(8)}, tf32{layout::mma_m16n8(32), true}, f64{layout::mma_f64()};
    if (a.isInteger(8) && b.isInteger(8)) return &byte;
    if (a != b) return nullptr;
    if (a.isF16() || a.isBF16()) return result.isF32() ? &half : nullptr;
    if (a.isF64()) return &f64;
    return a.isF32() && !precision.empty() ? &tf32 : nullptr;
  }
  SmallVector<Value> multiply(OpBuilder& b, Location loc, Type a_element, Type b_element, ValueRange a, ValueRange x, ValueRange c) const override {
    std::string name = "llvm.nvvm.mma.";
    SmallVector<Value> args;
    auto words = [&](ValueRange list, Type type) {
      for (Value w : list) args.push_back(w.getType() == type ? w : LLVM::BitcastOp::create(b, loc, type, w).getResult());
    };
    Type word = b.getI32Type();
    if (a_element.isF16()) name += "m16n8k16.row.col.f32.f32", word = VectorType::get({2}, b.getF16Type());
    else if (a_element.isBF16()) name += "m16n8k16.row.col.bf16";
    else if (a_element.isF32()) name += "m16n8k8.row.col.tf32";
    else if (a_element.isF64()) name += "m8n8k4.row.col.f64", word = b.getF64Type();
    else {
      auto sign = [](Type t) { return t.isUnsignedInteger() ? std::string(".u8") : std::string(".s8"); };
      name += "m16n8k32.row.col" + sign(a_element) + (sign(a_element) == sign(b_element) ? "" : sign(b_element));
    }
    words(a, word), words(x, word);
    args.append(c.begin(), c.end());
    SmallVector<Type> types(c.getTypes());
    Value d = intrinsic(b, loc, name.c_str(), LLVM::LLVMStructType::getLiteral(b.getContext(), types), args);
    return parts(b, loc, d, types.size());
  }
  Value to_tf32(OpBuilder& b, Location loc, Value f32) const override { return intrinsic(b, loc, "llvm.nvvm.f2tf32.rna", b.getI32Type(), {f32}); }
  bool loads_matrices() const override { return true; }
  SmallVector<Value> load_matrices(OpBuilder& b, Location loc, Value pointer, int64_t offset, int64_t count, bool trans) const override {
    if (offset) pointer = moved(b, loc, pointer, offset);
    std::string name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (trans ? ".trans" : "") + ".b16.p3";
    Type type = b.getI32Type();
    if (count == 1) return {intrinsic(b, loc, name.c_str(), type, {pointer})};
    return parts(b, loc, intrinsic(b, loc, name.c_str(), LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(size_t(count), type)), {pointer}), size_t(count));
  }

  bool copies_async(int64_t bytes) const override { return bytes == 4 || bytes == 8 || bytes == 16; }
  void copy_async(OpBuilder& b, Location loc, Value to, int64_t to_offset, Value from, int64_t from_offset, int64_t bytes, Value in_range) const override {
    if (to_offset) to = moved(b, loc, to, to_offset);
    if (from_offset) from = moved(b, loc, from, from_offset);
    // Past the first-level cache where that is possible: each byte is read once by a block.
    std::string name = std::string("llvm.nvvm.cp.async.") + (bytes == 16 ? "cg" : "ca") + ".shared.global." + std::to_string(bytes);
    SmallVector<Value> args{to, from};
    if (in_range) {  // what is not read becomes 0
      name += ".s";
      args.push_back(LLVM::SelectOp::create(b, loc, in_range, constant(b, loc, bytes), constant(b, loc, 0)));
    }
    LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr(name), args);
  }
  void commit_copies(OpBuilder& b, Location loc) const override { LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr("llvm.nvvm.cp.async.commit.group"), ValueRange{}); }
  void wait_copies(OpBuilder& b, Location loc, int64_t pending) const override {
    LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr("llvm.nvvm.cp.async.wait.group"), ValueRange{constant(b, loc, pending)});
  }

  /// ex2.approx: at most 2 ulp off (CUDA C++ Programming Guide, "Mathematical Functions"), which is exp2's bound.
  Value special(OpBuilder& b, Location loc, StringRef kind, ValueRange x) const override {
    return kind == "exp2" ? intrinsic(b, loc, "llvm.nvvm.ex2.approx", b.getF32Type(), x) : Value();
  }

 private:
  static SmallVector<Value> parts(OpBuilder& b, Location loc, Value all, size_t count) {
    SmallVector<Value> list;
    for (size_t i = 0; i < count; ++i) list.push_back(LLVM::ExtractValueOp::create(b, loc, all, ArrayRef<int64_t>{int64_t(i)}));
    return list;
  }
  static Value intrinsic(OpBuilder& b, Location loc, const char* name, Type type, ValueRange args) {
    return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name), args).getResult(0);
  }
  static Value assembly(OpBuilder& b, Location loc, Type result, ValueRange operands, const std::string& text, const std::string& constraints, bool effects) {
    auto op = LLVM::InlineAsmOp::create(b, loc, result, operands, StringRef(text), StringRef(constraints), effects, false, LLVM::tailcallkind::TailCallKind::None,
                                        LLVM::AsmDialectAttr(), ArrayAttr());
    return result ? op.getResult(0) : Value();
  }
  static Value moved(OpBuilder& b, Location loc, Value pointer, int64_t bytes) {
    return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer, ArrayRef<LLVM::GEPArg>{LLVM::ConstantOp::create(b, loc, b.getI64Type(), bytes).getResult()});
  }
  static const char* space_name(Space space) { return space == Space::global ? "global" : "shared"; }
  static const char* vector_name(size_t count) { return count == 1 ? "" : count == 2 ? ".v2" : ".v4"; }
  static std::string offset_text(int64_t offset) { return offset ? (offset > 0 ? "+" : "") + std::to_string(offset) : ""; }
};

}  // namespace

std::unique_ptr<gpu::TargetInfo> target_info(const Target& target) { return std::make_unique<Instructions>(target); }

}  // namespace tine::nvptx
