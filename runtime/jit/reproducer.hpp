// What an internal error leaves behind, so that it can be repeated without the user's program: one file that holds the
// compile request and the complaint.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace tine::jit {

struct Reproducer {
  std::vector<std::byte> graph;           ///< tine::graph::serialize(Graph)
  std::vector<std::byte> specialization;  ///< tine::graph::serialize(Specialization)
  std::string target, options, stage, message, compiler;
};

/// Writes a new file into the folder that the knobs name and returns its path, in backticks, or says why there is none.
std::string write_reproducer(const Reproducer&);
/// Throws std::runtime_error for a file that is none.
Reproducer read_reproducer(const std::string& path);

}  // namespace tine::jit
