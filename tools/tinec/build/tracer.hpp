// Graphs of a request's kernels: each header is compiled once, and not at all while nothing that it depends on has
// changed since the last build.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dsl/graph/graph.hpp"
#include "tools/tinec/kernel_module.hpp"

namespace tinec::builder {

class Tracer {
 public:
  /// `folder` keeps what earlier builds found.
  Tracer(std::string folder, const CxxOptions&);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  /// All expressions that will be asked for; with `exports` also what the header exports.
  void announce(const std::string& header, const std::vector<std::string>& expressions, bool exports);
  /// Names of what the header exports; each can be asked for as an expression of `trace`, with `exported` set.
  std::vector<std::string> exports(const std::string& header);
  tine::graph::Graph trace(const std::string& header, const std::string& expression, bool exported, const Config&);
  /// Writes down what was found.
  void save();
  /// Names of the files in `folder`/graphs, without `.graph`, that later builds will ask for.
  std::set<std::string> graphs() const;
  /// Every file that a graph depends on.
  std::vector<std::string> files() const;
  /// Headers that the C++ compiler has read in this build.
  int compiled() const;

 private:
  struct Header;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tinec::builder
