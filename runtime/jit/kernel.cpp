#include "runtime/jit/kernel.hpp"

#include <algorithm>
#include <exception>

#include "runtime/device/devices.hpp"
#include "runtime/jit/block_model.hpp"
#include "runtime/jit/code_cache.hpp"
#include "runtime/jit/default_config.hpp"
#include "runtime/jit/nearest_config.hpp"
#include "runtime/knobs.hpp"
#include "runtime/launch/checks.hpp"
#include "runtime/launch/device.hpp"
#include "runtime/launch/tile_unit.hpp"
#include "tine/error.hpp"

namespace tine::jit {
namespace {

void read_options(const std::string& text, std::map<std::string, std::string>& out) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string item = text.substr(at, end - at);
    const std::size_t equals = item.find('=');
    if (!item.empty() && (equals == 0 || equals == item.npos)) fail(Diag::option_text, {}, {item});
    if (!item.empty()) out[item.substr(0, equals)] = item.substr(equals + 1);
    at = end + 1;
  }
}

}  // namespace

struct Kernel::Bound {
  Bound(graph::Graph g, std::string o, launch::Device* d, Trace t) : kernel(std::move(g)), options(std::move(o)), device(d), trace(std::move(t)) {}
  Request request() const {
    Request r;
    r.target = device ? device->target() : launch::runnable_target(knobs::get().target, launch::tile_unit());
    r.options = options;
    return r;
  }
  launch::TracedKernel kernel;
  std::string options;
  launch::Device* device;
  Trace trace;

  // ---- of the config that was set, where it leaves block sizes to the model
  bool open = false;
  std::mutex mutex;
  std::vector<std::unique_ptr<Bound>> others;    // under the other candidates, once a call needed them
  bool traced_others = false;
  std::atomic<const Bound*> last{nullptr};       // what the latest call ran
};

// The launch half asks it for the code of a call.
struct Kernel::Call final : launch::CodeSource {
  Call(const Bound& b, std::span<const Argument> a, void* s) : bound(b), arguments(a), stream(s) { device = b.device; }
  launch::Code code(const launch::TracedKernel& k, const graph::Specialization& facts) const override {
    Request request = bound.request();
    request.fitting_config = [this] { return fitting_config(); };
    const Found found = find_code(k, facts, request);
    if (!device) return found.code;
    launch::Code code;
    code.gpu = &device->load(k, *found.image);
    return code;
  }
  /// The compiler itself says what fits this call.
  std::optional<std::string> fitting_config() const;

  const Bound& bound;
  std::span<const Argument> arguments;
  void* stream;
};

namespace {

/// Compiles for a call as far as anything is refused, and runs nothing.
struct Trial final : launch::CodeSource {
  struct Passed {};
  Trial(launch::Device* d, Request r) : request(std::move(r)) {
    device = d;
    request.stage = "layouts";
  }
  launch::Code code(const launch::TracedKernel& k, const graph::Specialization& facts) const override {
    compile(k, facts, request);
    throw Passed{};
  }
  Request request;
};

}  // namespace

std::optional<std::string> Kernel::Call::fitting_config() const {
  const std::optional<FullConfig> nearest = nearest_config(bound.kernel.graph, bound.options, [&](const FullConfig& config) {
    Request request = bound.request();
    request.options = config.options;
    const launch::TracedKernel other(bound.trace(config.metas));
    try {
      launch::call(other, arguments, {1, stream}, Trial(device, request));
    } catch (const Trial::Passed&) {
      return true;
    }
    return false;
  });
  return nearest ? std::optional(jit::config_text(*nearest)) : std::nullopt;
}

namespace {

// What a thread knows of choices: the config for calls of a kernel with certain sizes.
struct Choice {
  uint64_t kernel = 0;  // TracedKernel::id of the config that was set
  int threads = 0;
  std::vector<int64_t> sizes;
  const void* chosen = nullptr;
};
constexpr std::size_t choice_count = 64, most_configs = 64;
thread_local Choice choices[choice_count];

std::vector<Config> other_configs(const graph::Graph& g, const Config& set) {
  std::vector<Config> all{set};
  for (const graph::Meta& m : g.metas) {
    if (m.candidates.size() < 2 || std::any_of(set.begin(), set.end(), [&](const auto& v) { return v.first == m.name; })) continue;
    if (all.size() * m.candidates.size() > most_configs) continue;
    std::vector<Config> next;
    for (const Config& c : all)
      for (const int64_t candidate : m.candidates) {
        next.push_back(c);
        next.back().emplace_back(m.name, candidate);
      }
    all = std::move(next);
  }
  all.erase(all.begin());  // the first candidates
  return all;
}

}  // namespace

Kernel::Kernel(Trace trace) : trace_(std::move(trace)) { bound(); }

Kernel::Kernel(const Kernel& o) : trace_(o.trace_), config_(o.config_), options_(o.options_), threads_(o.threads_), device_(o.device_) {
  std::lock_guard lock(o.mutex_);
  owned_ = o.owned_;
  bound_.store(owned_.get(), std::memory_order_release);
}

Kernel::~Kernel() = default;

Kernel::Bound& Kernel::bound() const {
  if (Bound* b = bound_.load(std::memory_order_acquire)) return *b;
  std::lock_guard lock(mutex_);
  if (!owned_) {
    launch::Device* on = device();
    owned_ = std::make_shared<Bound>(trace_(on ? default_config(trace_, config_) : config_), options_text(), on, trace_);
    owned_->open = !owned_->device && multiplies(owned_->kernel.graph) && !other_configs(owned_->kernel.graph, config_).empty();
  }
  bound_.store(owned_.get(), std::memory_order_release);
  return *owned_;
}

const Kernel::Bound& Kernel::bound_for(std::span<const Argument> arguments) const {
  Bound& set = bound();
  if (!set.open) return set;
  const int threads = launch::thread_count(threads_);
  uint64_t h = set.kernel.id * 0x9e3779b97f4a7c15 + static_cast<uint64_t>(threads);
  for (const Argument& a : arguments)
    for (int d = 0; d < a.rank; ++d) {
      h = (h ^ static_cast<uint64_t>(a.dims[d])) * 0xe7037ed1a0b428db;
      h ^= h >> 32;
    }
  Choice& known = choices[h % choice_count];
  const auto same_sizes = [&] {
    const int64_t* size = known.sizes.data();
    for (const Argument& a : arguments)
      for (int d = 0; d < a.rank; ++d)
        if (*size++ != a.dims[d]) return false;
    return true;
  };
  if (known.kernel != set.kernel.id || known.threads != threads || !same_sizes()) {
    known.chosen = &choose(set, arguments, threads);
    known.kernel = set.kernel.id;
    known.threads = threads;
    known.sizes.clear();
    for (const Argument& a : arguments) known.sizes.insert(known.sizes.end(), a.dims, a.dims + a.rank);
  }
  const Bound& chosen = *static_cast<const Bound*>(known.chosen);
  set.last.store(&chosen, std::memory_order_relaxed);
  return chosen;
}

const Kernel::Bound& Kernel::choose(Bound& set, std::span<const Argument> arguments, int threads) const {
  std::lock_guard lock(set.mutex);
  if (!set.traced_others) {
    for (const Config& config : other_configs(set.kernel.graph, config_)) {
      try {
        set.others.push_back(std::make_unique<Bound>(trace_(config), set.options, set.device, trace_));
      } catch (const std::exception&) {  // candidates that do not go together
      }
    }
    set.traced_others = true;
  }
  const HostModel host = host_model(threads);
  const Bound* best = &set;
  // Another config must be clearly better than the first, which was measured; among the others the best one wins.
  constexpr double clearly = 0.95;
  std::optional<double> least = estimate(set.kernel, arguments, host);
  if (!least) return set;
  *least *= clearly;
  for (const std::unique_ptr<Bound>& other : set.others)
    if (const std::optional<double> time = estimate(other->kernel, arguments, host); time && *time < *least) best = other.get(), least = time;
  return *best;
}

const launch::TracedKernel& Kernel::traced() const { return bound().kernel; }

void Kernel::set_meta(const std::string& name, int64_t value) {
  const launch::TracedKernel& k = traced();
  const auto& metas = k.graph.metas;
  if (std::none_of(metas.begin(), metas.end(), [&](const graph::Meta& m) { return m.name == name; })) {
    std::string names;
    for (const graph::Meta& m : metas) names += (names.empty() ? "" : ", ") + ticked(m.name);
    fail(Diag::unknown_meta, {}, {k.name(), name, names.empty() ? "none" : names});
  }
  if (value <= 0) fail(Diag::meta_value, {}, {k.name(), name, std::to_string(value)});
  std::erase_if(config_, [&](const auto& item) { return item.first == name; });
  config_.emplace_back(name, value);
  std::sort(config_.begin(), config_.end());
  bound_ = nullptr;
  owned_ = nullptr;
}

void Kernel::set_option(const std::string& key, const std::string& value) {
  if (key.empty() || key.find_first_of("=;") != key.npos || value.find(';') != value.npos)
    fail(Diag::option_text, {}, {key + "=" + value});
  if (value.empty())
    options_.erase(key);
  else
    options_[key] = value;
  bound_ = nullptr;
  owned_ = nullptr;
}

void Kernel::set_threads(int threads) {
  if (threads < 0) fail(Diag::bad_threads, {}, {std::to_string(threads)});
  threads_ = threads;
}

void Kernel::set_device(const std::string& name) {
  device_ = device::find(name);
  bound_ = nullptr;
  owned_ = nullptr;
}

launch::Device* Kernel::device() const { return device_ ? *device_ : device::find(knobs::get().device); }

std::string Kernel::options_text() const {
  std::map<std::string, std::string> options;
  const launch::Device* d = device();
  if (d && d->uses_line_tables()) options["line_tables"] = "1";
  // Products are blocked for this machine's caches. The compiler's own assumption needs no words.
  if (const int64_t kib = std::clamp<int64_t>(host_model(1).l2 >> 10, 64, 1 << 20); !d && kib != 1024) options["l2"] = std::to_string(kib);
  read_options(knobs::get().options, options);
  for (const auto& [key, value] : options_) options[key] = value;
  std::string text;
  for (const auto& [key, value] : options) text += (text.empty() ? "" : ";") + key + "=" + value;
  return text;
}

Request Kernel::request() const {
  const Bound& b = bound();
  const launch::Visit visit(b.device, nullptr);
  return b.request();
}

void Kernel::call(std::span<const Argument> arguments, void* stream) const {
  const Bound& b = bound_for(arguments);
  launch::call(b.kernel, arguments, {threads_, stream}, Call(b, arguments, stream));
}

void Kernel::checked_call(std::span<const Argument> arguments, void* stream) const {
  launch::check_kinds(traced(), arguments);
  call(arguments, stream);
}

int64_t Kernel::programs(std::span<const Argument> arguments) const {
  launch::check_kinds(traced(), arguments);
  const launch::TracedKernel& k = bound_for(arguments).kernel;
  launch::check_sizes(k, arguments);
  return launch::count_programs(k, arguments);
}

std::string Kernel::config_text() const {
  const Bound& set = bound();
  const Bound* last = set.last.load(std::memory_order_relaxed);
  return jit::config_text((last ? last : &set)->kernel.graph);
}

}  // namespace tine::jit
