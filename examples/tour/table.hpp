// The table of kernels that the tour prints, row by row as they finish.
#pragma once
#include <cstdint>
#include <string>

#include "examples/support/compare.hpp"

namespace tour {

struct Row {
  std::string kernel, shapes, config;
  int64_t programs = 0;
  double compile_ms = 0, run_ms = 0;
  double bytes = 0, operations = 0;  ///< of one run; the rate is of the one that is not 0
  examples::Difference difference;
  std::string problem;  ///< what was thrown, if something was
  bool pass() const { return problem.empty() && difference.within; }
};

class Table {
 public:
  /// `quiet`: rows that fail only.
  explicit Table(bool quiet) : quiet_(quiet) {}
  void print_header() const;
  void add(const Row&);
  int rows() const { return rows_; }
  int failed() const { return failed_; }

 private:
  bool quiet_;
  int rows_ = 0, failed_ = 0;
};

}  // namespace tour
