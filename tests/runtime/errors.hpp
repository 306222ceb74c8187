// Catching the error of a call, with its text and place.
#pragma once
#include <string>
#include <utility>

#include "tine/error.hpp"

namespace tine::test {

struct Caught {
  std::string kind, message, file;
  int line = 0;
};

/// Runs f and tells what it threw; `kind` is "" if nothing.
template <class F> Caught caught(F&& f) {
  const auto of = [](const char* kind, const Error& e) {
    return Caught{kind, std::string(e.message()), std::string(e.file()), e.line()};
  };
  try {
    std::forward<F>(f)();
  } catch (const UserError& e) {
    return of("user", e);
  } catch (const RuntimeError& e) {
    return of("runtime", e);
  } catch (const InternalError& e) {
    return of("internal", e);
  }
  return {};
}

}  // namespace tine::test
