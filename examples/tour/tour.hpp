// The stations of the tour, and what they have in common.
#pragma once
#include <string>
#include <utility>

#include "examples/tour/measure.hpp"
#include "examples/tour/table.hpp"

namespace tour {

/// What the stations work on: a model of 1.5 billion parameters, or one that an emulated device gets through.
struct Sizes {
  int64_t tokens = 333, hidden = 1536, intermediate = 8960, heads = 12, key_heads = 2, head_dim = 128;
  int64_t image = 56, channels = 64;
};
inline constexpr Sizes small_sizes{77, 256, 696, 4, 2, 64, 14, 32};

struct Tour {
  std::string device = "cpu";
  bool quiet = false;
  Table table;
  Tour(std::string d, bool q) : device(std::move(d)), quiet(q), table(q) {}
  bool emulated() const { return device.starts_with("emulated:"); }
  Sizes sizes() const { return emulated() ? small_sizes : Sizes{}; }
};

// Kernels, each checked against f64.
void vectors(Tour&);
void rows(Tour&);
void products(Tour&);
void attention_and_convolution(Tour&);
void layer(Tour&);

/// Runs `kernel` on these arguments: compiles, checks, times. `check` compares what the first call stored; `Row` comes
/// with its name, shapes, and bytes or operations.
template <class K, class Check, class... A>
void visit(Tour& tour, Row row, const K& kernel, const Check& check, A&&... arguments) {
  try {
    auto callable = tine::make(kernel);
    callable.device(tour.device.c_str());
    row.programs = callable.programs(arguments...);
    row.config = callable.config();
    const tine::JitStatistics before = tine::jit_statistics();
    const double first_ms = once_ms([&] { callable(arguments...); });
    const tine::JitStatistics after = tine::jit_statistics();
    row.compile_ms = static_cast<double>(after.compile_ns + after.load_ns - before.compile_ns - before.load_ns) * 1e-6;
    row.difference = check();
    // The machine's time says nothing of a GPU's: one run is enough.
    row.run_ms = tour.emulated() ? first_ms - row.compile_ms : median_ms([&] { callable(arguments...); });
  } catch (const std::exception& e) {
    row.problem = e.what();
  }
  tour.table.add(row);
}

template <class T>
constexpr const char* type_name = "f32";
template <>
inline constexpr const char* type_name<tine::f16> = "f16";
template <>
inline constexpr const char* type_name<tine::bf16> = "bf16";

/// "333x1536", from the sizes.
template <class... I>
std::string shape(I... sizes) {
  std::string text;
  ((text += (text.empty() ? "" : "x") + std::to_string(sizes)), ...);
  return text;
}

}  // namespace tour
