// ptx-run FILE.ptx --kernel K --grid 8,1,1 --block 128 --arg ptr:a.npy --arg u32:7 --save 0=out.npy --report report.json
// Exit status: 0 clean, 1 something was found in the kernel, 2 bad PTX or bad usage.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "npy.hpp"
#include "tine/emulator/emulator.hpp"

namespace emu = tine::emulator;

namespace {

[[noreturn]] void usage(const std::string& why) { throw emu::Error(emu::ErrorKind::usage, "", 0, why); }

std::array<std::uint32_t, 3> triple(const std::string& text, const char* what) {
  std::array<std::uint32_t, 3> v{1, 1, 1};
  std::size_t k = 0, at = 0;
  while (at <= text.size()) {
    const std::size_t e = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, e - at);
    if (k == 3 || part.empty() || part.size() > 10 || part.find_first_not_of("0123456789") != std::string::npos) usage(std::string(what) + " `" + text + "` is not one to three numbers");
    const unsigned long long n = std::stoull(part);
    if (n > 0xFFFFFFFFull) usage(std::string(what) + " `" + text + "` is too large");
    v[k++] = static_cast<std::uint32_t>(n);
    at = e + 1;
  }
  return v;
}

std::uint64_t integer(const std::string& text, const std::string& arg, unsigned bits) {
  char* end = nullptr;
  errno = 0;
  const bool minus = !text.empty() && text[0] == '-';
  const std::uint64_t v = minus ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 0)) : std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || *end != 0 || errno == ERANGE) usage("argument `" + arg + "` is not an integer");
  if (bits < 64) {
    const auto s = static_cast<std::int64_t>(v);
    if (minus ? s < -(std::int64_t{1} << (bits - 1)) : v >> bits != 0) usage("argument `" + arg + "` does not fit its type");
  }
  return v;
}

// f32 to f16 and bf16 bits, rounded to nearest even.
std::uint16_t half_bits(double v, bool bf) {
  const int mb = bf ? 7 : 10, emin = bf ? -126 : -14, emax = bf ? 127 : 15;
  const std::uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  v = std::fabs(v);
  const auto inf = static_cast<std::uint16_t>(bf ? 0x7F80 : 0x7C00);
  if (std::isnan(v)) return 0x7FFF;
  if (std::isinf(v)) return sign | inf;
  int e = 0;
  std::frexp(v, &e);
  --e;
  if (v == 0 || e < emin) e = emin;
  const auto m = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(v, mb - e)));
  if (e > emax) return sign | inf;
  const std::uint32_t bits = (static_cast<std::uint32_t>(e - emin) << mb) + m;  // a full mantissa carries into the exponent
  return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(bits, inf));
}

struct Pointer {
  emu::DevicePtr address = 0;
  ptx_run::Array array;
};

emu::Argument argument(const std::string& text, emu::Machine& machine, std::map<std::size_t, Pointer>& pointers, std::size_t index) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) usage("argument `" + text + "` has no type: write u32:7, f32:0.5, ptr:a.npy ...");
  const std::string type = text.substr(0, colon), value = text.substr(colon + 1);
  if (type == "ptr") {
    Pointer p;
    const bool number = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    if (number) {  // so many fresh bytes
      const std::uint64_t n = integer(value, text, 64);
      p.array.shape = {n};
      p.address = machine.memory().allocate(n, "argument " + std::to_string(index));
    } else {
      p.array = ptx_run::read_npy(value);
      if (p.array.bytes.empty()) usage("`" + value + "` holds no data");
      p.address = machine.memory().allocate(p.array.bytes.size(), value);
      machine.memory().write(p.address, p.array.bytes.data(), p.array.bytes.size());
    }
    const emu::DevicePtr address = p.address;
    pointers.emplace(index, std::move(p));
    return emu::Argument::of(address);
  }
  if (type == "u8" || type == "s8" || type == "b8") return emu::Argument::of(static_cast<std::uint8_t>(integer(value, text, 8)));
  if (type == "u16" || type == "s16" || type == "b16") return emu::Argument::of(static_cast<std::uint16_t>(integer(value, text, 16)));
  if (type == "u32" || type == "s32" || type == "b32") return emu::Argument::of(static_cast<std::uint32_t>(integer(value, text, 32)));
  if (type == "u64" || type == "s64" || type == "b64") return emu::Argument::of(integer(value, text, 64));
  if (type == "f32" || type == "f64" || type == "f16" || type == "bf16") {
    char* end = nullptr;
    const double v = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != 0) usage("argument `" + text + "` is not a number");
    if (type == "f64") return emu::Argument::of(v);
    if (type == "f32") return emu::Argument::of(static_cast<float>(v));
    return emu::Argument::of(half_bits(v, type == "bf16"));
  }
  if (type == "bytes") {  // hexadecimal, for structures
    emu::Argument a;
    if (value.size() % 2 != 0 || value.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) usage("argument `" + text + "` is not an even number of hexadecimal digits");
    for (std::size_t i = 0; i < value.size(); i += 2) a.bytes.push_back(static_cast<std::uint8_t>(std::stoul(value.substr(i, 2), nullptr, 16)));
    return a;
  }
  usage("argument `" + text + "` has an unknown type: ptr, u8 to u64, s8 to s64, f16, bf16, f32, f64, bytes");
}

emu::Mode mode(const std::string& s) { return s == "off" ? emu::Mode::off : s == "fatal" ? emu::Mode::fatal : emu::Mode::report; }

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files, args, saves, checks;
  std::string kernel, grid = "1", block = "1", report_path, race = "report";
  std::uint32_t shared = 0;
  std::uint64_t steps = emu::Options().max_warp_instructions;
  unsigned threads = 0;
  std::int64_t trace = -1;
  bool list = false, no_counters = false, quiet = false, check_only = false;

  CLI::App app("Runs a kernel of a PTX file on the CPU and reports what is wrong with it.");
  app.add_option("FILE", files, "PTX files; several are linked by name")->required();
  app.add_option("--kernel,-k", kernel, "the kernel to run");
  app.add_option("--grid", grid, "blocks: x or x,y or x,y,z");
  app.add_option("--block", block, "threads of a block");
  app.add_option("--arg", args, "TYPE:VALUE, in order; ptr:FILE.npy copies a file to device memory, ptr:BYTES makes unwritten memory")->take_all();
  app.add_option("--shared", shared, "bytes of dynamic shared memory");
  app.add_option("--save", saves, "INDEX=FILE.npy: write back the memory of pointer argument INDEX (all arguments count, from 0)")->take_all();
  app.add_option("--report", report_path, "write the report as JSON");
  app.add_option("--race", race, "races: fatal, report or off")->check(CLI::IsMember({"fatal", "report", "off"}));
  app.add_option("--check", checks, "CLASS=fatal|report|off for any diagnostic class, or all=...")->take_all();
  app.add_option("--threads", threads, "host threads; 0: all");
  app.add_option("--max-steps", steps, "warp instructions of one block before it counts as hanging; 0: no limit");
  app.add_option("--trace", trace, "print every instruction of this warp (counted over the whole grid)");
  app.add_flag("--list", list, "list kernels and parameters, run nothing");
  app.add_flag("--check-only", check_only, "parse and check, run nothing");
  app.add_flag("--no-counters", no_counters, "no bank conflicts and sectors");
  app.add_flag("--quiet,-q", quiet, "print nothing but what printf prints");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : 2;
  }

  try {
    emu::Machine machine;
    for (const std::string& f : files) machine.load_file(f);
    if (check_only) return 0;
    if (list) {
      for (const std::string& k : machine.kernels()) {
        const emu::KernelInfo& info = machine.kernel(k);
        std::cout << k << " (" << info.module << ":" << info.line << "), " << info.static_shared_bytes << " bytes of shared memory\n";
        for (std::size_t i = 0; i < info.parameters.size(); ++i) std::cout << "  " << i << ": " << info.parameters[i].name << " ." << info.parameters[i].type << ", " << info.parameters[i].size << " bytes\n";
      }
      return 0;
    }
    if (kernel.empty()) {
      if (machine.kernels().size() != 1) usage("--kernel is needed: the files hold " + std::to_string(machine.kernels().size()) + " kernels");
      kernel = machine.kernels()[0];
    }
    std::map<std::size_t, Pointer> pointers;
    std::vector<emu::Argument> arguments;
    for (std::size_t i = 0; i < args.size(); ++i) arguments.push_back(argument(args[i], machine, pointers, i));
    std::vector<std::pair<std::size_t, std::string>> to_save;
    for (const std::string& s : saves) {
      const std::size_t eq = s.find('=');
      if (eq == std::string::npos) usage("--save `" + s + "` is not INDEX=FILE");
      const auto index = static_cast<std::size_t>(integer(s.substr(0, eq), s, 32));
      if (pointers.count(index) == 0) usage("--save " + s + ": argument " + std::to_string(index) + " is not a pointer");
      to_save.emplace_back(index, s.substr(eq + 1));
    }
    emu::LaunchConfig config;
    config.grid = triple(grid, "--grid");
    config.block = triple(block, "--block");
    config.shared_bytes = shared;
    emu::Options options;
    options.threads = threads;
    options.max_warp_instructions = steps;
    options.counters = !no_counters;
    options.races(mode(race));
    for (const std::string& c : checks) {
      const std::size_t eq = c.find('=');
      const std::string name = c.substr(0, eq), value = eq == std::string::npos ? "" : c.substr(eq + 1);
      emu::DiagnosticClass cls{};
      if (value != "fatal" && value != "report" && value != "off") usage("--check `" + c + "` is not CLASS=fatal|report|off");
      if (name == "all")
        options.modes.fill(mode(value));
      else if (emu::diagnostic_from_name(name, cls))
        options.set(cls, mode(value));
      else
        usage("--check `" + c + "`: there is no diagnostic class of that name");
    }
    if (trace >= 0) {
      options.trace_warp = trace;
      options.trace = [](const std::string& s) { std::cerr << s << "\n"; };
    }
    const emu::Report report = machine.launch(kernel, config, arguments, options);
    std::cout << report.output << std::flush;
    for (const auto& [index, path] : to_save) {
      Pointer& p = pointers.at(index);
      if (p.array.bytes.empty()) p.array.bytes.resize(p.array.shape[0]);
      machine.memory().read(p.address, p.array.bytes.data(), p.array.bytes.size());
      ptx_run::write_npy(path, p.array);
    }
    if (!report_path.empty()) {
      std::ofstream out(report_path);
      out << report.to_json();
      out.flush();
      if (!out) usage("cannot write " + report_path);
    }
    if (!quiet) std::cerr << report.summary();
    return report.clean() ? 0 : 1;
  } catch (const emu::Error& e) {
    std::cerr << "ptx-run: " << (e.kind() == emu::ErrorKind::usage ? "" : e.module() + ":" + std::to_string(e.line()) + ": " + emu::name_of(e.kind()) + ": ") << e.sentence() << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "ptx-run: " << e.what() << "\n";
    return 2;
  }
}
