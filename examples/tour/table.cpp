#include "examples/tour/table.hpp"

#include <cstdio>

namespace tour {
namespace {

std::string rate(const Row& row) {
  if (row.run_ms <= 0) return "";
  char text[32];
  const bool memory = row.bytes > 0;
  std::snprintf(text, sizeof text, "%.1f %s", (memory ? row.bytes : row.operations) / row.run_ms * 1e-6,
                memory ? "GB/s" : "GFLOP/s");
  return text;
}

}  // namespace

void Table::print_header() const {
  if (quiet_) return;
  std::printf("%-15s %-30s %8s  %-22s %10s %9s %15s %13s\n", "kernel", "shapes", "programs", "config", "compile ms",
              "run ms", "rate", "largest error");
}

void Table::add(const Row& row) {
  ++rows_;
  if (!row.pass()) ++failed_;
  if (quiet_ && row.pass()) return;
  std::printf("%-15s %-30s ", row.kernel.c_str(), row.shapes.c_str());
  if (row.problem.empty()) {
    std::printf("%8lld  %-22s %10.1f %9.3f %15s %13.1e  %s\n", static_cast<long long>(row.programs), row.config.c_str(),
                row.compile_ms, row.run_ms, rate(row).c_str(), row.difference.largest, row.pass() ? "pass" : "FAIL");
  } else {
    std::printf("FAIL: %s\n", row.problem.c_str());
  }
  std::fflush(stdout);
}

}  // namespace tour
