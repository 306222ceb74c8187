#include "dsl/core/diagnostics.hpp"

namespace tine::core {

const char* id(Diagnostic d) {
  static constexpr const char* ids[] = {
#define X(id, text) #id,
      TINE_DIAGNOSTICS(X)
#undef X
  };
  return ids[int(d)];
}
const char* text(Diagnostic d) {
  static constexpr const char* texts[] = {
#define X(id, text) text,
      TINE_DIAGNOSTICS(X)
#undef X
  };
  return texts[int(d)];
}
int diagnostic_count() { return int(Diagnostic::not_pure) + 1; }

void fail(Diagnostic d, std::initializer_list<std::string> arguments, const Subject& s) {
  std::string m;
  if (!s.kernel.empty()) m += "`" + s.kernel + "`: ";
  if (!s.operation.empty()) {
    m += "`" + s.operation + "`";
    if (!s.parameter.empty()) m += " of `" + s.parameter + "`";
    m += ": ";
  } else if (!s.parameter.empty()) {
    m += "`" + s.parameter + "`: ";
  }
  auto argument = arguments.begin();
  for (const char* p = text(d); *p; ++p) {
    if (p[0] == '{' && p[1] == '}') {
      m += argument == arguments.end() ? "?" : *argument++;
      ++p;
    } else {
      m += *p;
    }
  }
  if (!s.shape.empty()) m += "; its shape is " + s.shape;
  throw UserError(m.c_str(), s.loc.file, int(s.loc.line), id(d));
}

}  // namespace tine::core
