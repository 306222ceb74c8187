// Measures errors and counts instructions: `math_measure [table | f32 | f64 | all] [op...]`. `table` prints the tables
// of docs/math.md. FUSE=1 lets the code generator contract; FAST=1 sets fast_math.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <sstream>

#include "tests/math/accuracy.hpp"
#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/sweeps.hpp"
#include "tests/math/values.hpp"

using namespace tine;
using namespace tine::math::test;
using graph::DType;
using graph::Op;

namespace {
const bool fuse = std::getenv("FUSE"), fast = std::getenv("FAST");

Spec spec(Op op, DType in, DType out, int width) {
  Spec s;
  s.op = op;
  s.in = in;
  s.out = out;
  s.operands = arity(op);
  s.width = width;
  s.fuse = fuse;
  s.options.fast_math = fast;
  return s;
}

struct Worst {
  double ulp = 0, x = 0, y = 0, got = 0;
  size_t points = 0;
};

template <class T>
Worst measure(Op op, DType t) {
  const Function f = compile(spec(op, t, t, 64 / int(sizeof(T))));
  const Sweep<T> in = sweep<T>(op);
  std::vector<T> out(in.x.size());
  f.run(in.x.size(), out.data(), in.x.data(), in.y.empty() ? nullptr : in.y.data());
  Worst w;
  w.points = out.size();
  for (size_t k = 0; k < out.size(); ++k) {
    const double y = in.y.empty() ? 0 : double(in.y[k]);
    const double u = ulps<T>(out[k], reference(op, in.x[k], y));
    if (u > w.ulp) w.ulp = u, w.x = double(in.x[k]), w.y = y, w.got = double(out[k]);
  }
  return w;
}

/// Vector instructions of the body but loads, stores and constants. `lanes` is the whole vector of the wider type.
int count(Op op, DType in, DType out, int register_bytes, const char* cpu) {
  const int lanes = register_bytes / std::max(graph::bytes(in), graph::bytes(out));
  const std::string text = assembly(spec(op, in, out, std::max(lanes, 1)), "x86_64-unknown-linux-gnu", cpu, "");
  static const std::regex work(R"(^\s+(v|k|idiv|div|imul|mul)\w+)"),
      idle(R"(^\s+(vmov(u|a|dq|s|d\b|q\b)|vpbroadcast|vbroadcast|vzeroupper|kmov)\w*)");
  int n = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    n += std::regex_search(line, work) && !std::regex_search(line, idle);
  return n;
}

double bound(Op op, DType t) {
  if (op == Op::pow) return 8;
  if (op == Op::sqrt) return 0.5;
  if (t == DType::f32 && (op == Op::exp || op == Op::exp2 || op == Op::log || op == Op::log2 || op == Op::rsqrt))
    return 2;
  return 4;
}

std::vector<Op> functions() {
  std::vector<Op> ops;
  for (int k = int(Op::exp); k <= int(Op::sigmoid); ++k) ops.push_back(Op(k));
  ops.push_back(Op::pow);
  ops.push_back(Op::atan2);
  return ops;
}

void table() {
  std::printf(
      "| function | type | max error, ulp | bound | instructions AVX2 / AVX-512 |\n| --- | --- | --- | --- | --- |\n");
  for (Op op : functions())
    for (DType t : {DType::f32, DType::f64}) {
      const Worst w = t == DType::f32 ? measure<float>(op, t) : measure<double>(op, t);
      std::printf("| %s | %s | %.2f | %g | %d / %d |\n", name_of(op), name_of(t), w.ulp, bound(op, t),
                  count(op, t, t, 32, "haswell"), count(op, t, t, 64, "x86-64-v4"));
      std::fflush(stdout);
    }
  const DType types[] = {DType::i8,  DType::u8,  DType::i16, DType::u16,  DType::i32, DType::u32,
                         DType::i64, DType::u64, DType::f16, DType::bf16, DType::f32, DType::f64};
  std::printf("\n| operation |");
  for (DType t : types) std::printf(" %s |", name_of(t));
  std::printf("\n| --- |");
  for (size_t k = 0; k < std::size(types); ++k) std::printf(" --- |");
  std::printf("\n");
  for (Op op : {Op::add,  Op::mul,      Op::div,    Op::mod,      Op::floordiv, Op::floormod, Op::cdiv, Op::min,
                Op::fmin, Op::clamp,    Op::umulhi, Op::band,     Op::shl,      Op::shr,      Op::lt,   Op::neg,
                Op::abs,  Op::popcount, Op::clz,    Op::copysign, Op::floor,    Op::round,    Op::fma,  Op::isnan}) {
    std::printf("| %s |", name_of(op));
    for (DType t : types) {
      const bool real = graph::is_float(t);
      const bool bits =
          op == Op::umulhi || op == Op::band || op == Op::shl || op == Op::shr || op == Op::popcount || op == Op::clz;
      const bool floats_only =
          op == Op::copysign || op == Op::floor || op == Op::round || op == Op::isnan || op == Op::fmin;
      if ((real && bits) || (!real && floats_only)) {
        std::printf(" |");
        continue;
      }
      const DType out = op == Op::lt || op == Op::isnan ? DType::b1 : t;
      std::printf(" %d / %d |", count(op, t, out, 32, "haswell"), count(op, t, out, 64, "x86-64-v4"));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  std::printf("\n| cast from \\ to |");
  const auto& all = all_types();
  for (DType t : all) std::printf(" %s |", name_of(t));
  std::printf("\n| --- |");
  for (size_t k = 0; k < all.size(); ++k) std::printf(" --- |");
  std::printf("\n");
  for (DType from : all) {
    std::printf("| %s |", name_of(from));
    for (DType to : all) {
      if (from == to)
        std::printf(" |");
      else
        std::printf(" %d / %d |", count(Op::cast, from, to, 32, "haswell"), count(Op::cast, from, to, 64, "x86-64-v4"));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}
}  // namespace

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "all";
  if (!std::strcmp(which, "table")) return table(), 0;
  std::vector<Op> ops;
  for (int k = 2; k < argc; ++k) ops.push_back(op_of(argv[k]));
  if (ops.empty()) ops = functions();
  for (Op op : ops)
    for (DType t : {DType::f32, DType::f64}) {
      if (std::strcmp(which, "all") && std::strcmp(which, name_of(t))) continue;
      const Worst w = t == DType::f32 ? measure<float>(op, t) : measure<double>(op, t);
      std::printf("%-8s %s %9.3f ulp at %.17g, %.17g: got %.17g, want %.17Lg (%zu points)\n", name_of(op), name_of(t),
                  w.ulp, w.x, w.y, w.got, reference(op, w.x, w.y), w.points);
      std::fflush(stdout);
    }
}
