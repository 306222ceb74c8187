#include "codegen/cpu/operands.hpp"
#include "codegen/cpu/memory.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tine::cpu {
namespace {

// A record's words of 8 bytes; the strides of a follow.
enum Word : int64_t { word_groups, word_sums, word_a, word_strides };

int64_t record_words(const Product& p) { return word_strides + int64_t(p.c.shape.size()) - 1; }

}  // namespace

Value place_entry(Frame& f, const Place& place, ArrayRef<Value> entry, Type element) {
  Value o = f.i64(0);
  for (size_t d = 0; d < entry.size(); ++d) o = add(f, o, mul(f, entry[d], place.strides[d]));
  return element_at(f, place.base, element, o);
}

Value Operands::record(Product& p, Value slot) const {
  int64_t pitch = int64_t(llvm::alignTo(uint64_t(record_words(p)), 8));
  return element_at(p.f, records_, p.f.b.getI64Type(), mul(p.f, slot, p.f.i64(pitch)));
}

Operands::Operands(Product& p) : packed_(pack_b(p)) {
  Frame& f = p.f;
  if (p.flip_a) sums_ = sum_columns(p, packed_);
  a_ = place_a(p);
  if (!p.rounds) return;
  records_ = f.allocate_records(p.rounds->count, record_words(p));
  SmallVector<Value> words(size_t(record_words(p)));
  words[word_groups] = p.groups();
  if (p.flip_a) words[word_sums] = sums_.base;
  words[word_a] = a_.panels ? a_.panels->base : a_.rows.base;
  for (size_t d = 0; !a_.panels && d + 1 < a_.rows.strides.size(); ++d) words[word_strides + d] = a_.rows.strides[d];
  Value at = record(p, p.rounds->now);
  for (auto [i, word] : llvm::enumerate(words))
    if (word) LLVM::StoreOp::create(f.b, f.loc, word, element_at(f, at, f.b.getI64Type(), f.i64(int64_t(i))), 8);
}

Operands::Round Operands::round(Product& p, Value slot, ArrayRef<Value> entry) const {
  Frame& f = p.f;
  Round r;
  Place a = a_.rows;
  Buffer sums = sums_, panels = packed_.panels;
  if (a_.panels) a.base = a_.panels->base;
  if (slot) {
    Value at = record(p, slot);
    auto word = [&](int64_t i, Type type) -> Value {
      return LLVM::LoadOp::create(f.b, f.loc, type, element_at(f, at, f.b.getI64Type(), f.i64(i)), 8);
    };
    r.groups = word(word_groups, f.b.getI64Type());
    if (p.flip_a) sums.base = word(word_sums, f.ptr_type());
    a.base = word(word_a, f.ptr_type());
    for (size_t d = 0; d + 1 < a.strides.size(); ++d) a.strides[d] = word(word_strides + int64_t(d), f.b.getI64Type());
    panels.base = element_at(f, packed_.first, p.unit, mul(f, slot, mul(f, packed_.rows, f.i64(p.width()))));
  } else {
    r.groups = p.groups();
  }
  r.a = a_.panels ? a.base : place_entry(f, a, entry, p.storage());
  if (!a_.panels) r.a_pitch = a.strides[a.strides.size() - 2];
  r.b = entry_of(f, panels, entry);
  if (p.flip_a) r.sums = entry_of(f, sums, entry);
  return r;
}

}  // namespace tine::cpu
