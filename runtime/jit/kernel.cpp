#include "runtime/jit/kernel.hpp"

#include <algorithm>

#include "runtime/device/devices.hpp"
#include "runtime/jit/code_cache.hpp"
#include "runtime/knobs.hpp"
#include "runtime/launch/checks.hpp"
#include "runtime/launch/device.hpp"

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

// The launch half asks it for code.
struct Kernel::Bound final : launch::CodeSource {
  Bound(graph::Graph g, std::string o, launch::Device* d) : kernel(std::move(g)), options(std::move(o)) { device = d; }
  launch::Code code(const launch::TracedKernel& k, const graph::Specialization& facts) const override {
    const Found found = find_code(k, facts, request());
    if (!device) return found.code;
    launch::Code code;
    code.gpu = &device->load(k, *found.image);
    return code;
  }
  Request request() const {
    Request r;
    r.target = device ? device->target() : knobs::get().target;
    r.options = options;
    return r;
  }
  launch::TracedKernel kernel;
  std::string options;
};

Kernel::Kernel(Trace trace) : trace_(std::move(trace)) { bound(); }

Kernel::Kernel(const Kernel& o) : trace_(o.trace_), config_(o.config_), options_(o.options_), threads_(o.threads_), device_(o.device_) {
  std::lock_guard lock(o.mutex_);
  owned_ = o.owned_;
  bound_.store(owned_.get(), std::memory_order_release);
}

Kernel::~Kernel() = default;

const Kernel::Bound& Kernel::bound() const {
  if (const Bound* b = bound_.load(std::memory_order_acquire)) return *b;
  std::lock_guard lock(mutex_);
  if (!owned_) owned_ = std::make_shared<Bound>(trace_(config_), options_text(), device());
  bound_.store(owned_.get(), std::memory_order_release);
  return *owned_;
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
  if (const launch::Device* d = device(); d && d->uses_line_tables()) options["line_tables"] = "1";
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
  const Bound& b = bound();
  launch::call(b.kernel, arguments, {threads_, stream}, b);
}

void Kernel::checked_call(std::span<const Argument> arguments, void* stream) const {
  launch::check_kinds(traced(), arguments);
  call(arguments, stream);
}

int64_t Kernel::programs(std::span<const Argument> arguments) const {
  const launch::TracedKernel& k = traced();
  launch::check_kinds(k, arguments);
  launch::check_sizes(k, arguments);
  return launch::count_programs(k, arguments);
}

std::string Kernel::config_text() const {
  std::string out;
  for (const graph::Meta& m : traced().graph.metas)
    out += (out.empty() ? "" : " ") + m.name + "=" + std::to_string(m.value);
  return out;
}

}  // namespace tine::jit
