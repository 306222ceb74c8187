// One of several processes that share a disk cache (test_processes.cpp): calls a kernel in two specialisations, round
// after round as if each were a new process, and exits with 0 if every result is right. Arguments: rounds; then
// "cached" if the compiler must not have been opened.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "graphs.hpp"
#include "runtime/jit/code_cache.hpp"
#include "runtime/jit/compiler_library.hpp"
#include "runtime/jit/kernel.hpp"

using namespace tine;

namespace {

bool right(int64_t stride, float first) {
  alignas(64) static float memory[3][64];
  const jit::Kernel k([](const jit::Config&) { return test::add_graph(); });
  std::vector<test::TestTensor> tensors;
  std::vector<Argument> args;
  for (auto& m : memory)
    tensors.emplace_back(m, graph::DType::f32, std::vector<int64_t>{9}, std::vector<int64_t>{stride});
  for (auto& t : tensors) args.push_back(t.argument());
  for (int i = 0; i < 64; ++i) memory[0][i] = first + static_cast<float>(i), memory[1][i] = 1, memory[2][i] = -1;
  k.checked_call(args);
  for (int64_t i = 0; i < 9; ++i)
    if (memory[2][i * stride] != memory[0][i * stride] + 1) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int r = 0; r < rounds; ++r) {
    jit::forget_code();
    if (!right(1, static_cast<float>(r)) || !right(3, static_cast<float>(r))) return 1;
  }
  if (argc > 2 && std::strcmp(argv[2], "cached") == 0 && jit::compiler_is_open()) return 2;
  return 0;
}
