// A random kernel: sources and their memory, the arrangement of each parameter, and an application that is made while
// the front end records it. Everything is decided by `Choices`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrangement.hpp"
#include "dsl/core/trace.hpp"
#include "dsl/include/tine/dtype.hpp"

namespace tine::fuzz {

/// Memory that one or more sources lie in.
struct Buffer {
  DType type = DType::i32;
  int64_t elements = 0;
  std::vector<std::byte> data;
};

struct Source {
  DType type = DType::i32;
  bool scalar = false;
  uint64_t bits = 0;  ///< of scalars
  Dims shape, strides;
  int buffer = 0;
  int64_t base = 0;      ///< element of the buffer at index 0, 0, ...
  bool output = false;   ///< the application may store to it
  bool special = false;  ///< holds infinities and NaN too
};

struct Parameter {
  int source = 0;
  Arrangement arrangement;
  double other = 0;
  bool has_other = false;
};

/// How far what was stored to a source may be from the reference.
struct Accuracy {
  double ulps = 0;           ///< representable values of the source's type
  bool signed_zeros = true;  ///< the sign of a zero is determined
};

class Program {
 public:
  explicit Program(Choices& choices);
  Program(const Program&) = delete;

  std::vector<Buffer> buffers;
  std::vector<Source> sources;
  std::vector<Parameter> parameters;

  /// Runs the front end. The same choices give the same graph. Throws what the front end throws, and std::logic_error
  /// if its shapes or index maps are not those of `Arrangement`.
  graph::Graph trace();
  const std::vector<Accuracy>& accuracies() const { return accuracies_; }  ///< of each source, after `trace`
  /// Whether the result does not depend on which of several stores to one element comes last, and so on: no lane of a
  /// store shares memory with another, and no program touches what another stores.
  bool determined(const graph::Graph&) const;
  bool products() const { return products_; }  ///< most of the application is products of matrices
  /// The first two parameters are factors, cut into blocks along what is summed over: levels [i, j], [block], [rows,
  /// columns].
  bool blocks() const { return blocks_; }
  std::string text() const;

 private:
  friend class Application;
  static void run(const void* program);
  void make_buffers();
  void add_source(Dims shape, bool output, std::optional<DType> type = {});
  Dims add_factors();
  Parameter fitting(const Dims& grid, const Parameter* lead, bool output);

  Choices& choices_;
  bool products_ = false, blocks_ = false;
  bool aligned_ = false;            // memory of sources as wide accesses want it
  std::size_t application_at_ = 0;  // choices from here on belong to the arrangement's symbols and the application
  std::vector<Accuracy> accuracies_;
};

}  // namespace tine::fuzz
