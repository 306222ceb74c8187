// The emulated tile unit. Cases tagged [executes] execute instructions: by the processor's own tile unit where it has
// one, else by the trap, of which [trap] holds more.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "provide.hpp"

int main(int argc, char** argv) {
  const tine::amx::Provided unit = tine::amx::provide_tile_unit();
  std::puts(unit.how.c_str());
  std::vector<const char*> words(argv, argv + argc);
  if (!unit.runs) words.push_back("~[executes]");
  if (!unit.trapped) words.push_back("~[trap]");
  return Catch::Session().run(static_cast<int>(words.size()), words.data());
}
