// A tour of Tine: kernels of a decoder layer of a language model are compiled at run time, checked and timed; then one
// runs from the command line on NumPy files; then one arrangement and the code of `add` are shown.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "examples/tour/command_line.hpp"
#include "examples/tour/tour.hpp"

namespace {

const char* const help =
    "Usage: tour [--device D] [--quiet]\n\n"
    "Compiles kernels of a decoder layer at run time, checks each against a plain f64 reference and times it; then "
    "runs one\n"
    "from the command line on NumPy files, and shows one arrangement and the code of `add`.\n\n"
    "  --device D  where kernels run: cpu (the default), or an emulated GPU: emulated:sm_80, emulated:sm_89,\n"
    "              emulated:sm_90, at small sizes\n"
    "  --quiet     only what fails, and the last line\n\n"
    "Exit code: 0 all is right, 1 something failed or a result was wrong, 2 wrong usage.\n";

int usage(const char* message, const char* argument) {
  std::fprintf(stderr, "tour: %s `%s`; see tour --help\n", message, argument);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  bool quiet = false;
  const char* device = "cpu";
  for (int i = 1; i < argc; ++i) {
    const char* a = argv[i];
    if (!std::strcmp(a, "--help") || !std::strcmp(a, "-h")) return std::fputs(help, stdout), 0;
    if (!std::strcmp(a, "--quiet"))
      quiet = true;
    else if (!std::strcmp(a, "--device") && i + 1 < argc)
      device = argv[++i];
    else if (!std::strncmp(a, "--device=", 9))
      device = a + 9;
    else
      return usage("unknown argument", a);
  }
  const bool emulated = !std::strncmp(device, "emulated:", 9);
  if (!emulated && std::strcmp(device, "cpu")) return usage("the tour's memory is the host's; it does not run on", device);
  if (emulated) {
    try {
      tine::Device{device};
    } catch (const tine::Error& e) {
      return std::fprintf(stderr, "tour: %s\n", e.message()), 2;
    }
  }
  setenv("TINE_CACHE", "off", 0);  // so that the column of compile times shows compiles

  tour::Tour t(device, quiet);
  t.table.print_header();
  tour::vectors(t);
  tour::rows(t);
  tour::products(t);
  tour::attention_and_convolution(t);
  tour::layer(t);
  if (!quiet)
    std::printf("(the first compile also opens the compiler; %s)\n",
                emulated ? "times are the PTX machine's" : "rates of a run on all cores");

  const int shown = tour::run_on_files(t) + tour::show_arrangement(t) + tour::show_code(t);
  const int failed = t.table.failed() + 3 - shown;
  std::printf("\n%d of %d right\n", t.table.rows() + 3 - failed, t.table.rows() + 3);
  return failed ? 1 : 0;
}
