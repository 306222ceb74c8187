// Prints the assembly of one operation: probe OP IN OUT WIDTH TARGET CPU
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
using namespace tine;
using namespace tine::math::test;
int main(int argc, char** argv) {
  if (argc < 7) return std::puts("probe OP IN OUT WIDTH TRIPLE CPU [FEATURES]"), 2;
  Spec s;
  s.op = op_of(argv[1]);
  s.in = type_of(argv[2]);
  s.out = type_of(argv[3]);
  s.operands = arity(s.op);
  s.width = std::atoi(argv[4]);
  s.options.fast_math = std::getenv("FAST");
  std::puts(assembly(s, argv[5], argv[6], argc > 7 ? argv[7] : "").c_str());
}
