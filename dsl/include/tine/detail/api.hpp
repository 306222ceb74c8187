// The compiled core as the thin headers call it: plain types and functions. Not for users.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "tine/detail/op.hpp"
#include "tine/dtype.hpp"
#include "tine/error.hpp"
#include "tine/loc.hpp"
#include "tine/size.hpp"

namespace tine {

enum class Mode : uint8_t { ceil, floor };

/// Arguments of `tile` beyond the sizes. Strides left out are the tile's sizes, dilation left out is 1.
struct TileOptions {
  std::initializer_list<Size> strides = {}, dilation = {};
  Mode mode = Mode::ceil;
};

/// Elements added before and after a dim; negative amounts crop.
struct Pad {
  Size before = 0, after = 0;
};

namespace core {

/// One item of a slice.
struct Index {
  enum Kind : uint8_t { integer, slice, newaxis, ellipsis } kind = slice;
  bool has_start = false, has_stop = false;
  Size start = 0, stop = 0;
  int64_t step = 1;
};

/// A tile in a trace. id: the statement that made it; ref: the place it was taken from. Either may be -1.
struct Handle {
  int32_t id = -1, ref = -1;
  uint32_t trace = 0;
  bool copied = false;  ///< a copy of a place: not to be stored to
};

/// An argument of an operation.
struct Operand {
  enum Kind : uint8_t { tile, integer, natural, real, size, condition } kind;
  DType type;
  Handle handle = {};
  int64_t integer_value = 0;  ///< of natural: the bits of a uint64_t
  double real_value = 0;
  Size size_value = 0;
  Condition condition_value = {};
};

/// A function in another language.
struct Foreign {
  const char *name, *source;
  Loc loc;  ///< where it was named
  DType result;
  const DType* parameters;
  int count;
};

// ---- arrangement. A view is a number that the trace gave out.
int32_t view_source(int source, int rank);
int32_t view_tile(int32_t v, int level, const Size* sizes, std::size_t n, const TileOptions&, Loc);
int32_t view_expand(int32_t v, int level, const Size* shape, std::size_t n, Loc);
int32_t view_squeeze(int32_t v, int level, const int* dims, std::size_t n, Loc);
int32_t view_unsqueeze(int32_t v, int level, int dim, Loc);
int32_t view_permute(int32_t v, int level, const int* order, std::size_t n, Loc);
int32_t view_flatten(int32_t v, int level, int start, int end, Loc);  // end -1 << 20: to the end
int32_t view_ravel(int32_t v, int level, Loc);
int32_t view_pad(int32_t v, int level, const Pad*, std::size_t n, Loc);
int32_t view_slice(int32_t v, int level, const Index*, std::size_t n, Loc);
int32_t view_other(int32_t v, const Operand&, Loc);
Size view_size(int32_t v, int level, int dim, Loc);
/// The arrangement has returned these views (of scalars: -1 - source). True if the application is wanted.
bool arranged(const int32_t* views, int n);

// ---- application
Handle binary(Op, DType operands, DType result, const Operand&, const Operand&, Loc);
Handle ternary(Op, DType operands, DType result, const Operand&, const Operand&, const Operand&, Loc);
Handle unary(Op, DType operand, DType result, const Operand&, Loc);
Handle where(DType, const Operand& condition, const Operand&, const Operand&, Loc);
Handle convert(DType, const Operand&, int mode, Loc);
Handle copy(const Handle&, Loc);
void assign(const Handle& variable, const Handle& value, Loc);
void store(const Handle& place, const Handle& value, Loc);
[[noreturn]] void store_to_copy(const Handle& place, Loc);
Handle parameter(int param);
Handle copy_place(const Handle&, bool is_tile, Loc);
Handle cell(const Handle&, const Handle* index, int n, bool is_tile, Loc);
Handle index(const Operand&, Loc);
void shape_of(const Handle&, int rank, Size* out);
void level_shape(const Handle&, int rank, Size* out);
Size size_of(const Handle&, int rank, int dim, Loc);
Size level_size(const Handle&, int rank, int dim, Loc);
Size source_size(const Handle&, int dim, Loc);
Size source_stride(const Handle&, int dim, Loc);
Handle valid(const Handle&, Loc);
Handle offsets(const Handle&, int dim, bool row_major, Loc);
Handle program_index(int dim, Loc);
Handle full(DType, const Size* shape, int n, const Operand&, Loc);
Handle arange(const Size& start, const Size& stop, int64_t step, Loc);
Handle new_axes(const Operand&, const bool* is_new, int n, Loc);
Handle permute(const Operand&, const int* order, int n, Loc);
Handle reshape(const Operand&, const Size* shape, int n, Loc);
Handle broadcast(const Operand&, const Size* shape, int n, Loc);
/// n axes; n 0 with `all`: every one. keep: leave dims of size 1.
Handle reduce(Op, DType operand, DType result, const Operand&, const int* axes, int n, bool all, bool keep, Loc);
Handle dot(DType a, DType b, DType result, const Operand&, const Operand&, int rank, int precision, Loc);
Handle foreign(const Foreign&, const Operand* arguments, Loc);
/// Bounds of a loop: integers or sizes. Returns the loop's index.
Handle open_for(const Operand& start, const Operand& stop, const Operand& step, Loc);
void open_if(const Operand& condition, Loc);
void open_else();
void open_while(Loc);
void while_body(const Operand& condition, Loc);
void close_structure();
/// A structure was left otherwise than through its end: refused when the trace is over.
void left_early(const char* what, Loc);

// ---- definitions
struct Definition;
struct SourceType { DType type; int rank; };
struct Member { std::size_t offset; const char* name; std::size_t length; };
struct DefinitionInfo {
  const void* state;                      ///< a copy of the kernel
  std::size_t size;
  void (*run)(const void* kernel);        ///< arrangement, then application if `arranged` says so
  void (*destroy)(const void* kernel);
  const char* pretty;                     ///< contains "K = <type>"
  const SourceType* sources;
  int source_count;
  const char* const* names;               ///< of the parameters; null: p0, p1, ...
  const Member* members;                  ///< the `BlockSize` members whose names are known
  int member_count;
  bool all_members_named;
};
TINE_API Definition* define(const DefinitionInfo&);
TINE_API void retain(Definition*);
TINE_API void release(Definition*);

}  // namespace core
}  // namespace tine
