// The protocol between tools/bench/run and its workers, line by line over standard input and output:
//   version                  -> one line: what this contestant is
//   case OPERATION TYPE N... -> `ready NOTE`, or `missing REASON`: what it would do, or why it does not
//   run MILLISECONDS         -> `times RUNS MEDIAN_NS LEAST_NS CPU_NS`: runs for about so long
//   digest                   -> `digest SUM MAGNITUDE`: of the result, so that all contestants can be seen to do the
//   same
// A worker stays alive between cases, so that runs of several contestants can alternate.
#pragma once
#include <functional>
#include <string>

#include "tools/bench/workers/case.hpp"

namespace bench {

struct Job {
  std::function<void()> run;
  std::function<std::vector<float>()> result;
  std::string note;
};
/// Thrown by `prepare`: this contestant has nothing for the case.
struct Missing {
  std::string reason;
};

/// Answers until the input ends.
int serve(const std::string& version, const std::function<Job(const Case&)>& prepare);

}  // namespace bench
