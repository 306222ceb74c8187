// tinec build, link and variant.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "runtime/launch/thread_pool.hpp"
#include "tools/tinec/build/compile.hpp"
#include "tools/tinec/build/library.hpp"
#include "tools/tinec/build/nearest.hpp"
#include "tools/tinec/build/ninja.hpp"
#include "tools/tinec/build/plan.hpp"
#include "tools/tinec/build/request.hpp"
#include "tools/tinec/build/tracer.hpp"
#include "tools/tinec/build/tune.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

using namespace builder;
namespace fs = std::filesystem;

void say(const std::string& text) {
  if (!Progress::silent()) std::fprintf(stderr, "tinec: %s\n", text.c_str());
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error))
    throw Failure("the output directory " + ticked(folder) + " cannot be made" + (error ? ": " + error.message() : ""));
  check_writable(folder + "/manifest.json");
}

struct Shard {
  std::size_t index = 0, count = 1;
};

Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const auto index = parse_integer(text.substr(0, slash)),
             count = slash == text.npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count)
    throw Usage("`--shard` takes `I/N` with I from 1 to N, not " + ticked(text));
  return {static_cast<std::size_t>(*index - 1), static_cast<std::size_t>(*count)};
}

std::vector<std::string> keys_of(Plan& plan) {
  std::vector<std::string> out;
  for (const auto& [p, v] : all_variants(plan)) out.push_back(v->key);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Which share of the work a variant is: by its key, so that every machine says the same.
bool in_shard(const std::vector<std::string>& keys, const std::string& key, Shard s) {
  const auto at = static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
  return at % s.count == s.index;
}

std::string blanks_escaped(const std::string& file) {
  std::string out;
  for (const char c : file) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

void write_depfile(const std::string& path, const std::string& target, const std::vector<std::string>& files) {
  std::string text = blanks_escaped(target) + ":";
  for (const std::string& f : files) text += " \\\n  " + blanks_escaped(f);
  write_file(path, text + "\n");
}

std::string plural(int n, const std::string& one, const std::string& more) {
  return std::to_string(n) + " " + (n == 1 ? one : more);
}

void finish(Plan& plan, const Store& store, const Toolchain& tools, const std::string& output, const std::string& work,
            bool artefacts, const std::string& counts) {
  settle(plan, store);
  const bool written = write_library(plan, store, tools, output, work + "/link");
  if (artefacts) write_artefacts(plan, store, output);
  for (const std::string& note : plan.notes) say("note: " + note);
  say(plan.library + ": " + counts + "; library " + (written ? "written" : "unchanged"));
}

}  // namespace

void build(const BuildOptions& o) {
  const Shard shard = parse_shard(o.shard);
  Request request = read_request(o);
  if (shard.count > 1 && (o.emit_ninja || o.tune))
    throw Usage("`--shard` cannot be combined with `--emit-ninja` or `--tune`");
  make_folder(o.output);
  const std::string work = o.output + "/" + request.name + ".build";
  Tracer tracer(work, request.cxx);
  if (o.tune) request.tuning = tune(request, tracer, o.output + "/" + request.name + ".tuning.json");
  const Store store(work + "/code");
  Plan plan = make_plan(request, tracer, store);
  tracer.save();
  write_plan(plan, work, tracer.graphs());
  if (!o.depfile.empty()) {
    std::vector<std::string> files = tracer.files();
    for (const std::string& f : {o.description, request.tuning})
      if (!f.empty()) files.push_back(f);
    write_depfile(o.depfile, o.output + "/lib" + plan.library + ".so", files);
  }
  const Toolchain tools{request.cxx, o.linker};
  if (o.emit_ninja) {
    write_ninja(plan, o, work);
    say(plan.library + ": " + o.output + "/build.ninja written");
    return;
  }
  const std::vector<std::string> keys = keys_of(plan);
  std::vector<std::pair<Program*, Variant*>> wanted;
  for (const auto& item : all_variants(plan))
    if (in_shard(keys, item.second->key, shard)) wanted.push_back(item);
  const CompileCount count =
      compile_variants(plan, wanted, store, o.jobs > 0 ? o.jobs : tine::launch::available_cpus(),
                       nearest_by_trial(plan, tracer));
  store.keep(keys);
  const std::string counts = plural(tracer.compiled(), "header", "headers") + " compiled, " +
                             plural(count.compiled, "variant", "variants") + " compiled, " +
                             std::to_string(count.unchanged) + " unchanged";
  if (shard.count > 1)
    say(plan.library + ", shard " + o.shard + ": " + counts + "; `tinec link` joins the shards");
  else
    finish(plan, store, tools, o.output, work, o.artefacts, counts);
}

void link(const LinkOptions& o) {
  make_folder(o.output);
  std::vector<std::string> works;
  for (const std::string& folder : o.folders) {
    std::error_code error;
    if (fs::exists(folder + "/plan.json", error)) {
      works.push_back(folder);
      continue;
    }
    std::vector<std::string> found;
    if (fs::is_directory(folder, error))
      for (const auto& entry : fs::directory_iterator(folder))
        if (fs::exists(entry.path() / "plan.json", error)) found.push_back(entry.path().string());
    if (found.size() != 1)
      throw Failure(ticked(folder) + (found.empty()
                                          ? " holds no build of a library"
                                          : " holds builds of several libraries; name one of " + list_of(found)));
    works.push_back(found[0]);
  }
  Plan plan = read_plan(works[0]);
  const std::string id = plan_id(plan);
  for (std::size_t i = 1; i < works.size(); ++i)
    if (plan_id(read_plan(works[i])) != id)
      throw Failure(ticked(works[i]) + " and " + ticked(works[0]) +
                    " were built from different headers, descriptions, targets or compilers");
  const std::string work = o.output + "/" + plan.library + ".build";
  write_plan(plan, work, {});
  const Store store(work + "/code");
  const std::vector<std::string> keys = keys_of(plan);
  for (const std::string& w : works)
    if (std::error_code error; !fs::equivalent(w, work, error)) store.merge(Store(w + "/code"), keys);
  finish(plan, store, {o.cxx, o.linker}, o.output, work, o.artefacts,
         plural(static_cast<int>(keys.size()), "variant", "variants") + " joined");
}

void variant(const VariantOptions& o) {
  Plan plan = read_plan(o.folder);
  const Store store(o.folder + "/code");
  for (const auto& [p, v] : all_variants(plan))
    if (v->key == o.key) {
      if (!store.has(o.key)) compile_variant(plan, *p, *v, store);
      if (!o.output.empty())
        write_file(o.output, "");  // build files want a file that is there whatever the compiler said
      return;
    }
  throw Failure(ticked(o.folder) + " has no variant " + ticked(o.key));
}

}  // namespace tinec
