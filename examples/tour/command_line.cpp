#include "examples/tour/command_line.hpp"

#include <cstdio>

#include "examples/support/reference.hpp"
#include "examples/tour/main_loop.hpp"
#include "examples/tour/npy.hpp"
#include "examples/tour/process.hpp"

namespace tour {
namespace {

using namespace examples;

// Runs tinec, which lies beside this program; prints the command and, if it fails, what it said.
Outcome tinec(const Tour& tour, std::vector<std::string> words) {
  words.insert(words.begin(), "tinec");
  if (!tour.quiet) std::printf("\n$ %s\n", typed(words).c_str());
  words[0] = program_folder() + "/tinec";
  Outcome o = run(words);
  if (o.exit_code != 0)
    std::printf("tinec %s failed with exit code %d:\n%s%s", words[1].c_str(), o.exit_code, o.out.c_str(),
                o.err.c_str());
  return o;
}

std::string header(const char* name) { return std::string(TOUR_KERNELS) + "/" + name; }

}  // namespace

bool run_on_files(const Tour& tour) try {
  const int64_t rows = tour.sizes().tokens, columns = tour.sizes().hidden + 1;
  const TemporaryFolder folder;
  const auto x = random_vector<float>(rows * columns, 1, 10);
  const std::string in = folder.file("x.npy"), out = folder.file("y.npy");
  write_npy(in, x, rows, columns);
  const Outcome o = tinec(tour, {"run", header("softmax.hpp"), "--kernel", "Softmax<float>", "--arg", "x=" + in,
                                 "--out", "y=" + out + ":" + shape(rows, columns) + ",f32", "--device", tour.device});
  if (o.exit_code != 0) return false;
  if (!tour.quiet) std::printf("%s", o.out.c_str());
  const Difference d =
      compare(read_npy(out, rows, columns), reference::softmax(widened(x), rows, columns), {1e-7, 4e-6});
  if (!tour.quiet || !d.within) std::printf("y.npy: largest error %.1e, %s\n", d.largest, d.within ? "pass" : "FAIL");
  return d.within;
} catch (const std::exception& e) {
  std::printf("FAIL: %s\n", e.what());
  return false;
}

bool show_arrangement(const Tour& tour) {
  const Outcome o = tinec(tour, {"arrange", header("transpose.hpp"), "--kernel", "Transpose<float>", "--shape", "x=3x5",
                                 "--shape", "y=5x3", "--set", "bm=2", "--set", "bn=3"});
  if (o.exit_code != 0) return false;
  if (!tour.quiet) std::printf("%s\n", o.out.c_str());
  const bool whole = o.out.find("num_programs") != std::string::npos;
  if (!whole) std::printf("FAIL: no `num_programs` in what tinec printed\n");
  return whole;
}

bool show_code(const Tour& tour) {
  const std::string target = tour.emulated() ? "nvptx:" + tour.device.substr(tour.device.find(':') + 1) : "cpu";
  const Outcome o = tinec(tour, {"emit", header("add.hpp"), "--kernel", "Add<float>", "--target", target, "--stage",
                                 tour.emulated() ? "ptx" : "asm"});
  if (o.exit_code != 0) return false;
  const std::string code = tour.emulated() ? wide_lines(o.out) : main_loop(o.out, "vadd");
  if (!tour.quiet) std::printf("%s", code.c_str());
  if (code.empty()) std::printf("FAIL: the code that adds was not found\n");
  return !code.empty();
}

}  // namespace tour
