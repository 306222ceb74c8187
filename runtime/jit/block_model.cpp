#include "runtime/jit/block_model.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "runtime/knobs.hpp"
#include "runtime/launch/evaluate.hpp"

namespace tine::jit {
namespace {

using graph::Ex;
using graph::ExKind;
using graph::Node;
using graph::Op;
using graph::Param;

// Measured on one machine (docs/cpu.md); only their ratios count.
constexpr double pack_cycles = 3;                         // per vector of b: a load, and a store that misses the first cache
constexpr double sums_cycles = 1.5;                       // per vector of the accumulator, there or back
constexpr double outside_l1 = 1.08, outside_l2 = 1.08;    // multiplications whose operands come from the next cache
constexpr double round_cycles = 20;                       // per register block and round of a loop: where its operands are
constexpr double program_cycles = 1000, wake_cycles = 20000;
constexpr int64_t fma_latency = 4, fma_pipes = 2, block_vectors = 2;
constexpr int64_t ranges_per_thread = 8;                  // as in run_programs

int64_t read_size(const std::string& text) {
  std::size_t end = 0;
  int64_t n = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9' && n < (int64_t{1} << 40)) n = n * 10 + (text[end++] - '0');
  if (end < text.size() && text[end] == 'K') n <<= 10;
  if (end < text.size() && text[end] == 'M') n <<= 20;
  return n;
}

HostModel read_host() {
  HostModel h;
  const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index";
  for (char index = '0'; index <= '9'; ++index) {
    std::string level, type, size;
    std::ifstream(folder + index + "/level") >> level;
    std::ifstream(folder + index + "/type") >> type;
    std::ifstream(folder + index + "/size") >> size;
    if (type != "Data" && type != "Unified") continue;
    if (const int64_t n = read_size(size); n > 0 && (level == "1" || level == "2")) (level == "1" ? h.l1 : h.l2) = n;
  }
#if defined(__x86_64__)
  h.vector_bytes = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? 64 : 32;
#else
  h.vector_bytes = 16;
#endif
  return h;
}

// Rows of a register block, as in codegen/cpu/product.
int64_t block_rows(int64_t m, const HostModel& host) {
  if (host.vector_bytes < 64) return 6;
  return m % 12 > 0 && m % 12 < 8 && m % 8 == 0 ? 8 : 12;
}
// What the rows that are left count as: blocks of 8, 4, 2, 1; those of few rows wait for the multipliers' latency.
double left_rows(int64_t rows) {
  int64_t sum = 0;
  for (int64_t block = 8; block > 0; block /= 2)
    for (; rows >= block; rows -= block) sum += std::max(block, fma_latency * fma_pipes / block_vectors);
  return static_cast<double>(sum);
}

class Model {
 public:
  Model(const launch::TracedKernel& k, std::span<const Argument> arguments, const HostModel& host) : g_(k.graph), arguments_(arguments), host_(host) {}

  std::optional<double> estimate() {
    double programs = 1;
    for (Ex e : g_.grid) programs *= number(e);
    const double largest = program(programs);
    if (failed_ || programs <= 0) return {};
    double total = largest * programs * filled_;
    if (host_.threads == 1 || programs <= 1) return programs <= 1 ? largest : total;
    // Threads take programs as they come: the last one to end has done half a program more than the others.
    const double threads = std::min<double>(host_.threads, programs);
    return std::max(largest, total / threads + largest * (threads - 1) / threads / 2) + wake_cycles;
  }

 private:
  const graph::Graph& g_;
  std::span<const Argument> arguments_;
  const HostModel& host_;
  bool failed_ = false;
  double filled_ = 1;  // of all programs' tiles, how much lies within the matrices

  double number(Ex e) {
    const std::optional<int64_t> v = launch::evaluate(g_.pool, e, arguments_);
    failed_ |= !v;
    return v ? static_cast<double>(std::max<int64_t>(*v, 0)) : 0;
  }

  bool contains(Ex e, graph::Sym kind, int a, int b) const {
    const graph::Pool& p = g_.pool;
    const auto operand = [&](int i) { return Ex{static_cast<int32_t>(p.operand(e, i))}; };
    switch (p.kind(e)) {
      case ExKind::num: return false;
      case ExKind::sym: return p.sym_kind(e) == kind && p.operand(e, 0) == a && p.operand(e, 1) == b;
      case ExKind::sum:
        for (int i = 2; i < p.operand_count(e); i += 2)
          if (contains(operand(i), kind, a, b)) return true;
        return false;
      default:
        for (int i = 0; i < p.operand_count(e); ++i)
          if (contains(operand(i), kind, a, b)) return true;
        return false;
    }
  }

  // An operand of a product: the load it is, whose last two dims may have been swapped.
  struct Operand { const Node* load = nullptr; bool turned = false; };
  Operand operand(int32_t id) const {
    Operand o;
    for (;;) {
      const Node& n = g_.nodes[static_cast<std::size_t>(id)];
      if (n.op == Op::load) return o.load = &n, o;
      if (n.op == Op::permute && n.list.size() >= 2 && n.list[n.list.size() - 1] == static_cast<int64_t>(n.list.size()) - 2)
        o.turned = !o.turned;
      else if (n.op != Op::cast)
        return {};
      id = n.args.at(0);
    }
  }
  // How far dim `d` from the end of an operand's tile reaches: its source may end sooner. And how full its blocks are.
  struct Extent { double most, filled; };
  Extent extent(const Operand& o, int from_end, Ex dim) {
    const double tile = number(dim);
    if (!o.load) return {tile, 1};
    const auto param = static_cast<int>(o.load->attr);
    const Param& p = g_.params[static_cast<std::size_t>(param)];
    int axes = 0;
    for (const graph::Shape& level : p.levels) axes += static_cast<int>(level.size());
    const int axis = axes - 1 - (o.turned && from_end < 2 ? 1 - from_end : from_end);
    for (const graph::Bound& b : p.bounds) {
      if (!contains(b.index, graph::Sym::var, param, axis)) continue;
      const double end = number(b.size);
      if (end <= 0 || tile <= 0) return {0, 1};
      return {std::min(tile, end), end / (std::ceil(end / tile) * std::min(tile, end))};
    }
    return {tile, 1};
  }
  double rounds(const Operand& o) {
    double n = 1;
    if (!o.load) return n;
    const Param& p = g_.params[static_cast<std::size_t>(o.load->attr)];
    for (std::size_t l = 1; l + 1 < p.levels.size(); ++l)
      for (Ex e : p.levels[l]) n *= number(e);
    return n;
  }
  // Programs in a row, on one thread, that multiply with the same b.
  double sharing(const Operand& b, double programs) {
    if (!b.load) return 1;
    const auto param = static_cast<int>(b.load->attr);
    const Param& p = g_.params[static_cast<std::size_t>(param)];
    double share = 1;
    for (std::size_t d = 0; d < g_.grid.size(); ++d) {
      bool used = false;
      for (Ex e : p.coords) used |= contains(e, graph::Sym::var, param, static_cast<int>(d));
      if (!used) share *= number(g_.grid[d]);
    }
    const double range = host_.threads == 1 ? programs : std::max(1.0, std::floor(programs / (host_.threads * ranges_per_thread)));
    return std::max(1.0, std::min(share, range));
  }

  double program(double programs) {
    double cycles = program_cycles;
    bool first = true;
    for (const Node& n : g_.nodes) {
      if (n.op != Op::dot) continue;
      const Operand a = operand(n.args.at(0)), b = operand(n.args.at(1));
      const graph::Shape &x = g_.nodes[static_cast<std::size_t>(n.args[0])].shape, &y = g_.nodes[static_cast<std::size_t>(n.args[1])].shape;
      double batch = 1;
      for (std::size_t i = 0; i + 2 < n.shape.size(); ++i) batch *= number(n.shape[i]);
      const Extent m = extent(a, 1, x[x.size() - 2]), k = extent(a, 0, x[x.size() - 1]), columns = extent(b, 0, y[y.size() - 1]);
      if (first) filled_ = m.filled * columns.filled, first = false;
      const graph::DType in = g_.nodes[static_cast<std::size_t>(n.args[0])].type;
      const int64_t unit = std::max<int64_t>(graph::bytes(n.type), 4), lanes = host_.vector_bytes / unit;
      const double group = host_.vector_bytes < 64 ? 1 : in == graph::DType::bf16 ? 2 : graph::bytes(in) == 1 ? 4 : 1;
      const double width = static_cast<double>(lanes * block_vectors), panels = std::ceil(columns.most / width), deep = std::ceil(k.most / group);
      // Rows in blocks of registers.
      const auto block = static_cast<double>(block_rows(static_cast<int64_t>(number(x[x.size() - 2])), host_));
      const double whole = std::floor(m.most / block);
      const double rows = whole * block + left_rows(static_cast<int64_t>(m.most - whole * block));
      double multiply = rows * panels * deep * block_vectors / fma_pipes;
      // A loop over blocks of both operands sums products up: it is one contraction, its panels are as deep as all rounds.
      const double times = std::max(rounds(a), rounds(b)), at_once = rounds(a) > 1 && rounds(b) > 1 ? times * k.filled : 1;
      const double panel_bytes = deep * width * static_cast<double>(unit);
      if (at_once == 1 && panel_bytes * 3 > static_cast<double>(host_.l1) * 2) multiply *= outside_l1;
      // Rows of a that are widened on their way into a copy, by each program.
      const bool copied = group == 1 && graph::bytes(in) < unit;
      const double copy = copied ? m.most * k.most / static_cast<double>(lanes) * pack_cycles : 0;
      if (copied && m.most * deep * at_once * static_cast<double>(unit) > static_cast<double>(host_.l2)) multiply *= outside_l2;
      const double sums = m.most * panels * block_vectors * 2 * sums_cycles / at_once + std::ceil(m.most / block) * panels * round_cycles;
      const double pack = k.most * panels * block_vectors * pack_cycles / sharing(b, programs);
      cycles += batch * times * k.filled * (multiply + sums / k.filled + pack + copy);
    }
    return cycles;
  }
};

}  // namespace

HostModel host_model(int threads) {
  static const HostModel found = read_host();
  HostModel h = found;
  h.threads = threads;
  if (const int64_t kib = std::min<int64_t>(knobs::get().l1, 1 << 20); kib > 0) h.l1 = kib << 10;
  if (const int64_t kib = std::min<int64_t>(knobs::get().l2, 1 << 20); kib > 0) h.l2 = kib << 10;
  return h;
}

bool multiplies(const graph::Graph& g) {
  return std::any_of(g.nodes.begin(), g.nodes.end(), [](const Node& n) { return n.op == Op::dot; });
}

std::optional<double> estimate(const launch::TracedKernel& k, std::span<const Argument> arguments, const HostModel& host) {
  return Model(k, arguments, host).estimate();
}

}  // namespace tine::jit
