// Measures the functions' errors: `math_measure [f32|f64|all] [op...]` prints one row per op and type. The table of
// docs/math.md is its output.
#include <cstdio>
#include <cstring>
#include <random>
#include "tests/math/accuracy.hpp"
#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/sweeps.hpp"
using namespace tine;
using namespace tine::math::test;
using graph::DType;
using graph::Op;

template <class T>
static void one(Op op, DType t, bool fuse, bool fast) {
  Spec s;
  s.op = op;
  s.in = s.out = t;
  s.operands = arity(op);
  s.width = 64 / int(sizeof(T));
  s.fuse = fuse;
  s.options.fast_math = fast;
  const Function f = compile(s);
  const Sweep<T> in = sweep<T>(op);
  std::vector<T> out(in.x.size());
  f.run(in.x.size(), out.data(), in.x.data(), in.y.empty() ? nullptr : in.y.data());
  double worst = 0;
  size_t where = 0;
  for (size_t k = 0; k < out.size(); ++k) {
    const double u = ulps<T>(out[k], reference(op, in.x[k], in.y.empty() ? 0 : in.y[k]));
    if (u > worst) worst = u, where = k;
  }
  std::printf("%-8s %s %10.3f ulp at %.9g", name_of(op), name_of(t), worst, double(in.x[where]));
  if (!in.y.empty()) std::printf(", %.9g", double(in.y[where]));
  std::printf("  got %.9g want %.9Lg (%zu points)\n", double(out[where]), reference(op, in.x[where], in.y.empty() ? 0 : in.y[where]), out.size());
}

int main(int argc, char** argv) {
  const bool fuse = std::getenv("FUSE"), fast = std::getenv("FAST");
  const char* which = argc > 1 ? argv[1] : "all";
  std::vector<Op> ops;
  for (int k = 2; k < argc; ++k) ops.push_back(op_of(argv[k]));
  if (ops.empty()) {
    for (int k = int(Op::exp); k <= int(Op::sigmoid); ++k) ops.push_back(Op(k));
    ops.push_back(Op::pow);
    ops.push_back(Op::atan2);
  }
  for (Op op : ops) {
    if (std::strcmp(which, "f64")) one<float>(op, DType::f32, fuse, fast);
    if (std::strcmp(which, "f32")) one<double>(op, DType::f64, fuse, fast);
    std::fflush(stdout);
  }
}
