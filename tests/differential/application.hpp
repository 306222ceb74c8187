// Makes the application of a random kernel while the front end records it.
#pragma once
#include <algorithm>
#include <vector>

#include "dsl/core/tracer.hpp"
#include "program.hpp"

namespace tine::fuzz {

/// A dim of a tile: its size in this call, and whether the front end knows it.
struct Dim {
  int64_t size = 1;
  bool known = true;
  friend bool operator==(const Dim&, const Dim&) = default;
};

/// What is known about the numbers in a tile of floats, so that results can be compared strictly. `exact`: each is an
/// integer multiple of 2^-scale below `bound` in those units, so that sums and products in any order are exact. Others
/// are within `ulps` of the reference; they are only moved, and multiplied while `steps` lasts.
struct Numbers {
  bool exact = true;
  double bound = 0;
  int scale = 0;
  double ulps = 0;
  int steps = 1;
  bool signed_zeros = true;
};

struct Tile {
  core::Handle handle;
  DType type = DType::i32;
  std::vector<Dim> dims;
  Numbers numbers;
  bool variable = false;  ///< can be assigned
};

class Application {
 public:
  Application(Program& program, Choices& choices);
  void run();

 private:
  Tile read(int parameter, const std::vector<core::Handle>& index);
  Tile read(int parameter) { return read(parameter, indices(parameter)); }
  std::vector<core::Handle> indices(int parameter);
  core::Handle place(int parameter, const std::vector<core::Handle>& index);
  void store(int parameter);
  void store_as(const Tile&, int parameter);
  void statement();
  void expression();
  void loop();
  void branch();
  void repeat();
  void accumulate();
  Tile positions(const Tile&, std::size_t dim, const core::Handle& block);
  Tile masked(const Tile&, const Tile& positions, const Tile& limit, std::size_t dim);
  void body(int most);
  void assign(Tile& variable, const std::vector<std::size_t>& from);

  bool binary(const Tile& a, const Tile& b);
  bool unary(const Tile& a);
  bool ternary(const Tile& a, const Tile& b, const Tile& c);
  bool cast(const Tile& a);
  bool reduce(const Tile& a, bool all = false);
  bool reshape(const Tile& a);
  bool contract(Tile a, Tile b, bool as_is = false);
  Tile transposed(Tile a);
  bool make();

  Tile converted(const Tile& a, DType);
  Tile literal(DType);
  Tile source_size();
  /// The later values more often: they are made of the others.
  const Tile& any() {
    const int64_t n = int64_t(pool_.size());
    return pool_[static_cast<std::size_t>(choices_.below(3) ? n - 1 - choices_.below(std::min<int64_t>(n, 4))
                                                            : choices_.below(n))];
  }
  const Tile* scalar_integer();
  bool broadcast(const std::vector<Dim>& a, const std::vector<Dim>& b) const;
  void add(core::Handle, DType, Numbers);
  std::vector<Dim> dims_of(const core::Handle&) const;
  int64_t value_of(const Size&) const;

  Program& program_;
  Choices& choices_;
  core::Tracer& tracer_;
  std::vector<Tile> pool_;
  std::vector<core::Handle> loop_indices_;
  int depth_ = 0, budget_ = 0;
  std::vector<char> stored_;
};

}  // namespace tine::fuzz
