#include "runtime/jit/code_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/cache/disk_cache.hpp"
#include "runtime/cache/hash.hpp"
#include "runtime/jit/compiler_library.hpp"
#include "runtime/jit/host_cpu.hpp"
#include "runtime/jit/loader.hpp"
#include "runtime/jit/reproducer.hpp"
#include "runtime/knobs.hpp"

namespace tine::jit {
namespace {

std::atomic<int64_t> compiled{0}, from_disk{0}, compile_ns{0}, load_ns{0};

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void log(const char* what, const launch::TracedKernel& k, int64_t ns) {
  if (knobs::get().log)
    std::fprintf(stderr, "tine: %s %s in %.2f ms\n", what, k.graph.kernel.c_str(), static_cast<double>(ns) / 1e6);
}

cache::DiskCache& disk() {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<cache::DiskCache>> caches;  // more than one only in tests
  std::lock_guard lock(mutex);
  auto& found = caches[cache::default_folder()];
  if (!found)
    found = std::make_unique<cache::DiskCache>(cache::default_folder(),
                                               std::min(knobs::get().cache_limit, INT64_MAX >> 20) << 20);
  return *found;
}

// Build and host target of the compiler. Opening the compiler to ask for them would cost more than loading code from
// disk, so the answer is kept on disk too, under what changes with it: the compiler's file and the processor.
std::string compiler_identity() {
  const std::string file = compiler_file();
  struct stat info {};
  if (file.empty() || ::stat(file.c_str(), &info) != 0) return "";
  const std::string key = "compiler\n" + file + "\n" + std::to_string(info.st_size) + "\n" +
                          std::to_string(info.st_ino) + "\n" + std::to_string(info.st_mtim.tv_sec) + "." +
                          std::to_string(info.st_mtim.tv_nsec) + "\n" + host_cpu();
  if (!compiler_is_open())
    if (std::optional<std::string> known = disk().load(key)) return *known;
  const CompilerLibrary& compiler = compiler_library();
  const std::string identity = std::string(compiler.build_id()) + "\n" + compiler.host_target();
  disk().store(key, identity);
  return identity;
}

// `bug`: what loads cannot be used, whatever the machine.
Found load_code(const std::string& bytes, const launch::TracedKernel& k, bool gpu, std::string& reason, bool& bug) {
  const int64_t start = now_ns();
  Found found;
  if (gpu) {
    found.image = keep_image(bytes, k.plan.slots, reason);
    bug = !found.image;
  } else {
    std::string missing;
    found.code = load(bytes, k.graph.kernel, missing, reason);
    bug = !missing.empty();
  }
  load_ns += now_ns() - start;
  return found;
}

Found make_code(const launch::TracedKernel& k, const graph::Specialization& facts, const Request& wanted) {
  std::string reason, key;
  bool bug = false;
  int64_t start = now_ns();
  const bool use_disk = !disk().folder().empty();
  if (use_disk) {
    if (const std::string compiler = compiler_identity(); !compiler.empty())
      key = cache_key(k, facts, wanted, compiler);
    if (std::optional<std::string> bytes = key.empty() ? std::nullopt : disk().load(key)) {
      if (Found found = load_code(*bytes, k, wanted.gpu(), reason, bug)) {
        ++from_disk;
        log("loaded from disk", k, now_ns() - start);
        return found;
      }  // an entry that does not load is made again
    }
  }
  start = now_ns();
  const std::string bytes = compile(k, facts, wanted);
  const int64_t took = now_ns() - start;
  ++compiled;
  compile_ns += took;
  const Found found = load_code(bytes, k, wanted.gpu(), reason, bug);
  if (!found && !bug) fail(Diag::load_failed, {}, {k.name(), reason});
  if (!found) {
    const std::string file = write_reproducer({graph::serialize(k.graph), graph::serialize(facts), wanted.target,
                                               wanted.options, wanted.stage, reason, compiler_library().build_id()});
    fail(Diag::artefact_bug, {}, {k.name(), reason, file});
  }
  if (!key.empty()) disk().store(key, bytes);
  log("compiled", k, took);
  return found;
}

// One kernel's code, made by the first thread that asks.
struct Entry {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Found> code;
  pid_t maker = 0;  // the process whose thread is making it, 0 if none is: a child of `fork` has no such thread
};

std::mutex entries_mutex;
std::map<std::string, std::shared_ptr<Entry>> entries;

}  // namespace

Statistics statistics() { return {compiled, from_disk, compile_ns, load_ns}; }

std::string cache_key(const launch::TracedKernel& k, const graph::Specialization& facts, const Request& wanted,
                      const std::string& compiler) {
  const std::vector<std::byte> bytes = graph::serialize(facts);
  std::string key = "code\ngraph " + std::to_string(graph::format_version) + " " + k.hash + "\nabi " +
                    std::to_string(TINE_COMPILER_ABI_VERSION) + "\ntarget " + wanted.target + "\noptions " +
                    wanted.options + "\nknobs " + knobs::code_text() + "\ncompiler " + compiler;
  // The hash of a graph leaves the user's files and lines out; code with line tables holds them.
  if (wanted.options.find("line_tables=1") != std::string::npos) {
    const std::vector<std::byte> all = graph::serialize(k.graph);
    key += "\nlocations " + cache::hex(cache::hash(all.data(), all.size()));
  }
  key += "\nfacts ";
  return key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Found find_code(const launch::TracedKernel& k, const graph::Specialization& facts, const Request& wanted) {
  std::shared_ptr<Entry> entry;
  {
    const std::string key = cache_key(k, facts, wanted, "");  // one process has one compiler
    std::lock_guard lock(entries_mutex);
    std::shared_ptr<Entry>& place = entries[key];
    if (!place) place = std::make_shared<Entry>();
    entry = place;
  }
  std::unique_lock lock(entry->mutex);
  while (!entry->code) {
    if (entry->maker == ::getpid()) {
      entry->changed.wait(lock);
      continue;
    }
    entry->maker = ::getpid();
    lock.unlock();
    std::optional<Found> made;
    try {
      made = make_code(k, facts, wanted);
    } catch (...) {
      lock.lock();
      entry->maker = 0;
      entry->changed.notify_all();
      throw;
    }
    lock.lock();
    entry->code = made;
    entry->maker = 0;
    entry->changed.notify_all();
  }
  return *entry->code;
}

void forget_code() {
  std::lock_guard lock(entries_mutex);
  entries.clear();
}

}  // namespace tine::jit
