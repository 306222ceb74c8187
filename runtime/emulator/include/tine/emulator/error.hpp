// The one exception of the PTX machine: bad PTX, bad usage. What a running kernel does wrong is never thrown; it is a Diagnostic in the Report.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tine::emulator {

enum class ErrorKind : std::uint8_t {
  syntax,       // the text is not PTX
  unsupported,  // PTX we know of, or do not know, and do not execute: refused rather than guessed
  semantic,     // well-formed, but types, names, versions or targets do not fit
  usage,        // a call of this library that cannot be honoured (unknown kernel, wrong argument size, bad grid ...)
};

const char* name_of(ErrorKind kind);

// what(): "MODULE:LINE: sentence" for PTX errors, the sentence alone for usage errors. line() is 1-based, 0 when there is none.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string module, std::uint32_t line, const std::string& sentence);
  ErrorKind kind() const { return kind_; }
  std::uint32_t line() const { return line_; }
  const std::string& module() const { return module_; }
  const std::string& sentence() const { return sentence_; }

 private:
  ErrorKind kind_;
  std::uint32_t line_;
  std::string module_, sentence_;
};

}  // namespace tine::emulator
