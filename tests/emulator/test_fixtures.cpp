// Every CUDA C++ fixture, as nvcc compiled it for three architectures, computes what it should, cleanly, with one thread and with several.
#include "fixtures.hpp"
#include "support.hpp"

TEST_CASE("fixtures compute what a GPU would", "[emulated]") {
  for (const Fixture& f : all_fixtures())
    for (const unsigned arch : {80u, 89u, 90u}) {
      if (arch < f.least_arch) continue;
      const std::string ptx = read_text(fixture_path(f.module + ".sm_" + std::to_string(arch) + ".ptx"));
      for (const unsigned threads : {1u, 3u}) {
        emu::Options o;
        o.threads = threads;
        const std::string wrong = f.check(ptx, o);
        INFO(f.name << " sm_" << arch << ", " << threads << " threads: " << wrong);
        CHECK(wrong.empty());
      }
      const std::string wrong = f.check(ptx, emu::Options::unchecked());
      INFO(f.name << " sm_" << arch << ", unchecked: " << wrong);
      CHECK(wrong.empty());
    }
}
