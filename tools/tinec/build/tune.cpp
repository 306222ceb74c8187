#include "tools/tinec/build/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>

#include "runtime/aot/pack.hpp"
#include "runtime/jit/kernel.hpp"
#include "tine/narrow.hpp"
#include "tools/tinec/build/tuning.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

using tine::Argument;
using tine::DType;
using tine::graph::Graph;
constexpr std::size_t max_configs = 256;
constexpr double patience_ms = 50;  // for one config and shape

struct Tensor {
  std::unique_ptr<std::byte, decltype(&std::free)> memory{nullptr, &std::free};
  std::vector<int64_t> dims;
};

// Numbers from 1/2 to 1 of either sign, as elements of any type.
void fill(Tensor& t, DType type, std::size_t elements, std::mt19937& random) {
  std::byte* at = t.memory.get();
  for (std::size_t i = 0; i < elements; ++i) {
    const uint32_t bits = random();
    const double value = (bits & 1 ? 1.0 : -1.0) * (0.5 + 0.5 * (bits >> 8) / 16777216.0);
    const auto put = [&](auto x) {
      std::memcpy(at, &x, sizeof x);
      at += sizeof x;
    };
    switch (type) {
      case DType::f16: put(tine::from_float<tine::f16>(value)); break;
      case DType::bf16: put(tine::from_float<tine::bf16>(value)); break;
      case DType::f8e4m3fn: put(tine::from_float<tine::f8e4m3fn>(value)); break;
      case DType::f8e5m2: put(tine::from_float<tine::f8e5m2>(value)); break;
      case DType::f32: put(static_cast<float>(value)); break;
      case DType::f64: put(value); break;
      default: {  // small integers; of bool 0 and 1
        const int64_t number = type == DType::b1 ? bits & 1 : bits % 7 + 1;
        std::memcpy(at, &number, static_cast<std::size_t>(tine::bytes(type)));
        at += tine::bytes(type);
      }
    }
  }
}

std::vector<Argument> make_arguments(const Graph& g, const Named<std::vector<int64_t>>& shapes,
                                     std::vector<Tensor>& tensors) {
  std::mt19937 random(1);
  std::vector<Argument> out;
  tensors.resize(g.sources.size());
  for (std::size_t s = 0; s < g.sources.size(); ++s) {
    const auto& source = g.sources[s];
    const auto type = static_cast<DType>(source.type);
    Argument a;
    a.type = static_cast<uint8_t>(type);
    a.rank = static_cast<uint8_t>(source.rank);
    const auto given =
        std::find_if(shapes.begin(), shapes.end(), [&](const auto& item) { return item.first == source.name; });
    if (source.rank > 0) {
      if (given == shapes.end() || static_cast<int>(given->second.size()) != source.rank)
        throw Failure("`tune` gives no shape of rank " + std::to_string(source.rank) + " for " + ticked(source.name) +
                      " of " + ticked(g.kernel));
      Tensor& t = tensors[s];
      t.dims = given->second;
      std::size_t elements = 1;
      for (const int64_t n : given->second) elements *= static_cast<std::size_t>(n);
      std::vector<int64_t> strides(t.dims.size(), 1);
      for (std::size_t d = t.dims.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * t.dims[d];
      t.dims.insert(t.dims.end(), strides.begin(), strides.end());
      const std::size_t size = (elements * static_cast<std::size_t>(tine::bytes(type)) + 63) / 64 * 64;
      t.memory.reset(static_cast<std::byte*>(std::aligned_alloc(64, std::max<std::size_t>(size, 64))));
      if (!t.memory) throw Failure("there is no memory for the tensors of `tune`");
      fill(t, type, elements, random);
      a.data = t.memory.get();
      a.dims = t.dims.data();
    } else {  // 1
      const float f = 1;
      const double d = 1;
      if (type == DType::f32)
        std::memcpy(&a.scalar, &f, sizeof f);
      else if (type == DType::f64)
        std::memcpy(&a.scalar, &d, sizeof d);
      else if (type == DType::f16)
        a.scalar = tine::from_float<tine::f16>(1).bits;
      else if (type == DType::bf16)
        a.scalar = tine::from_float<tine::bf16>(1).bits;
      else
        a.scalar = 1;
    }
    out.push_back(a);
  }
  return out;
}

// The least time of a call, after one that warms up.
double measure_ns(const tine::jit::Kernel& kernel, const std::vector<Argument>& arguments) {
  using clock = std::chrono::steady_clock;
  kernel.checked_call(arguments);
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int round = 0; round < 3 || (round < 1000 && spent < patience_ms * 1e6); ++round) {
    const auto start = clock::now();
    kernel.checked_call(arguments);
    const double ns = std::chrono::duration<double, std::nano>(clock::now() - start).count();
    best = std::min(best, ns);
    spent += ns;
  }
  return best;
}

// All ways to choose one of each meta-parameter's values: those of the request, else the kernel's candidates.
std::vector<Config> configs_of(const KernelRequest& k, const Graph& standard) {
  std::vector<Config> out = {{}};
  for (const auto& m : standard.metas) {
    std::vector<int64_t> values = m.candidates;
    for (const auto& [name, wanted] : k.metas)
      if (name == m.name) values = wanted;
    std::vector<Config> longer;
    for (const Config& c : out)
      for (const int64_t v : values) {
        longer.push_back(c);
        longer.back().emplace_back(m.name, v);
      }
    out = std::move(longer);
    if (out.size() > max_configs)
      throw Failure("kernel " + ticked(standard.kernel) + " has more than " + std::to_string(max_configs) +
                    " configs to measure; choose values with `set`");
  }
  return out;
}

std::string text_of(const Config& c) {
  std::string out;
  for (const auto& [name, value] : c) out += " " + name + "=" + std::to_string(value);
  return out;
}

}  // namespace

std::string tune(const Request& request, Tracer& tracer, const std::string& file) {
  std::vector<TuningEntry> entries;
  for (const KernelRequest& k : request.kernels)
    for (const std::string& expression : expressions_of(k)) tracer.announce(k.header, {expression}, false);
  for (const KernelRequest& k : request.kernels) {
    if (k.tune.empty()) continue;
    for (const std::string& expression : expressions_of(k)) {
      const Graph standard = tracer.trace(k.header, expression, false, {});
      tine::jit::Kernel kernel(
          [&](const tine::jit::Config& config) { return tracer.trace(k.header, expression, false, config); });
      for (const auto& [key, values] : k.options) kernel.set_option(key, values[0]);
      for (const auto& shapes : k.tune) {
        std::vector<Tensor> tensors;
        const std::vector<Argument> arguments = make_arguments(standard, shapes, tensors);
        TuningEntry best;
        best.ns = std::numeric_limits<double>::infinity();
        for (const Config& config : configs_of(k, standard)) {
          for (const auto& [name, value] : config) kernel.set_meta(name, value);
          const double ns = measure_ns(kernel, arguments);
          if (!Progress::silent())
            std::fprintf(stderr, "tune %s%s: %.1f us\n", printable(standard.kernel).c_str(), text_of(config).c_str(),
                         ns / 1000);
          if (ns >= best.ns) continue;
          best.ns = ns;
          best.metas = config;
        }
        best.identity = tine::graph::hash(standard);
        best.kernel = standard.kernel;
        best.device = tine::aot::device_cpu;
        best.shapes = shapes;
        for (const auto& [key, values] : k.options) best.options.emplace_back(key, values[0]);
        entries.push_back(std::move(best));
      }
    }
  }
  if (entries.empty()) throw Failure("`--tune` needs shapes: `tune` in a description's kernels names them");
  // What was measured before and is not measured now stays.
  std::error_code error;
  for (const std::string& older : {request.tuning, file}) {
    if (older.empty() || !std::filesystem::exists(older, error)) continue;
    for (const TuningEntry& e : Tuning(older).all())
      if (std::none_of(entries.begin(), entries.end(), [&](const TuningEntry& n) {
            return n.kernel == e.kernel && n.device == e.device && n.shapes == e.shapes;
          }))
        entries.push_back(e);
  }
  write_file(file, tuning_text(entries));
  return file;
}

}  // namespace tinec::builder
