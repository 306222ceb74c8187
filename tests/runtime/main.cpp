// Runs the tests; a run of all of them also holds that every diagnostic of the run time was provoked.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "runtime/diagnostics.hpp"

int main(int argc, char** argv) {
  const int failed = Catch::Session().run(argc, argv);
  if (argc > 1) return failed;
  int missing = 0;
  for (int d = 0; d < static_cast<int>(tine::Diag::count_); ++d) {
    if (tine::provoked(static_cast<tine::Diag>(d)) > 0) continue;
    std::printf("no test provokes the diagnostic `%s`\n", tine::name(static_cast<tine::Diag>(d)));
    ++missing;
  }
  return failed + missing;
}
