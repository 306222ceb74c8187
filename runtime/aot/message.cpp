#include "runtime/aot/message.hpp"

#include "runtime/aot/entry.h"

namespace tine::aot {
namespace {

thread_local Words<4096> message;

// The kinds of runtime/diagnostics.hpp as statuses.
constexpr int UserError = TINE_REFUSED, RuntimeError = TINE_FAILED, InternalError = TINE_FAILED;

struct Sentence {
  int status;
  std::string_view text;
};
constexpr Sentence own[] = {
#define X(name, status, text) {status, text},
    TINE_AOT_DIAGNOSTICS(X)
#undef X
};
constexpr Sentence shared[] = {
#define X(name, type, text) {type, text},
    TINE_RUNTIME_DIAGNOSTICS(X)
#undef X
};

int write(const Sentence& s, std::string_view place, std::span<const std::string_view> arguments) {
  message.clear();
  if (!place.empty()) message.add(place).add(": ");
  for (std::size_t i = 0; i < s.text.size(); ++i) {
    if (s.text[i] == '{' && i + 2 < s.text.size() && s.text[i + 2] == '}') {
      const auto which = static_cast<std::size_t>(s.text[i + 1] - '0');
      if (which < arguments.size()) message.add(arguments[which]);
      i += 2;
    } else {
      message.add(s.text.substr(i, 1));
    }
  }
  return s.status;
}

}  // namespace

int refuse(AotDiag d, std::initializer_list<std::string_view> arguments) {
  return write(own[static_cast<int>(d)], {}, {arguments.begin(), arguments.size()});
}
int refuse(Diag d, std::string_view place, std::span<const std::string_view> arguments) {
  return write(shared[static_cast<int>(d)], place, arguments);
}
int refuse_memory(std::string_view what, std::string_view name, std::string_view wanted) {
  Words<128> quoted;
  return refuse(AotDiag::no_memory, {what, quoted.tick(name).view(), wanted});
}

const char* last_message() { return message.c_str(); }

}  // namespace tine::aot

extern "C" {
const char* tine_aot_error(void) { return tine::aot::last_message(); }
int tine_aot_refuse(const char* text) {
  tine::aot::message.clear();
  tine::aot::message.add(text);
  return TINE_REFUSED;
}
}
