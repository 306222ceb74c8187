// The recorder behind the typed headers. An application runs once; every operation appends a statement. Statements are
// not in SSA form: a tile is a variable, which `assign` changes; `resolve` builds SSA values and regions when the run
// is over.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "dsl/core/arrange.hpp"
#include "dsl/core/trace.hpp"

namespace tine::core {

using graph::Shape;

struct Statement {
  enum Kind : uint8_t {
    node,       ///< an operation; literals and sizes too
    copy,       ///< a new variable with the value of args[0]
    assign,     ///< variable args[0] takes the value of args[1]
    open,       ///< for_ (args: start, stop, step), if_ (args: condition), while_
    otherwise,  ///< the second branch of an if_ begins
    body,       ///< the body of a while_ begins; args[0] is its condition
    close
  } kind = node;
  Op op{};
  DType type{};
  Shape shape;
  std::vector<int32_t> args;
  int64_t attr = 0, attr2 = 0, integer = 0;
  double real = 0;
  Ex expr;
  std::vector<int64_t> list;
  Loc loc;
};

/// A place: a parameter, or an element of its levels at the indices in `index` (statements).
struct Ref {
  int param;
  std::vector<int32_t> index;
  int32_t copied_at = -1;  ///< of a copy of a place with levels: the statement after which it was made
};

/// An arranged parameter of the application.
struct TracedParam {
  int source = 0;
  bool scalar = false;
  ArrangedTensor tensor;  ///< of tensors
};

class Tracer {
 public:
  Tracer(const Definition&, const Config&, bool with_application);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  static Tracer& get(Loc);  ///< the trace in progress on this thread; a UserError if there is none
  static Tracer* current();

  const Definition& definition;
  const Config& config;
  bool with_application;
  uint32_t number;  ///< of this trace, so that tiles and sizes of another are recognised
  graph::Graph graph;
  Pool& pool;
  Arena arena;
  std::deque<ArrangedTensor> views;
  std::vector<TracedParam> params;
  std::vector<Statement> statements;
  Loc last_loc;  ///< of the last statement that has one: for those that cannot have one, such as &&
  std::vector<Ref> refs;
  struct StaleRead {
    int param;
    int32_t copied_at;
    Loc loc;
  };
  std::vector<StaleRead> stale_reads;
  std::vector<Op> open;  ///< structures not yet closed
  struct UsedMeta {
    std::size_t offset;
    graph::Meta meta;
    Loc loc;
  };
  std::vector<UsedMeta> metas;
  const char* early_exit = nullptr;  ///< the first structure that was left early
  Loc early_exit_loc;

  [[noreturn]] void fail(Diagnostic, std::initializer_list<std::string>, const char* op, Loc, int param = -1) const;
  /// A dim of n, from the end if it is negative; fails with the diagnostic (of dim and n) if there is none.
  int dim_of(int dim, int n, Diagnostic, const char* op, Loc) const;

  // sizes
  Ex size(const Size&, Loc);
  Ex size_or_automatic(const Size&, Loc);  ///< -1 and `whole` are ArrangedTensor::automatic
  Size to_size(Ex) const;
  int64_t block(const BlockSize&, Loc);
  void require(const Condition&, Loc);
  bool provably(Check::Kind, Ex a, Ex b);  ///< holds
  bool refuted(Check::Kind, Ex a, Ex b);   ///< cannot hold

  // arrangement
  int32_t keep(ArrangedTensor);
  const ArrangedTensor& view(int32_t, Loc) const;
  bool arranged(const int32_t* views, int n);
  std::string param_name(int param) const;

  // application
  Handle handle(int32_t statement) const { return {statement, -1, number, false}; }
  int32_t append(Statement);
  int32_t emit(Op, DType, Shape, std::vector<int32_t> args, Loc, int64_t attr = 0, int64_t attr2 = 0);
  int32_t literal(DType, int64_t, Loc);
  int32_t read(const Handle&, Loc);
  int32_t read(const Operand&, Loc);                      ///< in its own type
  int32_t convert(DType, const Operand&, int mode, Loc);  ///< may give the operand's own statement
  int32_t fresh(int32_t statement, const Operand&,
                Loc);  ///< another statement, if it is the operand's own: a new variable
  int32_t cast(DType, int32_t statement, int mode, Loc);
  const Shape& shape(int32_t s) const { return statements[std::size_t(s)].shape; }
  DType type(int32_t s) const { return statements[std::size_t(s)].type; }
  Shape broadcast(const Shape&, const Shape&, const char* op, Loc);
  void equal(Ex a, Ex b, Diagnostic, const Shape& x, const Shape& y, const char* op, Loc);
  Shape tile_shape(int param) const;
  Shape level_shape(int param, int level) const;
  const Ref& ref(const Handle&, Loc) const;
  int32_t load(int32_t ref, Loc);
  void store(const Handle&, int32_t value, Loc);
  void assign(int32_t variable, int32_t value, Loc);
  std::string shape_text(const Shape& s) const { return arena.text(s.data(), s.size()); }

  graph::Loc place(Loc);  ///< as a location of the graph
  graph::Graph finish();

 private:
  Tracer* outer_;
  void finish_checks();
  void finish_params();
};

/// Builds `graph.nodes` and `graph.regions` from the statements: SSA values, dead code dropped, and an order that does
/// not depend on the order in which a C++ compiler evaluated operands.
void resolve(Tracer&);

/// In the user's words: "+" for add.
const char* user_word(Op);

}  // namespace tine::core
