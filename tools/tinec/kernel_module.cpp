#include "tools/tinec/kernel_module.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>
#include <tuple>

#include "dsl/include/tine/export.hpp"
#include "runtime/launch/open_memory.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/process.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

std::string symbol_of(std::size_t expression) { return "tinec_kernel_" + std::to_string(expression); }
constexpr const char* exports_symbol = "tine_exports";
constexpr std::size_t max_header = 64 << 20, max_module = 1 << 30;

bool ends_with(const std::string& s, char c) {
  const std::size_t last = s.find_last_not_of(" \t\n");
  return last != s.npos && s[last] == c;
}

// `(X) - probe` is a cast of `-probe` if X is a type, and a subtraction if it is a value: both give the kernel. What
// ends in a parenthesis or brace is a value (or decltype), and `(Add<float>()) - probe` would be a cast to a function
// type.
std::string kernel_source(const std::vector<std::string>& expressions) {
  std::string out = R"(#line 1 "tinec"
#include <tine/export.hpp>
namespace tinec_module {
struct Default {
  template <class K> operator K() const { return K{}; }
};
struct Probe {};
inline Default operator-(Probe) { return {}; }
template <class K> K operator-(const K& kernel, Probe) { return kernel; }
}
)";
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const std::string& e = expressions[i];
    const bool value = (ends_with(e, ')') || ends_with(e, '}')) && !e.starts_with("decltype");
    out += "extern \"C\" __attribute__((visibility(\"default\"))) tine::core::Definition* " + symbol_of(i) +
           "() {\n  return tine::define(" + (value ? "" : "(") + "\n#line 1 \"--kernel\"\n" + e + "\n" +
           (value ? "" : ") - tinec_module::Probe{}") + ");\n}\n";
  }
  return out;
}

// The header comes in by -include, so that the compiler and `__FILE__` name it as the user did.
std::string exports_source() { return "#include <tine/export.hpp>\n"; }

// The files of a rule that a compiler wrote with -MD: "module: a.hpp \\\n b.hpp". A blank in a name stands behind a
// backslash, a dollar sign is doubled.
std::vector<std::string> read_rule(const std::string& path) {
  const std::string text = read_text(path, 16 << 20);
  std::vector<std::string> out(1);
  for (std::size_t i = std::min(text.find(": "), text.size() - 1) + 1; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
    if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$'))
      out.back() += text[++i];
    else if (c == '\\' && next == '\n')
      ++i;
    else if (c != ' ' && c != '\n')
      out.back() += c;
    if ((c == ' ' || c == '\n' || (c == '\\' && next == '\n')) && !out.back().empty()) out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

// Compiles `source` behind the header: the shared object, whose temporary directory is gone when it returns. Nothing if
// the compiler refuses, whose messages are on standard error unless `silent`. `files`, unless null, gets the names of
// all files that were read.
std::optional<std::string> compile(const std::string& header, const std::string& source, const CxxOptions& options, bool silent,
            std::vector<std::string>* files = nullptr) {
  std::vector<std::string> words = cxx_command(options);
  const HoldSignals hold;
  try {
    const TemporaryDirectory directory;
    write_file(directory.file("module.cpp"), source);
    words.insert(words.end(), {"-DTINE_EXPORTS", "-shared", "-include", header});
    words.insert(words.end(), {directory.file("module.cpp"), "-o", directory.file("module.so")});
    if (files) words.insert(words.end(), {"-MD", "-MT", "module", "-MF", directory.file("module.d")});
    const Progress progress("compiling " + printable(header) + " with " + printable(words[0]));
    if (run_program(words, hold, silent) != 0) return {};
    if (files) {
      *files = read_rule(directory.file("module.d"));
      std::erase(*files, directory.file("module.cpp"));
    }
    std::error_code ignored;
    if (!std::filesystem::exists(directory.file("module.so"), ignored))
      throw Failure(ticked(words[0]) + " wrote no shared object");
    return read_text(directory.file("module.so"), max_module);
  } catch (const Interrupted& i) {
    // The directory is gone; now the signal may do what it would have done.
    ::signal(i.signal, SIG_DFL);
    ::raise(i.signal);
    pthread_sigmask(SIG_SETMASK, &hold.before(), nullptr);
    throw Failure("interrupted");
  }
}

// The module stays open until the end: definitions point into it.
void* open_module(const std::string& shared_object) {
  char why[1024];
  void* module =
      tine::launch::open_memory(shared_object.data(), shared_object.size(), "tinec-module", why, sizeof why);
  if (module) return module;
  std::string text = why;
  if (const std::size_t colon = text.find(": "); text.starts_with("/proc/") && colon != text.npos)
    text = text.substr(colon + 2);
  throw Failure("the compiled header cannot be opened: " + text);
}

Kernel kernel_of(void* module, std::size_t expression) {
  const std::string symbol = symbol_of(expression);
  const auto make = reinterpret_cast<tine::core::Definition* (*)()>(::dlsym(module, symbol.c_str()));
  if (!make) throw Failure("the compiled header does not export " + ticked(symbol));
  return Kernel(make());
}

std::vector<Export> exports_of(void* module) {
  std::vector<Export> out;
  const auto first = reinterpret_cast<const tine_export* (*)()>(::dlsym(module, exports_symbol));
  for (const tine_export* e = first ? first() : nullptr; e; e = e->next) out.push_back({e->name, Kernel(e->make())});
  return out;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "ops::Softmax<float>{...}" -> "Softmax"
std::string head_of(const std::string& expression) {
  const std::size_t end = std::min(expression.find_first_of("<({ "), expression.size());
  std::size_t begin = end;
  while (begin > 0 && is_word(expression[begin - 1])) --begin;
  return expression.substr(begin, end - begin);
}

bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_word(text[at - 1])) && (at + word.size() == text.size() || !is_word(text[at + word.size()])))
      return true;
  return false;
}

// Names behind `struct` or `class` that own an arrangement, as far as a look at the text can tell.
std::vector<std::string> declared_kernels(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string keyword : {"struct ", "class "})
    for (std::size_t at = text.find(keyword); at != text.npos; at = text.find(keyword, at + 1)) {
      std::size_t begin = at + keyword.size(), end = begin;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::size_t next = text.find_first_not_of(" \n", end);
      const bool body = next != text.npos && (text[next] == '{' || text[next] == ':');
      if (end > begin && body) out.push_back(text.substr(begin, end - begin));
    }
  return out;
}

// In our words: the compiler would call a folder a missing file.
void require_readable(const std::string& header) { read_text(header, max_header); }

// The expression did not compile. If its name is unknown to the header, say which names there are.
[[noreturn]] void refuse_kernel(const std::string& header, const std::string& expression, const CxxOptions& options) {
  const std::string text = read_text(header, max_header);
  const std::string head = head_of(expression);
  if (head.empty() || has_word(text, head)) throw CompilerRefused();
  const auto module = compile(header, exports_source(), options, true);
  if (!module) throw CompilerRefused();
  std::vector<std::string> names;
  for (const Export& e : exports_of(open_module(*module))) names.push_back(e.name);
  for (const std::string& name : declared_kernels(text))
    if (std::none_of(names.begin(), names.end(), [&](const std::string& n) { return head_of(n) == name; }))
      names.push_back(name);
  std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    const auto key = [&](const std::string& n) {
      return std::tuple(distance(head, head_of(n)), distance(expression, n), n);
    };
    return key(a) < key(b);
  });
  throw Failure("kernel " + ticked(expression) + " does not exist; " + ticked(header) + " has " + list_of(names));
}

}  // namespace

Kernel::~Kernel() {
  if (definition_) tine::core::release(definition_);
}

Kernel open_kernel(const std::string& header, const std::string& expression, const CxxOptions& options) {
  if (expression.find_first_not_of(" \t\n") == expression.npos) throw Usage("`--kernel` is empty");
  require_readable(header);
  const auto module = compile(header, kernel_source({expression}), options, false);
  if (!module) refuse_kernel(header, expression, options);
  return kernel_of(open_module(*module), 0);
}

Module open_kernels(const std::string& header, const std::vector<std::string>& expressions, const CxxOptions& options) {
  require_readable(header);
  Module out;
  const auto compiled = compile(header, kernel_source(expressions), options, false, &out.files);
  if (!compiled) {
    const std::string text = read_text(header, max_header);
    for (const std::string& e : expressions)
      if (const std::string head = head_of(e); !head.empty() && !has_word(text, head))
        refuse_kernel(header, e, options);
    throw CompilerRefused();
  }
  void* module = open_module(*compiled);
  for (std::size_t i = 0; i < expressions.size(); ++i) out.kernels.push_back(kernel_of(module, i));
  out.exports = exports_of(module);
  return out;
}

std::vector<Export> open_exports(const std::string& header, const CxxOptions& options) {
  require_readable(header);
  const auto module = compile(header, exports_source(), options, false);
  if (!module) throw CompilerRefused();
  return exports_of(open_module(*module));
}

tine::core::Config config_for(const Kernel& kernel, const Config& wanted) {
  std::vector<std::string> names;
  for (const tine::graph::Meta& m : tine::core::metas(kernel.definition())) names.push_back(m.name);
  tine::core::Config config;
  config.root = ".";  // compilers put `./` before what `-include` names
  for (const auto& [name, value] : wanted) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Failure("kernel " + ticked(kernel.definition().name) + " has no meta-parameter " + ticked(name) +
                    "; it has " + list_of(nearest_first(name, names)));
    std::erase_if(config.values, [&](const auto& item) { return item.first == name; });  // the last one counts
    config.values.emplace_back(name, value);
  }
  return config;
}

Config parse_config(const std::vector<std::string>& settings) {
  Config out;
  for (const std::string& s : settings) {
    const auto pair = parse_assignment(s);
    if (!pair) throw Usage("`--set` takes `NAME=VALUE`, not " + ticked(s));
    const auto value = parse_integer(pair->second);
    if (!value || *value <= 0 || *value > INT32_MAX)  // as the candidates in C++, which are `int`
      throw Usage("meta-parameter " + ticked(pair->first) + " takes a positive integer below 2^31, not " +
                  ticked(pair->second));
    out.emplace_back(pair->first, *value);
  }
  return out;
}

}  // namespace tinec
