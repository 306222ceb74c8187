#include "tools/bench/workers/worker.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>

namespace bench {
namespace {

// Of all threads of this process.
double cpu_ns() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// A contestant that falls back to scalar code on this machine shall not hold up the others.
constexpr double too_slow = 5;

double once(const Job& job) {
  const auto start = std::chrono::steady_clock::now();
  job.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const Job& job, double milliseconds) {
  using Clock = std::chrono::steady_clock;
  job.run();  // caches and threads wake up
  std::vector<double> times;
  const double cpu = cpu_ns();
  double total = 0;
  while (times.empty() || total < milliseconds * 1e6) {
    const auto start = Clock::now();
    job.run();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    total += times.back();
  }
  const double cpu_each = (cpu_ns() - cpu) / static_cast<double>(times.size());
  std::sort(times.begin(), times.end());
  std::cout << "times " << times.size() << ' ' << times[times.size() / 2] << ' ' << times[0] << ' ' << cpu_each
            << std::endl;
}

void digest(const Job& job) {
  double sum = 0, magnitude = 0;
  int64_t i = 0;
  for (const float x : job.result()) sum += x * (1 + static_cast<double>(i++ % 7)), magnitude += std::fabs(x);
  std::cout << "digest " << sum << ' ' << magnitude << std::endl;
}

}  // namespace

int serve(const std::string& version, const std::function<Job(const Case&)>& prepare) {
  Job job;
  for (std::string line; std::getline(std::cin, line);) try {
      if (line == "version") {
        std::cout << version << std::endl;
      } else if (line.starts_with("case ")) {
        job = {};
        job = prepare(parse_case(line.substr(5)));
        if (const double seconds = once(job); seconds > too_slow) {
          job = {};
          std::cout << "missing one run takes " << seconds << " s" << std::endl;
        } else {
          std::cout << "ready " << job.note << std::endl;
        }
      } else if (line.starts_with("run ") && job.run) {
        measure(job, std::stod(line.substr(4)));
      } else if (line == "digest" && job.result) {
        digest(job);
      } else {
        std::cout << "missing nothing is prepared" << std::endl;
      }
    } catch (const Missing& m) {
      std::cout << "missing " << m.reason << std::endl;
    } catch (const std::exception& e) {
      std::string text = e.what();
      std::replace(text.begin(), text.end(), '\n', ' ');
      std::cout << "missing " << text << std::endl;
    }
  return 0;
}

}  // namespace bench
