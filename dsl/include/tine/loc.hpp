// A place in the user's source, captured by default arguments at every call of the language.
#pragma once

namespace tine {

struct Loc {
  const char* file = "";
  unsigned line = 0;  ///< 0: unknown
  static constexpr Loc here(const char* f = __builtin_FILE(), unsigned l = __builtin_LINE()) { return {f, l}; }
};

}  // namespace tine
