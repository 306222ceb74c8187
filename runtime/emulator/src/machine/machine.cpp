// The public Machine: load, find, launch; blocks run on host threads.
#include "tine/emulator/machine.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <fstream>
#include <sstream>
#include <thread>

#include "decode/module.hpp"
#include "machine/link.hpp"

namespace tine::emulator {

using namespace detail;

struct Machine::Impl {
  explicit Impl(std::shared_ptr<Memory> m) : memory(m ? std::move(m) : std::make_shared<Memory>()), linker(*memory) {}
  std::shared_ptr<Memory> memory;
  std::vector<std::unique_ptr<ModuleCode>> modules;
  Linker linker;
};

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::usage, "", 0, why); }

// Takes blocks in order until there are none. A block that spins for another one is set aside after a while, so that the other gets its turn.
class Pool {
 public:
  Pool(Launch& l, std::uint32_t blocks) : l_(l), blocks_(blocks) {}

  void run(unsigned threads) {
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < threads; ++i) helpers.emplace_back([this] { work(); });
    work();
    for (std::thread& t : helpers) t.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    try {
      std::unique_ptr<Block> spare;
      constexpr std::uint64_t kTurn = 2'000'000;
      while (!l_.abort.load(std::memory_order_relaxed)) {
        std::unique_ptr<Block> b;
        bool fresh = false;
        std::uint32_t linear = 0;
        {
          const std::lock_guard<std::mutex> lock(mutex_);
          // New blocks first while there is room, then those set aside.
          if (next_ < blocks_ && (aside_.size() < kResident || aside_.empty())) {
            linear = next_++;
            fresh = true;
          } else if (!aside_.empty()) {
            b = std::move(aside_.front());
            aside_.pop_front();
          } else
            return;
        }
        if (fresh) {
          b = spare ? std::move(spare) : std::make_unique<Block>();
          start_block(*b, l_, linear);
        }
        if (run_block(*b, kTurn)) {
          finish_block(*b);
          spare = std::move(b);
        } else {
          const std::lock_guard<std::mutex> lock(mutex_);
          aside_.push_back(std::move(b));
        }
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      l_.abort.store(true, std::memory_order_relaxed);
    }
  }

  static constexpr std::size_t kResident = 256;
  Launch& l_;
  std::uint32_t blocks_;
  std::mutex mutex_;
  std::uint32_t next_ = 0;
  std::deque<std::unique_ptr<Block>> aside_;
  std::exception_ptr failure_;
};

}  // namespace

Machine::Machine(std::shared_ptr<Memory> memory) : impl_(std::make_unique<Impl>(std::move(memory))) {}
Machine::~Machine() = default;

void Machine::load(std::string_view ptx, const std::string& name) {
  std::unique_ptr<ModuleCode> m = decode(ptx, name);
  impl_->linker.add(*m);
  impl_->modules.push_back(std::move(m));
}

void Machine::load_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse("cannot read " + path);
  std::stringstream text;
  text << in.rdbuf();
  load(text.str(), path);
}

std::vector<std::string> Machine::kernels() const {
  std::vector<std::string> names;
  for (const Function* f : impl_->linker.entries()) names.push_back(f->name);
  return names;
}

const KernelInfo& Machine::kernel(const std::string& name) const {
  std::string known;
  for (const Function* f : impl_->linker.entries()) {
    if (f->name == name) return f->info;
    known += (known.empty() ? "`" : ", `") + f->name + "`";
  }
  refuse("no kernel `" + name + "`" + (known.empty() ? "; the loaded modules have none" : "; there are " + known));
}

DevicePtr Machine::variable(const std::string& name, std::size_t& size) {
  impl_->linker.resolve_variables();
  const Variable* v = impl_->linker.variable(name);
  if (v == nullptr) refuse("no variable `" + name + "`");
  size = v->size;
  return v->address;
}

Memory& Machine::memory() { return *impl_->memory; }

Report Machine::launch(const std::string& name, const LaunchConfig& config, const std::vector<Argument>& arguments, const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const KernelInfo& info = kernel(name);
  std::uint64_t blocks = 1, threads = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    if (config.grid[k] == 0 || config.block[k] == 0) refuse("a grid or block dimension of 0");
    if (config.grid[k] > (k == 0 ? 0x7FFFFFFFu : 65535u)) refuse("the grid is too large in dimension " + std::to_string(k));
    blocks *= config.grid[k];
    threads *= config.block[k];
    if (blocks > 0x7FFFFFFFull) refuse("more than 2^31 - 1 blocks");
    if (threads > kMaxBlockThreads) refuse("a block of more than " + std::to_string(kMaxBlockThreads) + " threads");
  }
  if (config.block[2] > 64) refuse("a block may be 64 deep in z");
  const auto& most = info.max_threads;
  if (most[0] != 0 && threads > std::uint64_t{most[0]} * most[1] * most[2]) refuse("kernel `" + name + "` is declared with .maxntid " + std::to_string(most[0]) + ", " + std::to_string(most[1]) + ", " + std::to_string(most[2]) + ": a block of " + std::to_string(threads) + " threads is more");
  const auto& need = info.required_threads;
  if (need[0] != 0 && (need[0] != config.block[0] || need[1] != config.block[1] || need[2] != config.block[2])) refuse("kernel `" + name + "` is declared with .reqntid: the block must have exactly that shape");
  if (arguments.size() != info.parameters.size()) refuse("kernel `" + name + "` has " + std::to_string(info.parameters.size()) + " parameters, " + std::to_string(arguments.size()) + " arguments were given");

  impl_->linker.resolve_variables();
  const LinkedKernel& linked = impl_->linker.kernel(name);
  if (std::uint64_t{linked.static_shared} + config.shared_bytes > kMaxSharedBytes) refuse("kernel `" + name + "` with " + std::to_string(linked.static_shared) + " static and " + std::to_string(config.shared_bytes) + " dynamic bytes of shared memory exceeds " + std::to_string(kMaxSharedBytes));

  Launch l(static_cast<std::size_t>(std::min<std::uint64_t>(blocks, 1u << 20)));
  l.kernel = &linked;
  l.options = options;
  l.config = config;
  l.memory = impl_->memory.get();
  l.id = impl_->memory->next_launch();
  if ((l.id & 0xFF) == 0) l.id = impl_->memory->next_launch();  // 0 marks "never"
  l.block_threads = static_cast<std::uint32_t>(threads);
  l.shared_bytes = linked.dynamic_base + config.shared_bytes;
  l.check_unwritten = options.mode(DiagnosticClass::unwritten_read) != Mode::off;
  l.check_shared_race = options.mode(DiagnosticClass::shared_race) != Mode::off;
  l.check_global_race = options.mode(DiagnosticClass::global_race) != Mode::off && blocks > 1;
  l.check_thread_race = options.mode(DiagnosticClass::global_race) != Mode::off && l.check_shared_race && threads > 1;
  l.check_pending = options.mode(DiagnosticClass::async_pending) != Mode::off;
  l.count_lines = options.counters;
  l.parameters.assign(info.parameter_bytes, 0);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ParameterInfo& p = info.parameters[i];
    if (arguments[i].bytes.size() != p.size) refuse("argument " + std::to_string(i) + " of kernel `" + name + "` has " + std::to_string(arguments[i].bytes.size()) + " bytes, parameter `" + p.name + "` (." + p.type + ") " + std::to_string(p.size));
    std::copy(arguments[i].bytes.begin(), arguments[i].bytes.end(), l.parameters.begin() + p.offset);
  }
  unsigned workers = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  workers = static_cast<unsigned>(std::min<std::uint64_t>(workers, blocks));
  if (options.trace_warp >= 0) workers = 1;
  if ((l.id & 0xFF) == 1 && l.id > 1) impl_->memory->forget_races();
  Pool(l, static_cast<std::uint32_t>(blocks)).run(workers);

  Report r;
  r.kernel = name;
  r.aborted = l.abort.load();
  r.counts = l.counts;
  std::sort(l.results.begin(), l.results.end(), [](const BlockResult& a, const BlockResult& b) { return a.linear < b.linear; });
  std::map<std::pair<std::uint8_t, std::pair<std::string, std::uint32_t>>, std::size_t> seen;
  for (BlockResult& b : l.results) {
    r.output += b.output;
    for (Diagnostic& d : b.diagnostics) {
      const auto key = std::make_pair(static_cast<std::uint8_t>(d.cls), std::make_pair(d.module, d.line));
      if (const auto it = seen.find(key); it != seen.end())
        r.diagnostics[it->second].count += d.count;
      else if (r.diagnostics.size() < options.max_diagnostics) {
        seen.emplace(key, r.diagnostics.size());
        r.diagnostics.push_back(std::move(d));
      } else
        ++r.diagnostics_dropped;
    }
  }
  for (const auto& [key, c] : l.lines) {
    LineStats s;
    const auto f = static_cast<std::size_t>(key >> 32);
    s.module = *linked.module_of[f];
    s.line = static_cast<std::uint32_t>(key);
    const Function& fn = *linked.functions[f].fn;
    for (std::uint32_t pc = 0; pc < fn.code.size(); ++pc) {
      if (fn.code[pc].line != s.line) continue;
      for (const auto& loc : fn.locations) {
        if (loc.first > pc) break;
        s.source_line = loc.second.second;
        for (const auto& [n, file] : linked.ast_of[f]->files)
          if (n == loc.second.first) s.source_file = file;
      }
      break;
    }
    s.global_requests = c.global_requests;
    s.global_sectors = c.global_sectors;
    s.global_bytes = c.global_bytes;
    s.shared_requests = c.shared_requests;
    s.shared_wavefronts = c.shared_wavefronts;
    s.shared_ideal = c.shared_ideal;
    r.lines.push_back(std::move(s));
  }
  std::sort(r.lines.begin(), r.lines.end(), [](const LineStats& a, const LineStats& b) { return std::tie(a.module, a.line) < std::tie(b.module, b.line); });
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return r;
}

void check(std::string_view ptx, const std::string& name) { decode(ptx, name); }

}  // namespace tine::emulator
