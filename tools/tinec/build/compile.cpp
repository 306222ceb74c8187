#include "tools/tinec/build/compile.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "runtime/jit/compile.hpp"
#include "runtime/jit/compiler_library.hpp"
#include "tine/error.hpp"
#include "tools/tinec/build/targets.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t code_limit = 1 << 30;

std::string sizes_text(const Program& p) {
  std::string out;
  for (const Size& s : p.sizes)
    out += " " + s.parameter + ".size(" + std::to_string(s.dim) + ")=" + std::to_string(s.value);
  return out;
}

// Extents that are known at the call only are limited on GPUs, by the largest capacity that was built.
void note_capacities(Plan& plan, const Instance& instance, const Program& p) {
  std::map<std::string, std::pair<int64_t, std::string>> largest;  // of each target, with the extents' names
  for (const Variant& v : p.variants) {
    if (!v.refused.empty() || v.facts.capacities.empty()) continue;
    const tine::launch::TracedKernel kernel(p.graph);
    std::string names;
    for (const auto& c : v.facts.capacities)
      names += (names.empty() ? "" : ", ") + kernel.text(kernel.plan.symbols[static_cast<std::size_t>(c.symbol)]);
    auto& [capacity, of] = largest[plan.targets[static_cast<std::size_t>(v.target)].name];
    capacity = std::max(capacity, v.facts.capacities[0].capacity);
    of = names;
  }
  for (const auto& [target, limit] : largest)
    plan.notes.push_back(ticked(instance.name) + " on " + ticked(target) + " takes up to " +
                         std::to_string(limit.first) + " elements along " + limit.second +
                         "; calls with more are refused (`capacities` in a description)");
}

}  // namespace

Store::Store(std::string folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }

std::string Store::file(const std::string& key, const char* kind) const { return folder_ + "/" + key + "." + kind; }

bool Store::has(const std::string& key) const {
  std::error_code error;
  return fs::exists(file(key, "code"), error) || fs::exists(file(key, "refused"), error);
}
std::string Store::code(const std::string& key) const {
  std::error_code error;
  return fs::exists(file(key, "code"), error) ? read_text(file(key, "code"), code_limit) : "";
}
std::string Store::refusal(const std::string& key) const {
  std::error_code error;
  return fs::exists(file(key, "refused"), error) ? read_text(file(key, "refused"), code_limit) : "";
}
void Store::put(const std::string& key, const std::string& code) const { write_file(file(key, "code"), code); }
void Store::refuse(const std::string& key, const std::string& reason) const {
  write_file(file(key, "refused"), reason);
}

void Store::merge(const Store& other, const std::vector<std::string>& keys) const {
  for (const std::string& key : keys) {
    if (has(key) || !other.has(key)) continue;
    const std::string code = other.code(key);
    code.empty() ? refuse(key, other.refusal(key)) : put(key, code);
  }
}

void Store::keep(const std::vector<std::string>& keys) const {
  const std::set<std::string> kept(keys.begin(), keys.end());
  for (const auto& entry : fs::directory_iterator(folder_))
    if (!kept.count(entry.path().stem().string())) fs::remove(entry.path());
}

std::string describe(const Plan& plan, const Program& p, const Variant& v) {
  return printable(p.graph.kernel) + (p.config.empty() ? "" : " " + p.config) + sizes_text(p) + ", " + v.name + ", " +
         plan.targets[static_cast<std::size_t>(v.target)].name;
}

double compile_variant(const Plan& plan, const Program& p, const Variant& v, const Store& store,
                       const Nearest& nearest) {
  const Target& target = plan.targets[static_cast<std::size_t>(v.target)];
  if (plan.compiler != tine::jit::compiler_library().build_id())
    throw Failure("the plan was made with another build of the compiler");
  if (target.resolved != target.name && target.resolved != describe_target(target.name).resolved)
    throw Failure("target " + ticked(target.name) +
                  " was planned on a machine with another processor; name a level, such as `cpu:x86-64-v3`");
  const auto start = std::chrono::steady_clock::now();
  try {
    const tine::launch::TracedKernel kernel(p.graph);
    tine::jit::Request request{target.name, p.options, "artefact"};
    if (nearest) request.fitting_config = [&] { return nearest(p, v); };
    store.put(v.key, tine::jit::compile(kernel, v.facts, request));
  } catch (const tine::UserError& e) {
    const std::string place = e.line() > 0 ? std::string(e.file()) + ":" + std::to_string(e.line()) + ": " : "";
    store.refuse(v.key, place + e.message());
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

CompileCount compile_variants(const Plan& plan, const std::vector<std::pair<Program*, Variant*>>& wanted,
                              const Store& store, int jobs, const Nearest& nearest) {
  CompileCount count;
  std::vector<std::pair<const Program*, const Variant*>> work;
  std::set<std::string> keys;
  for (const auto& [p, v] : wanted) {
    if (!keys.insert(v->key).second) continue;  // equal code is compiled once
    if (store.has(v->key))
      ++count.unchanged;
    else
      work.emplace_back(p, v);
  }
  std::vector<std::exception_ptr> failures(work.size());
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::mutex output;
  const auto run = [&] {
    for (std::size_t i; !failed && (i = next++) < work.size();) {
      try {
        const double ms = compile_variant(plan, *work[i].first, *work[i].second, store, nearest);
        if (Progress::silent()) continue;
        const std::string what = describe(plan, *work[i].first, *work[i].second);
        std::lock_guard lock(output);
        std::fprintf(stderr, "[%zu/%zu] %s: %.0f ms\n", ++done, work.size(), what.c_str(), ms);
      } catch (...) {
        failures[i] = std::current_exception();
        failed = true;
      }
    }
  };
  std::vector<std::thread> threads;
  const int count_of_threads = std::min<int>(jobs, static_cast<int>(work.size()));
  for (int t = 1; t < count_of_threads; ++t) threads.emplace_back(run);
  run();
  for (std::thread& t : threads) t.join();
  for (const std::exception_ptr& f : failures)
    if (f) std::rethrow_exception(f);
  count.compiled = static_cast<int>(work.size());
  for (const auto& [p, v] : work) count.refused += !store.refusal(v->key).empty();
  return count;
}

void settle(Plan& plan, const Store& store) {
  for (KernelPlan& k : plan.kernels)
    for (Instance& i : k.instances)
      for (Program& p : i.programs) {
        std::vector<std::string> reasons(plan.targets.size());
        std::vector<int> usable(plan.targets.size());
        for (Variant& v : p.variants) {
          if (!store.has(v.key))
            throw Failure("the code of " + describe(plan, p, v) + " is missing; was every shard built?");
          v.refused = store.refusal(v.key);
          const auto t = static_cast<std::size_t>(v.target);
          if (v.refused.empty()) {
            ++usable[t];
            continue;
          }
          if (reasons[t].empty()) reasons[t] = v.refused;
          plan.notes.push_back(describe(plan, p, v) + " is left out: " + v.refused);
        }
        note_capacities(plan, i, p);
        for (std::size_t t = 0; t < plan.targets.size(); ++t)
          if (usable[t] == 0 && !reasons[t].empty())
            throw Failure(ticked(i.name) + " cannot be built for " + ticked(plan.targets[t].name) + ": " + reasons[t]);
      }
  std::sort(plan.notes.begin(), plan.notes.end());
  plan.notes.erase(std::unique(plan.notes.begin(), plan.notes.end()), plan.notes.end());
}

}  // namespace tinec::builder
