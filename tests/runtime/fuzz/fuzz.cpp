// Differential fuzzing: random kernels on random tensors, compiled code against the reference evaluator, bit for bit.
// Usage: tine-fuzz [FIRST_SEED [COUNT]]   (defaults 1 and 40). Prints every seed that fails; exit code 1 if any does.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "dsl/core/trace.hpp"
#include "kernel.hpp"
#include "runtime/reference/evaluate.hpp"
#include "tine/error.hpp"
#include "tine/host.hpp"
#include "tine/narrow.hpp"

namespace tine::fuzz {
namespace {

// A tensor in memory of its own, with guards around it.
struct Tensor {
  DType type;
  std::vector<int64_t> dims;  // sizes, then strides
  std::vector<unsigned char> memory;
  int64_t base = 0;  // of element 0, in elements
  uint64_t scalar = 0;
  Argument argument(std::vector<unsigned char>& in) const {
    return {in.data() + base * bytes(type),        dims.data(), scalar, static_cast<uint8_t>(type),
            static_cast<uint8_t>(dims.size() / 2), false};
  }
};

void fill(Random& r, DType t, unsigned char* p) {
  uint64_t bits = static_cast<uint64_t>(r.below(1 << 30)) << 34 ^ static_cast<uint64_t>(r.below(1 << 30)) << 10 ^
                  static_cast<uint64_t>(r.below(1024));
  if (r.chance(50)) bits = static_cast<uint64_t>(r.between(-5, 5));
  const double x = static_cast<double>(r.between(-16, 16)) / 2;
  const auto put = [&](auto v) { std::memcpy(p, &v, sizeof v); };
  switch (t) {
    case DType::b1: put(static_cast<uint8_t>(bits & 1)); break;
    case DType::f16: put(from_float<f16>(x)); break;
    case DType::bf16: put(from_float<bf16>(x)); break;
    case DType::f8e4m3fn: put(from_float<f8e4m3fn>(x)); break;
    case DType::f8e5m2: put(from_float<f8e5m2>(x)); break;
    case DType::f32: put(static_cast<float>(x)); break;
    case DType::f64: put(x); break;
    default: std::memcpy(p, &bits, static_cast<std::size_t>(bytes(t)));
  }
}

// `stored`: no two indices name one element.
Tensor tensor(Random& r, DType t, const std::vector<int64_t>& shape, bool stored) {
  Tensor x{t, shape, {}, 0, 0};
  const std::size_t rank = shape.size();
  std::vector<std::size_t> order;
  for (std::size_t d = rank; d-- > 0;) order.push_back(d);
  if (r.chance(25) && rank > 1) std::swap(order[0], order[rank - 1]);
  std::vector<int64_t> strides(rank);
  int64_t step = r.chance(25) ? r.between(2, 3) : 1;
  for (std::size_t d : order) strides[d] = step, step *= shape[d] + (r.chance(20) ? 1 : 0);
  int64_t lowest = 0, highest = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    if (r.chance(12)) strides[d] = -strides[d];
    if (!stored && r.chance(8)) strides[d] = 0;
    const int64_t reach = shape[d] > 0 ? (shape[d] - 1) * strides[d] : 0;
    (reach < 0 ? lowest : highest) += reach;
  }
  x.dims.insert(x.dims.end(), strides.begin(), strides.end());
  const int64_t guard = 8 + r.below(3);
  x.base = guard - lowest;
  x.memory.resize(static_cast<std::size_t>((highest - lowest + 1 + 2 * guard) * bytes(t)));
  for (std::size_t at = 0; at < x.memory.size(); at += static_cast<std::size_t>(bytes(t))) fill(r, t, &x.memory[at]);
  return x;
}

// Values, not bits, where bits may differ: the sign of zero, and which NaN.
bool same(DType t, const unsigned char* a, const unsigned char* b) {
  if (std::memcmp(a, b, static_cast<std::size_t>(bytes(t))) == 0) return true;
  const auto get = [&](const unsigned char* p) -> double {
    const auto as = [&](auto v) { return std::memcpy(&v, p, sizeof v), v; };
    switch (t) {
      case DType::f16: return to_float(as(f16{}));
      case DType::bf16: return to_float(as(bf16{}));
      case DType::f8e4m3fn: return to_float(as(f8e4m3fn{}));
      case DType::f8e5m2: return to_float(as(f8e5m2{}));
      case DType::f32: return as(0.0f);
      default: return as(0.0);
    }
  };
  if (!is_float(t)) return false;
  const double x = get(a), y = get(b);
  return x == y || (std::isnan(x) && std::isnan(y));
}

std::string text(const std::vector<int64_t>& v) {
  std::string out;
  for (int64_t x : v) out += " " + std::to_string(x);
  return out;
}

int64_t calls = 0, refusals = 0, changes = 0;  // in all; refused by both; those that changed memory

// "" or what is wrong.
std::string run(const RandomKernel& kernel, const graph::Graph& graph, host::KernelState* compiled, Random& r) {
  std::vector<int64_t> shape;
  for (int d = 0; d < kernel.rank; ++d)
    shape.push_back(r.chance(4) ? 0
                                : r.between(1, kernel.rank == 1                   ? 150
                                               : kernel.rank == 2 && r.chance(30) ? 40
                                                                                  : 11));
  std::vector<Tensor> tensors;
  for (std::size_t s = 0; s < kernel.sources.size(); ++s) {
    if (kernel.sources[s].scalar) {
      Tensor t{kernel.sources[s].type, {}, {}, 0, 0};
      fill(r, t.type, reinterpret_cast<unsigned char*>(&t.scalar));
      tensors.push_back(t);
      continue;
    }
    std::vector<int64_t> own = shape;
    for (std::size_t d = 0; d < own.size(); ++d)
      if (kernel.sources[s].single[d]) own[d] = 1;
    tensors.push_back(tensor(r, kernel.sources[s].type, own, s + 1 == kernel.sources.size()));
  }
  const std::size_t last = tensors.size() - 1;
  const bool shared = kernel.in_place && r.chance(50);
  std::vector<std::vector<unsigned char>> wanted, got;
  for (const Tensor& t : tensors) wanted.push_back(t.memory), got.push_back(t.memory);
  const auto arguments = [&](auto& memory) {
    std::vector<Argument> out;
    for (std::size_t s = 0; s <= last; ++s) {
      const std::size_t from = shared && s == 0 ? last : s;
      out.push_back(tensors[from].argument(memory[from]));
    }
    return out;
  };
  std::string refused, failed;
  const std::vector<Argument> one = arguments(wanted), two = arguments(got);
  try {
    reference::evaluate(graph, one);
  } catch (const std::runtime_error& e) {
    refused = e.what();
  }
  try {
    host::checked_call(compiled, two.data(), two.size());
  } catch (const UserError& e) {
    failed = e.what();
  } catch (const Error& e) {
    return std::string("error: ") + e.what();
  }
  std::string setting = "shape" + text(shape) + (shared ? ", in place" : "");
  for (const Tensor& t : tensors) setting += "; dims" + text(t.dims);
  if (refused.empty() != failed.empty()) return "refused: `" + refused + "` against `" + failed + "`; " + setting;
  ++calls;
  refusals += !refused.empty();
  changes += wanted[last] != tensors[last].memory;
  for (std::size_t s = 0; s <= last; ++s) {
    const auto size = static_cast<std::size_t>(bytes(tensors[s].type));
    for (std::size_t at = 0; at < got[s].size(); at += size) {
      if (same(tensors[s].type, &wanted[s][at], &got[s][at])) continue;
      std::string bits[2];
      for (std::size_t k = size; k-- > 0;) {
        char hex[2][3];
        std::snprintf(hex[0], 3, "%02x", wanted[s][at + k]);
        std::snprintf(hex[1], 3, "%02x", got[s][at + k]);
        bits[0] += hex[0], bits[1] += hex[1];
      }
      return "p" + std::to_string(s) + " element " + std::to_string(static_cast<int64_t>(at / size) - tensors[s].base) +
             " is 0x" + bits[1] + ", should be 0x" + bits[0] + "; " + setting;
    }
  }
  return "";
}

int fuzz(uint64_t first, uint64_t count) {
  const bool verbose = std::getenv("TINE_FUZZ_VERBOSE") != nullptr;  // each seed, and the graphs of those that fail
  int failures = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    if (verbose) std::printf("seed %llu\n", static_cast<unsigned long long>(seed)), std::fflush(stdout);
    const RandomKernel kernel(seed);
    std::string wrong, listing;
    try {
      core::Definition* definition = kernel.define();
      core::retain(definition);
      host::KernelState* compiled = host::create(definition);
      const graph::Graph graph = core::trace(*definition);
      core::release(definition);
      listing = graph::text(graph);
      Random r(seed + 0xda7a);
      host::set_threads(compiled, static_cast<int>(r.between(1, 3)));
      for (int round = 0; round < 4 && wrong.empty(); ++round) wrong = run(kernel, graph, compiled, r);
      host::destroy(compiled);
    } catch (const Error& e) {
      wrong = std::string("not made: ") + e.what();
    }
    if (wrong.empty()) continue;
    ++failures;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), wrong.c_str());
    if (verbose) std::printf("%s\n", listing.c_str());
    std::fflush(stdout);
  }
  std::printf("%llu kernels, %d failures; %lld calls, %lld refused, %lld changed memory\n",
              static_cast<unsigned long long>(count), failures, static_cast<long long>(calls),
              static_cast<long long>(refusals), static_cast<long long>(changes));
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace tine::fuzz

int main(int argc, char** argv) {
  const uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1,
                 count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 40;
  return tine::fuzz::fuzz(first, count);
}
