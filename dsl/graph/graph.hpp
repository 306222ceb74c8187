// The graph: what running a kernel's arrangement and application records. It is the contract between the front end
// (which writes it), the compiler (which lowers it), the reference evaluator (which runs it) and every cache key
// (which is built from its hash). Plain data; block sizes are numbers in it already, tensor sizes are still symbols.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "dsl/graph/expr.hpp"
#include "dsl/include/tine/detail/op.hpp"
#include "dsl/include/tine/dtype.hpp"

namespace tine::graph {

/// Version of the serialised form. Raise it with every change of meaning.
inline constexpr uint32_t format_version = 2;

using tine::bytes;
using tine::DType;
using tine::is_float;
using tine::is_unsigned;
const char* name(DType);                         ///< "bool", "i8", ..., "f64"

/// A place in the user's source. `file` indexes `Graph::files`; line 0 means unknown.
struct Loc { int32_t file = -1; int32_t line = 0; };

using core::Op;                                  ///< listed and described in dsl/include/tine/detail/op.hpp
const char* name(Op);

using Shape = std::vector<Ex>;

/// One SSA value, or a structure that owns regions.
/// for_: args {start, stop, step, carried...}, one region with inputs {loop_var, iter_arg...} and yields {carried...}. It has
///   the rounds of Python's range, of mathematical integers; a step of 0, which only a run can bring, makes none.
/// while_: args {carried...}; one region with inputs {iter_arg...} and yields {condition, carried...}; the nodes before
///   `split` (a position in the region's list) compute the condition, the rest is the body.
/// if_: args {condition}, two regions, yields of both {carried...}.
/// The `result` nodes of a structure (args {structure}, attr = which) stand in `results` and in no region's list.
struct Node {
  Op op{};
  DType type{};
  Shape shape;
  std::vector<int32_t> args;
  int64_t attr = 0, attr2 = 0;
  int64_t integer = 0;
  double real = 0;
  Ex expr;
  std::vector<int64_t> list;
  int32_t region = 0;
  std::vector<int32_t> regions, results;
  int64_t split = 0;
  Loc loc;
};

/// Nodes in execution order. Region 0 is the application.
struct Region { int32_t owner = -1; std::vector<int32_t> nodes, inputs, yields; };

/// What the caller passes: a tensor, or (rank 0) a scalar by value.
struct Source {
  std::string name;
  DType type{};
  int rank = 0;
  bool stored = false;  ///< the application stores to it
  bool loaded = false;  ///< the application loads from it
};

/// One index must lie in [0, size) (or, without `low`, below size) for the element to be in range.
struct Bound { Ex index, size; bool low = true; Loc loc; };

/// An arranged parameter, as the application sees it. `coords` names the source element, one expression per source dim,
/// over `Sym::var(param, flat axis)` of this parameter, sizes and strides; `bounds` are all the conditions that are not
/// proved. Axes of extent 1 are 0 in the expressions.
struct Param {
  int source = 0;
  std::vector<Shape> levels;  ///< outermost first; the last is the tile (a rank-0 tile if there is one level only)
  std::vector<Ex> coords;
  std::vector<Bound> bounds;
  double other = 0;           ///< what out-of-range lanes load
  Loc loc;
};

/// Must hold at the call.
struct Check {
  enum Kind : uint8_t { equal, not_equal, less, less_equal, one_or_equal /* a is 1 or b */, in_range /* 0 <= a < b */, nonneg, positive } kind{};
  Ex a, b;
  std::string what;  ///< the operation in the user's words: "tile", "squeeze", "grid", "require", "add", ...
  int source = -1;   ///< the source concerned, -1 if none
  int dim = -1;      ///< the dim concerned, -1 if none
  Loc loc;
};

/// A meta-parameter, with the value that this graph was traced under.
struct Meta { std::string name; int64_t value = 0; std::vector<int64_t> candidates; };

/// A device function of the user's, in CUDA C++.
struct Foreign {
  std::string name, source;
  std::vector<DType> parameters;
  DType result{};
  Loc loc;  ///< of the definition: the source's first line
};

struct Graph {
  Pool pool;
  std::string kernel;                 ///< the kernel type's name, in the user's words
  std::vector<Source> sources;        ///< in the order of the arrangement's parameters: what the caller passes
  std::vector<Param> params;          ///< in the order of the application's parameters
  std::vector<Meta> metas;
  Shape grid;                         ///< number of programs along each dim; empty: one program
  std::vector<Check> checks;
  std::vector<Node> nodes;
  std::vector<Region> regions;
  std::vector<Foreign> foreign;
  std::vector<std::string> files;     ///< of locations
};

/// For people; also the `graph` stage of `tinec emit`. With `locations`, each line ends with the user's file and line.
std::string text(const Graph&, bool locations = false);
/// The bytes that identify the graph: the same from every compiler and run. Locations, `files`, pool ids and `kernel`, whose
/// spelling is the compiler's, are not in them.
std::vector<std::byte> canonical_bytes(const Graph&);
/// 128-bit hash of `canonical_bytes`, as 32 lower-case hexadecimal digits.
std::string hash(const Graph&);
/// Everything, locations included.
std::vector<std::byte> serialize(const Graph&);
/// Throws std::runtime_error for bytes that are not a graph of this version; never reads outside them.
Graph deserialize(std::span<const std::byte>);

}  // namespace tine::graph
