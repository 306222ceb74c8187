// Runs a random kernel as compiled code and on the reference evaluator, and compares what they leave in memory.
#pragma once
#include <string>

#include "choices.hpp"

namespace tine::fuzz {

struct Outcome {
  enum Kind {
    same,          ///< equal results
    undetermined,  ///< ran, but the language leaves the result open
    refused,       ///< the front end or the call refused it: the generator's fault, or a check that is too strict
    different,     ///< the results differ, or the arrangement does
    broken         ///< an internal error
  } kind = same;
  std::string message;  ///< what is wrong
  std::string program;  ///< sources, parameters and graph
};

/// For TINE_TARGET `target`. With `describe` the outcome has the program's text, whatever its kind.
Outcome execute(Choices&, const std::string& target, bool describe = false);
/// The front end only: the program's text, and all choices drawn.
Outcome execute_front(Choices&);

}  // namespace tine::fuzz
