#include "tools/tinec/build/library.hpp"

#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "codegen/abi/gpu_artefact.h"
#include "runtime/aot/pack.hpp"
#include "runtime/cache/hash.hpp"
#include "tools/tinec/build/manifest.hpp"
#include "tools/tinec/build/pack_writer.hpp"
#include "tools/tinec/build/sources.hpp"
#include "tools/tinec/build/targets.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/locate.hpp"
#include "tools/tinec/process.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
constexpr std::size_t limit = std::size_t{4} << 30;

std::string hash_of(const std::string& bytes) { return tine::cache::hex(tine::cache::hash(bytes)); }

// Runs a tool of the toolchain to its end.
void run(const Words& words, const std::string& what) {
  const HoldSignals hold;
  try {
    if (run_program(words, hold, false) != 0) throw Failure(ticked(words[0]) + " failed to " + what);
  } catch (const Interrupted& i) {
    ::signal(i.signal, SIG_DFL);
    ::raise(i.signal);
    pthread_sigmask(SIG_SETMASK, &hold.before(), nullptr);
    throw Failure("interrupted");
  }
}

Words split(const std::string& text) {
  Words out;
  std::istringstream words(text);
  for (std::string w; words >> w;) out.push_back(w);
  return out;
}

// The C compiler for a machine, which also links.
Words compiler_for(const std::string& machine, const Toolchain& tools) {
  if (!tools.linker.empty()) return split(tools.linker);
  if (machine == this_machine()) return compiler_words(tools.cxx);
  const std::string cross = machine + "-linux-gnu-g++";
  if (on_path(cross)) return {cross};
  throw Failure("no compiler for " + ticked(machine) + " was found; install " + ticked(cross) +
                ", or name one with `--linker`");
}

// A tool that belongs to a compiler: `aarch64-linux-gnu-ar` of `aarch64-linux-gnu-gcc`.
std::string tool_of(const Words& compiler, const std::string& name) {
  std::string program = compiler.back();
  for (const std::string& w : compiler)
    if (w[0] != '-') program = w;
  const std::size_t slash = program.rfind('/');
  const std::string file = slash == program.npos ? program : program.substr(slash + 1);
  for (const char* suffix : {"-g++", "-gcc"})
    if (const std::size_t at = file.find(suffix); at != file.npos) {
      const std::string prefixed = file.substr(0, at) + "-" + name;
      if (on_path(prefixed)) return prefixed;
    }
  for (const std::string& candidate : {name, "llvm-" + name + "-22", "llvm-" + name})
    if (on_path(candidate)) return candidate;
  throw Failure(ticked(name) + " was not found; it comes with the package `binutils`");
}

// What the run time is compiled with for a machine other than this; the same as in runtime/aot/CMakeLists.txt.
const Words runtime_options = {"-std=c++20",
                               "-O2",
                               "-fPIC",
                               "-fno-exceptions",
                               "-fno-rtti",
                               "-fno-threadsafe-statics",
                               "-fvisibility=hidden",
                               "-fvisibility-inlines-hidden",
                               "-ffunction-sections",
                               "-x",
                               "c++",
                               "-c"};

// Archive, or objects, with the run time.
Words runtime_for(const std::string& machine, const Words& compiler, const AotFiles& files, const std::string& work) {
  if (machine == this_machine()) return {files.archive};
  Words out;
  std::string key;
  for (const std::string& w : compiler) key += w + "\n";
  for (const std::string& s : files.sources) key += hash_of(read_text(s, limit));
  const std::string folder = work + "/runtime-" + machine + "-" + hash_of(key).substr(0, 16);
  fs::create_directories(folder);
  for (const std::string& source : files.sources) {
    const std::string object = folder + "/" + fs::path(source).stem().string() + ".o";
    std::error_code error;
    if (!fs::exists(object, error)) {
      Words words = compiler;
      words.insert(words.end(), runtime_options.begin(), runtime_options.end());
      for (const std::string& i : files.includes) words.push_back("-I" + i);
      words.insert(words.end(), {source, "-o", object + ".new"});
      run(words, "compile the run time");
      fs::rename(object + ".new", object);
    }
    out.push_back(object);
  }
  return out;
}

// Groups of equal functions are dissolved, else the linker of a program would take one library's for another's that are
// local there. Each symbol that no user shall see becomes local, so that several libraries of several versions live in
// one program.
void link(const Plan& plan, const Words& compiler, const Words& runtime, const std::string& folder,
          const std::string& work) {
  const std::string entry = work + "/entry.o", joined = work + "/" + plan.library + ".o",
                    archive = work + "/lib" + plan.library + ".a", shared = work + "/lib" + plan.library + ".so";
  Words words = compiler;
  words.insert(words.end(), {"-x", "c", "-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-g0", "-Wa,-I" + work,
                             "-c", work + "/entry.c", "-o", entry});
  run(words, "compile the entry points");

  words = compiler;
  words.insert(words.end(),
               {"-shared", "-nostdlib", "-Wl,-soname,lib" + plan.library + ".so", "-Wl,--build-id=none", "-Wl,-z,defs",
                "-Wl,-z,nodelete", "-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", "-s", entry});
  words.insert(words.end(), runtime.begin(), runtime.end());
  words.insert(words.end(), {"-lc", "-lgcc", "-o", shared});
  run(words, "link the shared library");

  words = compiler;
  words.insert(words.end(), {"-r", "-nostdlib", "-Wl,--force-group-allocation", entry});
  words.insert(words.end(), runtime.begin(), runtime.end());
  words.insert(words.end(), {"-o", joined});
  run(words, "join the objects of the static library");
  run({tool_of(compiler, "objcopy"), "--localize-hidden", "--strip-unneeded", joined},
      "hide the symbols of the static library");
  fs::remove(archive);
  run({tool_of(compiler, "ar"), "rcsD", archive, joined}, "write the static library");
  for (const std::string& file : {archive, shared}) {
    const std::string to = folder + "/" + fs::path(file).filename().string();
    write_file(to, read_text(file, limit));
    if (file == shared) ::chmod(to.c_str(), 0755);
  }
}

std::string file_word(const std::string& text) {
  std::string out;
  for (const char c : text) out += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ? c : '_';
  return out;
}

}  // namespace

bool write_library(const Plan& plan, const Store& store, const Toolchain& tools, const std::string& folder,
                   const std::string& work) {
  const AotFiles files = aot_files();
  const std::string machine = machine_of(plan.targets), abi = read_text(files.abi_header, 1 << 20);
  const Words compiler = compiler_for(machine, tools);
  fs::create_directories(work);
  const std::string pack = write_pack(plan, store), source = entry_source(plan, abi);
  std::vector<std::pair<std::string, std::string>> texts = headers(plan, abi);

  std::string key = hash_of(pack) + hash_of(source) + machine + TINE_VERSION;
  for (const std::string& w : compiler) key += w + "\n";
  for (const std::string& f : machine == this_machine() ? Words{files.archive} : files.sources)
    key += hash_of(read_text(f, limit));
  key = hash_of(key);
  const std::string shared = "lib" + plan.library + ".so", archive = "lib" + plan.library + ".a",
                    record = work + "/linked";
  std::error_code error;
  bool changed = !fs::exists(record, error) || read_text(record, 1 << 20) != key ||
                 !fs::exists(folder + "/" + shared, error) || !fs::exists(folder + "/" + archive, error);
  if (changed) {
    const Progress progress("linking " + plan.library);
    fs::remove(record, error);
    write_file(work + "/pack.bin", pack);
    write_file(work + "/entry.c", source);
    link(plan, compiler, runtime_for(machine, compiler, files, work), folder, work);
    write_file(record, key);
  }
  std::vector<std::pair<std::string, std::string>> all = texts;
  for (const std::string& f : {shared, archive}) all.emplace_back(f, read_text(folder + "/" + f, limit));
  texts.emplace_back("manifest.json", manifest(plan, store, all));
  for (const auto& [name, text] : texts) {
    const std::string file = folder + "/" + name;
    if (fs::exists(file, error) && read_text(file, limit) == text) continue;
    write_file(file, text);
    changed = true;
  }
  return changed;
}

void write_artefacts(const Plan& plan, const Store& store, const std::string& folder) {
  const std::string to = folder + "/artefacts";
  fs::create_directories(to);
  for (const KernelPlan& k : plan.kernels)
    for (const Instance& i : k.instances)
      for (const Program& p : i.programs)
        for (const Variant& v : p.variants) {
          if (!v.refused.empty()) continue;
          const Target& target = plan.targets[static_cast<std::size_t>(v.target)];
          std::string code = store.code(v.key), kind = "so";
          tine_gpu_artefact gpu;
          if (target.device != tine::aot::device_cpu && !tine_gpu_artefact_read(code.data(), code.size(), &gpu)) {
            kind = gpu.code == TINE_GPU_PTX ? "ptx" : gpu.code == TINE_GPU_CUBIN ? "cubin" : "hsaco";
            code = code.substr(gpu.code_offset, gpu.code_size - (gpu.code == TINE_GPU_PTX));
          }
          write_file(to + "/" + k.name + "-" + file_word(v.name) + "-" + file_word(target.name) + "-" +
                         v.key.substr(0, 8) + "." + kind,
                     code);
        }
}

}  // namespace tinec::builder
