// The calls of the typed headers that concern places: parameters, elements of their levels, and what is known of them; see
// dsl/include/tine/detail/api.hpp.
#include <string_view>

#include "dsl/core/tracer.hpp"

namespace tine::core {
namespace {
std::string str(int64_t v) { return std::to_string(v); }
}  // namespace

Handle parameter(int param) {
  Tracer& t = Tracer::get({});
  return {-1, param, t.number, false};  // the first refs are the parameters
}
Handle copy_place(const Handle& h, bool is_tile, Loc loc) {
  const std::string_view file = loc.file, ours = "tine/define.hpp";
  if (file.ends_with(ours))
    loc = {};  // an application that takes its parameter by value: the copy is in no line of the user's
  Tracer& t = Tracer::get(loc);
  Handle c{-1, h.ref, t.number, true};
  Ref r = t.ref(h, loc);
  if (is_tile) {
    c.id = h.id >= 0 ? h.id : t.load(h.ref, loc);
  } else if (r.copied_at < 0) {
    r.copied_at = int32_t(t.statements.size());
    t.refs.push_back(std::move(r));
    c.ref = int32_t(t.refs.size()) - 1;
  }
  return c;
}
Handle cell(const Handle& h, const Handle* index, int n, bool is_tile, Loc loc) {
  Tracer& t = Tracer::get(loc);
  Ref r = t.ref(h, loc);
  for (int i = 0; i < n; ++i) r.index.push_back(t.read(index[i], loc));
  t.refs.push_back(std::move(r));
  Handle c{-1, int32_t(t.refs.size()) - 1, t.number, h.copied};
  if (is_tile) c.id = t.load(c.ref, loc);  // naming an element reads it; a load that nobody uses is dropped
  return c;
}
Handle index(const Operand& o, Loc loc) {
  return convert(DType::i64, o, 0, loc);
}  // a copy: the index stays what it was

void shape_of(const Handle& h, int rank, Size* out) {
  Tracer& t = Tracer::get({});
  const Shape s = h.id >= 0 ? t.shape(t.read(h, {})) : t.tile_shape(t.ref(h, {}).param);
  for (int d = 0; d < rank; ++d) out[d] = t.to_size(s[std::size_t(d)]);
}
Size size_of(const Handle& h, int rank, int dim, Loc loc) {
  Tracer& t = Tracer::get(loc);
  const Shape s = h.id >= 0 ? t.shape(t.read(h, loc)) : t.tile_shape(t.ref(h, loc).param);
  return t.to_size(s[std::size_t(t.dim_of(dim, rank, Diagnostic::dim_missing, "size", loc))]);
}
namespace {
Shape next_level(Tracer& t, const Handle& h, Loc loc) {  // the outermost level not yet indexed
  const Ref& r = t.ref(h, loc);
  std::size_t used = 0;
  int level = 1;
  while (used < r.index.size()) used += t.level_shape(r.param, level++).size();
  return t.level_shape(r.param, level);
}
}  // namespace
void level_shape(const Handle& h, int rank, Size* out) {
  Tracer& t = Tracer::get({});
  Shape s = next_level(t, h, {});
  for (int d = 0; d < rank; ++d) out[d] = t.to_size(s[std::size_t(d)]);
}
Size level_size(const Handle& h, int rank, int dim, Loc loc) {
  Tracer& t = Tracer::get(loc);
  Shape s = next_level(t, h, loc);
  return t.to_size(s[std::size_t(t.dim_of(dim, rank, Diagnostic::dim_missing, "size", loc))]);
}
namespace {
int source_dim(Tracer& t, int param, int dim, const char* op, Loc loc) {
  const graph::Source& s = t.graph.sources[std::size_t(t.params[std::size_t(param)].source)];
  if (dim < -s.rank || dim >= s.rank) t.fail(Diagnostic::source_dim, {str(dim), s.name, str(s.rank)}, op, loc, param);
  return dim < 0 ? dim + s.rank : dim;
}
Size source_symbol(Sym kind, const Handle& h, int dim, const char* op, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int param = t.ref(h, loc).param;
  dim = source_dim(t, param, dim, op, loc);
  return t.to_size(t.pool.sym(kind, t.params[std::size_t(param)].source, dim));
}
}  // namespace
Size source_size(const Handle& h, int dim, Loc loc) { return source_symbol(Sym::size, h, dim, "size", loc); }
Size source_stride(const Handle& h, int dim, Loc loc) { return source_symbol(Sym::stride, h, dim, "stride", loc); }
Handle valid(const Handle& h, Loc loc) {
  Tracer& t = Tracer::get(loc);
  const Ref r = t.ref(h, loc);
  return t.handle(t.emit(Op::valid, DType::b1, t.tile_shape(r.param), r.index, loc, r.param));
}
Handle offsets(const Handle& h, int dim, bool row_major, Loc loc) {
  Tracer& t = Tracer::get(loc);
  const Ref r = t.ref(h, loc);
  const Shape tile = t.tile_shape(r.param);
  auto along = [&](int64_t d) { return t.emit(Op::offsets, DType::i64, tile, r.index, loc, r.param, d); };
  if (!row_major) return t.handle(along(source_dim(t, r.param, dim, "offsets", loc)));
  // Row-major position: ((i0 * size1) + i1) * size2 + i2 ..., in operations of the graph, so that no target needs
  // another.
  const int source = t.params[std::size_t(r.param)].source, rank = t.graph.sources[std::size_t(source)].rank;
  if (rank == 0) return t.handle(t.emit(Op::full, DType::i64, tile, {t.literal(DType::i64, 0, loc)}, loc));
  int32_t position = along(0);
  for (int d = 1; d < rank; ++d) {
    Operand extent{Operand::size, DType::i64};
    extent.size_value = t.to_size(t.pool.sym(Sym::size, source, d));
    const int32_t size = t.read(extent, loc);
    position = t.emit(Op::mul, DType::i64, tile, {position, size}, loc);
    position = t.emit(Op::add, DType::i64, tile, {position, along(d)}, loc);
  }
  return t.handle(position);
}
Handle program_index(int dim, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int n = int(t.graph.grid.size());
  return t.handle(t.emit(Op::program_index, DType::i64, {}, {}, loc,
                         t.dim_of(dim, n, Diagnostic::program_dim, "program_index", loc)));
}

}  // namespace tine::core
