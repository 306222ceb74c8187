// The fixtures as checks that can be run under any options: with a planted fault they must fail.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tine/emulator/options.hpp"

struct Fixture {
  std::string name;    // "vector/saxpy"
  std::string module;  // "vector": fixtures/vector.sm_NN.ptx
  unsigned least_arch = 80;
  // Empty when all is well, else what is not. The report must be clean too.
  std::function<std::string(const std::string& ptx, const tine::emulator::Options&)> check;
};
const std::vector<Fixture>& all_fixtures();
