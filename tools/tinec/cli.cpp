#include "tools/tinec/cli.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <functional>
#include <new>

#include "tine/error.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

constexpr const char* tool_examples = R"(Examples:
  tinec list softmax.hpp
  tinec run softmax.hpp --kernel 'Softmax<float>' --arg x=x.npy --out y=y.npy:7x781
  tinec run softmax.hpp --kernel 'Softmax<float>' --arg x=x.npy --out y=y.npy:7x781 --device emulated:sm_80
  tinec emit softmax.hpp --kernel 'Softmax<float>' --stage asm
  tinec emit add.hpp --kernel 'Add<float>' --target nvptx:sm_90 --stage ptx
  tinec arrange add.hpp --kernel 'Add<float>' --shape a=13 --shape b=13 --shape c=13 --set block=5
  tinec arrange --ops arrangements.json

Exit codes: 0 done, 1 the work failed, 2 the command line is wrong. `tinec COMMAND --help` says more.
)";
constexpr const char* list_examples =
    R"(Prints each kernel that the header exports with TINE_EXPORT: its parameters with element type and rank, its
meta-parameters with their candidates (the first is the default).

Examples:
  tinec list softmax.hpp
  tinec list softmax.hpp --json -I include -D WIDE=1
)";
constexpr const char* emit_examples =
    R"(Stages: graph (what the kernel recorded), tine (the dialect); for cpu then loops (after lowering to vector loops), llvm,
asm; for nvptx then layouts (of tiles over threads), llvm, ptx, cubin and resources (both with the CUDA toolkit).
The code is that for tensors without gaps, aligned to 64 bytes, unless --strided or --align say otherwise; with --shape it
is that of a call with arrays of these shapes.

Examples:
  tinec emit softmax.hpp --kernel 'Softmax<float>' --stage graph
  tinec emit add.hpp --kernel 'Add<tine::f16>' --target cpu:x86-64-v3 --stage asm --set block=64 -o add.s
  tinec emit softmax.hpp --kernel 'Softmax<float>' --target nvptx:sm_90 --stage ptx --shape x=7x781 --shape y=7x781
)";
constexpr const char* run_examples =
    R"(--arg NAME=FILE.npy       a tensor; FILE.npy[1:, ::2] takes a part of it, by Python's rules
--arg NAME=NUMBER         a scalar parameter
--out NAME=FILE.npy:SHAPE,DTYPE
                          a new array of zeros, written when the kernel has run. Without SHAPE the file must exist, and
                          its shape is taken; DTYPE is the parameter's unless given. With an --arg for the same parameter
                          its array is changed in memory and written here
--out NAME=FILE.npy[1:]   the kernel sees this part of the existing array; all of it is written back
bf16 travels as uint16, the f8 types as uint8.

Examples:
  tinec run add.hpp --kernel 'Add<float>' --arg a=a.npy --arg b=b.npy --out c=c.npy:1000
  tinec run rms_norm.hpp --kernel 'RmsNorm<float>' --arg x=x.npy --arg w=w.npy --arg eps=1e-5 --out y=y.npy:4x1536,f32
  tinec run silu.hpp --kernel 'Silu<tine::bf16>' --arg x=x.npy --arg y=x.npy --out y=y.npy --set block=256
)";
constexpr const char* arrange_examples =
    R"(Prints JSON: for each parameter the shapes of its levels, the number of programs and the nested source indices,
level 0 first (the row-major position of the source element; -1 out of range).

Examples:
  tinec arrange add.hpp --kernel 'Add<float>' --shape a=13 --shape b=13 --shape c=13 --set block=5
  tinec arrange --ops arrangements.json
where arrangements.json is such as
  {"arrangements": [{"name": "tail", "source_shape": [13], "ops": [{"op": "tile", "level": 0, "tile_shape": [5]}]}]}
)";

constexpr const char* devices_examples =
    R"(Prints a line for each name that --device takes: the processor, NVIDIA's GPUs or why there are none, the emulated ones.

Example:
  tinec devices
)";
constexpr const char* doctor_examples =
    R"(Prints what is there (yes) and what is not (no), and what to install for it: the compiler, a C++ compiler, NVIDIA's
driver and GPUs, the parts of the CUDA toolkit, the disk cache, and the environment variables that are set. Nothing but the
first two is needed for kernels on the processor and on emulated devices. Exit code 0 whatever is found.

Example:
  tinec doctor
)";
constexpr const char* build_examples =
    R"(Writes libNAME.so and .a, a C and a C++ header and manifest.json. The library needs the C library alone. Targets: cpu
(this machine), cpu:x86-64-v3, cpu:x86-64-v4, cpu:amx, cpu:aarch64, nvptx:sm_80 and others; at the call the best of those
built in is taken. A description (JSON) lists kernels with their types, configs, constant sizes and variants.

Examples:
  tinec build matmul.hpp --kernel 'Matmul<tine::f16>' --target cpu:x86-64-v3,cpu:x86-64-v4 --name mykernels -o out
  tinec build attention.hpp --kernel 'causal=Attention<float>{.causal = true}' --name attention -o out
  tinec build --description kernels.json -o out -j 8
  tinec build --description kernels.json -o part2 --shard 2/8     (then: tinec link part1 ... part8 -o out)
  tinec build --description kernels.json -o out --emit-ninja && ninja -C out
)";
constexpr const char* link_examples =
    R"(Joins what `tinec build --shard` has made on one machine or several. The result is that of a build on one.

Examples:
  tinec link part1 part2 part3 -o out
)";

// One value at each mention: without it `-I a b` would take both.
CLI::Option* repeated(CLI::App* app, const std::string& name, std::vector<std::string>& into, const std::string& what,
                      const char* type) {
  return app->add_option(name, into, what)->allow_extra_args(false)->type_name(type);
}

void add_cxx(CLI::App* app, CxxOptions& o) {
  app->add_option("--cxx", o.compiler, "the C++ compiler; by default $CXX, else g++ or clang++")->type_name("COMMAND");
  repeated(app, "-I", o.includes, "a folder of headers", "DIR");
  repeated(app, "-D", o.defines, "a macro", "NAME[=VALUE]");
  app->add_option("--std", o.standard, "the C++ standard; c++20 or later")
      ->type_name("STANDARD")
      ->capture_default_str();
}

void add_kernel(CLI::App* app, KernelChoice& o, bool required) {
  app->add_option("header", o.header, "the C++ header with the kernel")->type_name("HEADER")->required(required);
  app->add_option("--kernel", o.kernel,
                  "a kernel type, or a C++ expression that gives a kernel, as in `Attention<float>{.causal=true}`")
      ->type_name("K")
      ->required(required);
  repeated(app, "--set", o.set, "the value of a meta-parameter", "NAME=VALUE");
  add_cxx(app, o.cxx);
}

CLI::App* add_command(CLI::App& app, const char* name, const char* what, const char* examples, bool& quiet) {
  CLI::App* command = app.add_subcommand(name, what);
  command->footer(examples);
  command->add_flag("--quiet", quiet, "no progress lines");
  return command;
}

void complain(const std::string& text) { std::fprintf(stderr, "tinec: error: %s\n", text.c_str()); }

// The parser's sentences in our style.
std::string our_style(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  if (text.size() > 1 && std::isupper(static_cast<unsigned char>(text[0])) &&
      !std::isupper(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return printable(text);
}

int parse_failed(CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  if (e.get_exit_code() == 0) {  // --help, --version
    std::string text;
    if (dynamic_cast<const CLI::CallForVersion*>(&e)) {
      text = version_text();
    } else {
      text = app.help();
    }
    write_stdout(text);
    return exit_ok;
  }
  const std::vector<std::string> commands = {"list", "emit", "run", "arrange", "build", "link", "devices", "doctor"};
  if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-')
    complain("command " + ticked(argv[1]) + " does not exist; there are " + list_of(nearest_first(argv[1], commands)));
  else if (app.get_subcommands().empty())
    complain("a command is missing" + (argc > 1 ? " before " + ticked(argv[1]) : "") + "; there are " +
             list_of(commands) + ", and `tinec --help` says more");
  else
    complain(our_style(e.what()) + "; `tinec " + app.get_subcommands()[0]->get_name() + " --help` says more");
  return exit_usage;
}

int report(const std::function<void()>& work) {
  try {
    work();
    return exit_ok;
  } catch (const Usage& e) {
    complain(e.what());
    return exit_usage;
  } catch (const CompilerRefused&) {
    return exit_failed;  // the compiler has spoken
  } catch (const Failure& e) {
    complain(e.what());
  } catch (const tine::Error& e) {
    std::string_view file = e.file();
    if (file.starts_with("./")) file.remove_prefix(2);  // compilers put it before what `-include` names
    if (e.line() > 0)
      std::fprintf(stderr, "%s:%d: error: %s\n", std::string(file).c_str(), e.line(), e.message());
    else
      complain(e.message());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& e) {
    complain(e.what());
  } catch (...) {
    complain("the kernel's C++ code threw something that is no std::exception");
  }
  return exit_failed;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("tinec: compiles, runs and shows Tine kernels", "tinec");
  app.footer(tool_examples);
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(), "the versions of Tine, its compiler and LLVM");
  std::function<void()> work;
  bool quiet = false;
  app.add_flag("--quiet", quiet, "no progress lines");

  ListOptions list_options;
  CLI::App* list_app = add_command(app, "list", "what a header exports", list_examples, quiet);
  list_app->add_option("header", list_options.header, "the C++ header")->type_name("HEADER")->required();
  list_app->add_flag("--json", list_options.json, "as JSON");
  add_cxx(list_app, list_options.cxx);
  list_app->callback([&] { work = [&] { list(list_options); }; });

  EmitOptions emit_options;
  CLI::App* emit_app = add_command(app, "emit", "a kernel at a stage of its way to machine code", emit_examples, quiet);
  add_kernel(emit_app, emit_options.choice, true);
  emit_app
      ->add_option("--target", emit_options.target, "`cpu` is this machine, `cpu:x86-64-v3` another, `nvptx:sm_80` a GPU")
      ->type_name("TARGET")
      ->capture_default_str();
  emit_app->add_option("--stage", emit_options.stage, "graph, tine, loops, llvm, asm; graph, tine, layouts, llvm, ptx, cubin, resources")
      ->type_name("STAGE")
      ->required();
  emit_app->add_option("-o,--output", emit_options.output, "a file instead of standard output")->type_name("FILE");
  repeated(emit_app, "--option", emit_options.options, "a compile option, as in `fast_math=1`", "KEY=VALUE");
  repeated(emit_app, "--shape", emit_options.shapes, "the shape of a parameter, as in `a=5x7`", "NAME=SHAPE");
  emit_app->add_flag("--strided", emit_options.strided, "tensors with any strides");
  emit_app->add_option("--align", emit_options.alignment, "what base pointers are aligned to, in bytes")
      ->type_name("BYTES")
      ->capture_default_str();
  emit_app->add_flag("--locations", emit_options.locations, "with the source lines, in stage graph");
  emit_app->callback([&] { work = [&] { emit(emit_options); }; });

  RunOptions run_options;
  CLI::App* run_app = add_command(app, "run", "runs a kernel on .npy files", run_examples, quiet);
  add_kernel(run_app, run_options.choice, true);
  repeated(run_app, "--arg", run_options.arguments, "an argument: a .npy file or a number", "NAME=VALUE");
  repeated(run_app, "--out", run_options.outputs, "where to write a parameter", "NAME=FILE[:SHAPE,DTYPE]");
  repeated(run_app, "--option", run_options.options, "a compile option, as in `fast_math=1`", "KEY=VALUE");
  run_app
      ->add_option("--device", run_options.device,
                   "where to run, as `tinec devices` lists; by default $TINE_DEVICE, else cpu")
      ->type_name("DEVICE");
  run_app->add_option("--threads", run_options.threads, "how many threads run programs; 0: one for each CPU")
      ->type_name("N")
      ->capture_default_str();
  run_app->callback([&] { work = [&] { run(run_options); }; });

  ArrangeOptions arrange_options;
  CLI::App* arrange_app =
      add_command(app, "arrange", "which elements each program of an arrangement sees", arrange_examples, quiet);
  add_kernel(arrange_app, arrange_options.choice, false);
  repeated(arrange_app, "--shape", arrange_options.shapes, "the shape of a parameter, as in `a=5x7`", "NAME=SHAPE");
  arrange_app
      ->add_option("--ops", arrange_options.ops, "evaluates the arrangements of a JSON file; `-` is standard input")
      ->type_name("FILE");
  arrange_app->add_option("-o,--output", arrange_options.output, "a file instead of standard output")
      ->type_name("FILE");
  arrange_app->callback([&] { work = [&] { arrange(arrange_options); }; });

  add_command(app, "devices", "where kernels can run", devices_examples, quiet)->callback([&] { work = devices; });
  add_command(app, "doctor", "what Tine finds on this machine, and what to install", doctor_examples, quiet)->callback([&] {
    work = doctor;
  });
  BuildOptions build_options;
  CLI::App* build_app = add_command(app, "build", "a library of kernels for other programs", build_examples, quiet);
  build_app->add_option("header", build_options.header, "the C++ header with the kernels")->type_name("HEADER");
  repeated(build_app, "--kernel", build_options.kernels,
           "a kernel type or expression, with `NAME=` before it the name of its C function", "[NAME=]K");
  build_app->add_flag("--all", build_options.all, "every kernel that the header exports");
  build_app->add_option("--description", build_options.description, "what to build, as JSON")->type_name("FILE");
  repeated(build_app, "--target", build_options.targets, "targets, with commas between them", "TARGETS");
  build_app->add_option("--name", build_options.name, "the library's name")->type_name("NAME");
  build_app->add_option("-o,--output", build_options.output, "the folder for all that is written")
      ->type_name("DIR")
      ->capture_default_str();
  repeated(build_app, "--set", build_options.set, "the value of a meta-parameter; several make several configs",
           "NAME=VALUE");
  repeated(build_app, "--option", build_options.options, "a compile option, as in `fast_math=1`", "KEY=VALUE");
  build_app->add_option("--abi", build_options.abi, "`tine`, or `ninetoothed` for callers of its launchers")
      ->type_name("ABI");
  build_app->add_option("--tuning", build_options.tuning, "a tuning file, whose configs are taken")->type_name("FILE");
  build_app->add_flag("--tune", build_options.tune,
                      "measure configs on this machine first, and write NAME.tuning.json");
  build_app
      ->add_option("-j,--jobs", build_options.jobs, "how many variants are compiled at a time; 0: one for each CPU")
      ->type_name("N");
  build_app->add_option("--shard", build_options.shard, "compile one part of N only")->type_name("I/N");
  build_app->add_flag("--emit-ninja", build_options.emit_ninja, "write build.ninja and compile nothing");
  build_app->add_flag("--artefacts", build_options.artefacts, "write each artefact as a file too");
  build_app->add_option("--depfile", build_options.depfile, "write what the library depends on, for make or ninja")
      ->type_name("FILE");
  build_app->add_option("--linker", build_options.linker, "a C compiler for the targets' machine, which links")
      ->type_name("COMMAND");
  add_cxx(build_app, build_options.cxx);
  build_app->callback([&] { work = [&] { build(build_options); }; });

  LinkOptions link_options;
  CLI::App* link_app = add_command(app, "link", "a library of the shards of a build", link_examples, quiet);
  link_app->add_option("folders", link_options.folders, "output folders of the shards")->type_name("DIR")->required();
  link_app->add_option("-o,--output", link_options.output, "the folder for all that is written")
      ->type_name("DIR")
      ->capture_default_str();
  link_app->add_flag("--artefacts", link_options.artefacts, "write each artefact as a file too");
  link_app->add_option("--linker", link_options.linker, "a C compiler for the targets' machine, which links")
      ->type_name("COMMAND");
  link_app->add_option("--cxx", link_options.cxx.compiler, "the C++ compiler; by default $CXX, else g++ or clang++")
      ->type_name("COMMAND");
  link_app->callback([&] { work = [&] { link(link_options); }; });

  VariantOptions variant_options;
  CLI::App* variant_app = app.add_subcommand("variant", "one variant of a plan, for build.ninja");
  variant_app->group("");  // not for people
  variant_app->add_option("folder", variant_options.folder)->required();
  variant_app->add_option("key", variant_options.key)->required();
  variant_app->add_option("-o,--output", variant_options.output);
  variant_app->callback([&] { work = [&] { variant(variant_options); }; });

  int code = exit_ok;
  const int failed = report([&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      code = parse_failed(app, e, argc, argv);
      return;
    }
    if (quiet) Progress::silence();
    work();
  });
  return failed ? failed : code;
}

}  // namespace tinec
