// The registry of what the front end refuses while it runs. (What the C++ compiler refuses are the static_asserts in the
// headers, each of whose sentences begins with "tine:".) A test fails when one of either has no test that provokes it.
// Messages are lower case, without a full stop, code in backticks, the situation first and a hint after it.
#pragma once
#include <initializer_list>
#include <string>

#include "dsl/include/tine/error.hpp"

namespace tine::core {

#define TINE_DIAGNOSTICS(X)                                                                                               \
  /* arrangement */                                                                                                       \
  X(level_missing, "there is no level {}; the tensor has {} of them")                                                     \
  X(too_many_levels, "a tensor has at most {} levels")                                                                    \
  X(dim_missing, "dim {} does not exist; there are {}")                                                                   \
  X(dim_twice, "dim {} is named twice")                                                                                   \
  X(sizes_count, "{} sizes are given for {} dims")                                                                        \
  X(options_count, "{} {} are given for {} dims")                                                                         \
  X(not_positive, "{} of dim {} is {}, not positive")                                                                     \
  X(negative_size, "size {} of dim {} is negative")                                                                       \
  X(expand_not_one, "dim {} has size {}, which is neither 1 nor {}")                                                      \
  X(squeeze_not_one, "dim {} has size {}, not 1")                                                                         \
  X(permute_count, "{} dims are named of {}; a permutation names each once")                                              \
  X(flatten_empty, "the range of dims from {} to {} is empty")                                                            \
  X(pad_count, "{} pairs are given for {} dims")                                                                          \
  X(pad_negative, "dim {} would have size {}")                                                                            \
  X(slice_too_many, "{} indices are given for {} dims")                                                                   \
  X(slice_two_ellipses, "only one ellipsis is allowed")                                                                   \
  X(slice_step_zero, "the step of dim {} is 0")                                                                           \
  X(slice_index, "index {} does not lie within size {} of dim {}")                                                        \
  X(slice_sign, "the bound {} of dim {} may be of either sign, which Python's rules read in two ways; write nt::max(bound, 0)") \
  X(not_a_number, "`whole` and `keep` are no numbers here")                                                               \
  X(size_too_large, "this size is an expression of {} operations, nested {} deep; the most are {} and {}")                \
  X(size_foreign, "this size belongs to another run of an arrangement; sizes live only while their kernel is being made") \
  X(size_not_known, "{} is known only at the call; nt::range, nt::if_ and nt::where work on such sizes")                  \
  X(view_foreign, "this is not an arranged parameter of this kernel")                                                     \
  X(grid_shapes, "the outermost shapes of the parameters differ:{}")                                                      \
  X(require_fails, "{} does not hold")                                                                                    \
  X(names_wrong, "`{}` is not a name for a parameter, or names two")                                                      \
  /* meta-parameters */                                                                                                   \
  X(block_local, "this block size is no member of the kernel, so that it has no name; use the member itself, or capture it by value") \
  X(block_candidates, "`{}` has {} candidates; it takes 1 to {}")                                                         \
  X(block_not_positive, "`{}` is {}; block sizes are positive")                                                           \
  X(config_unknown, "there is no meta-parameter `{}` (value {}); there are:{}")                                           \
  /* application */                                                                                                       \
  X(outside_trace, "tiles and sizes exist only while a kernel is being made")                                             \
  X(tile_foreign, "this tile belongs to another run of an application")                                                   \
  X(literal_range, "{} does not fit into {}")                                                                             \
  X(shapes_differ, "shapes {} and {} do not broadcast together")                                                          \
  X(store_shape, "a value of shape {} does not fit a tile of shape {}")                                                   \
  X(assign_shape, "a variable of shape {} cannot become {}; declare another variable")                                    \
  X(store_to_copy, "this is a copy of a place and cannot be stored to; take the parameter by reference (auto& p) and store to p or p[k], or copy the value with nt::load to have a variable") \
  X(stale_copy, "this copy of a parameter with levels is read after a store to the parameter; take it by reference (auto& p)") \
  X(axis_missing, "axis {} does not exist; the tile has {} dims")                                                         \
  X(axis_twice, "axis {} is named twice")                                                                                 \
  X(scope, "a tile that was made inside a loop or branch is used after it; declare a variable before and assign to it inside") \
  X(assign_in_condition, "the condition of `while_` assigns a variable; only its body may")                               \
  X(left_early, "`break`, `return`, `goto` or an exception leaves a recorded `{}`, whose body stands for all of its rounds; use nt::while_, nt::if_ or a mask") \
  X(nothing_stored, "the application stores to no parameter; a parameter is stored to by assigning to it, as in `c = acc;`") \
  X(source_dim, "dim {} does not exist; the source `{}` has {} dims")                                                     \
  X(program_dim, "dim {} does not exist; the grid has {} dims")                                                           \
  X(reshape_count, "shape {} does not have as many elements as {}")                                                       \
  X(reshape_unknown, "more than one size of a shape is left to be found")                                                 \
  X(broadcast_shape, "shape {} does not broadcast to {}")                                                                 \
  X(dot_shapes, "shapes {} and {} do not contract")                                                                       \
  X(function_name, "`{}` is not the name of a C++ function")                                                              \
  X(step_zero, "the step is 0")                                                                                           \
  X(not_pure, "two runs of the arrangement and application recorded different graphs; they may depend on nothing but the kernel's members")

enum class Diagnostic {
#define X(id, text) id,
  TINE_DIAGNOSTICS(X)
#undef X
};
const char* id(Diagnostic);
const char* text(Diagnostic);
int diagnostic_count();

/// What a message is about. Empty parts are left out.
struct Subject {
  std::string kernel, operation, parameter, shape;
  Loc loc;
};
/// Throws a UserError: "`kernel`: `operation` of `parameter`: text; its shape is shape".
[[noreturn]] void fail(Diagnostic, std::initializer_list<std::string> arguments, const Subject&);

}  // namespace tine::core
