// Running another program to its end, with the user's signals in hand.
#pragma once
#include <csignal>
#include <string>
#include <vector>

namespace tinec {

/// While it lives, the signals that ask this process to end wait until someone takes them; so a temporary directory
/// that was made within is removed before the process goes.
class HoldSignals {
 public:
  HoldSignals();
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;
  ~HoldSignals();
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

/// Exit code of the program; 128 + n if signal n ended it. Its output goes to our standard error, or nowhere. A Failure
/// if it cannot be started, an Interrupted if this process was asked to end: then the program has been ended too.
int run_program(const std::vector<std::string>& words, const HoldSignals&, bool silent);

/// This process shall end by a signal, which is still held back.
struct Interrupted {
  int signal;
};

}  // namespace tinec
