#include "runtime/knobs.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/diagnostics.hpp"

namespace tine::knobs {
namespace {

constexpr Knob table[] = {
#define X(member, variable, type_, default_, code, meaning) {variable, Type::type_, default_, code, meaning},
    TINE_KNOBS(X)
#undef X
};

bool parse(const char* text, bool& out) {
  const std::string s = text;
  if (s == "on" || s == "1") return out = true, true;
  if (s == "off" || s == "0") return out = false, true;
  return false;
}

bool parse(const char* text, int64_t& out) {
  char* end = nullptr;
  out = std::strtoll(text, &end, 10);
  return end != text && *end == 0 && out >= 0;
}

bool parse(const char* text, std::string& out) { return out = text, true; }

template <class T> void read(const Knob& knob, T& out) {
  const char* text = std::getenv(knob.variable);
  if (!text || !*text) text = knob.default_text;
  if (!parse(text, out)) fail(Diag::knob_value, {}, {knob.variable, text, name(knob.type)});
}

std::atomic<const Values*> current{nullptr};
std::mutex mutex;

const Values* load() {
  // Older values stay, because other threads may hold references to them.
  static auto* all = new std::vector<std::unique_ptr<const Values>>;
  auto values = std::make_unique<Values>();
  int i = 0;
#define X(member, variable, type_, default_, code, meaning) read(table[i++], values->member);
  TINE_KNOBS(X)
#undef X
  all->push_back(std::move(values));
  return all->back().get();
}

std::string text_of(bool v) { return v ? "on" : "off"; }
std::string text_of(int64_t v) { return std::to_string(v); }
std::string text_of(const std::string& v) { return v; }

}  // namespace

const char* name(Type t) {
  constexpr const char* names[] = {"on or off", "a non-negative integer", "text"};
  return names[static_cast<int>(t)];
}

std::span<const Knob> all() { return table; }

const Values& get() {
  if (const Values* v = current.load(std::memory_order_acquire)) return *v;
  std::lock_guard lock(mutex);
  if (!current.load(std::memory_order_acquire)) current.store(load(), std::memory_order_release);
  return *current.load(std::memory_order_acquire);
}

void reload() {
  std::lock_guard lock(mutex);
  current.store(load(), std::memory_order_release);
}

std::string code_text() {
  const Values& values = get();
  std::string out;
#define X(member, variable, type_, default_, code, meaning) \
  if (code && text_of(values.member) != default_) out += std::string(variable) + "=" + text_of(values.member) + ";";
  TINE_KNOBS(X)
#undef X
  return out;
}

std::string markdown() {
  std::string out = "| variable | value | default | changes code | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Knob& k : table) {
    const std::string value = *k.default_text ? "`" + std::string(k.default_text) + "`" : "";
    out += "| `" + std::string(k.variable) + "` | " + name(k.type) + " | " + value + " | " +
           (k.changes_code ? "yes" : "no") + " | " + k.meaning + " |\n";
  }
  return out;
}

}  // namespace tine::knobs
