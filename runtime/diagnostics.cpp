#include "runtime/diagnostics.hpp"

#include <atomic>

#include "tine/error.hpp"

namespace tine {
namespace {

enum class Kind : uint8_t { UserError, RuntimeError, InternalError };
struct Entry {
  const char* name;
  Kind kind;
  std::string_view text;
};
constexpr Entry entries[] = {
#define X(name, type, text) {#name, Kind::type, text},
    TINE_RUNTIME_DIAGNOSTICS(X)
#undef X
};
std::atomic<int64_t> counts[static_cast<int>(Diag::count_)];

}  // namespace

void fail(Diag d, Where where, std::initializer_list<std::string_view> arguments) {
  const Entry& entry = entries[static_cast<int>(d)];
  counts[static_cast<int>(d)].fetch_add(1, std::memory_order_relaxed);
  std::string message;
  for (std::size_t i = 0; i < entry.text.size(); ++i) {
    if (entry.text[i] == '{' && i + 2 < entry.text.size() && entry.text[i + 2] == '}') {
      const auto which = static_cast<std::size_t>(entry.text[i + 1] - '0');
      if (which < arguments.size()) message += arguments.begin()[which];
      i += 2;
    } else {
      message += entry.text[i];
    }
  }
  const std::string file(where.file);
  switch (entry.kind) {
    case Kind::UserError: throw UserError(message.c_str(), file.c_str(), where.line, entry.name);
    case Kind::RuntimeError: throw RuntimeError(message.c_str(), file.c_str(), where.line, entry.name);
    default: throw InternalError(message.c_str(), file.c_str(), where.line, entry.name);
  }
}

const char* name(Diag d) { return entries[static_cast<int>(d)].name; }
int64_t provoked(Diag d) { return counts[static_cast<int>(d)].load(std::memory_order_relaxed); }
std::string ticked(std::string_view x) { return "`" + std::string(x) + "`"; }

}  // namespace tine
