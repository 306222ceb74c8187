// How the tool's parts give up: with one sentence, and with the exit code that belongs to it.
#pragma once
#include <stdexcept>

namespace tinec {

enum Exit : int { exit_ok = 0, exit_failed = 1, exit_usage = 2 };

/// The work failed. `what()` is one sentence in our style; a place, where there is one, stands before it.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line is wrong in itself, whatever the files contain.
struct Usage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The C++ compiler has said already what is wrong.
struct CompilerRefused : std::exception {
  const char* what() const noexcept override { return "the C++ compiler refused the header"; }
};

}  // namespace tinec
