// What the core knows of a kernel before it is traced.
#pragma once
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "dsl/include/tine/detail/api.hpp"

namespace tine::core {

struct Definition {
  struct NamedMember {
    std::size_t offset;
    std::string name;
  };
  std::atomic<int> references{1};
  const void* state = nullptr;
  std::size_t size = 0;
  void (*run)(const void*) = nullptr;
  void (*destroy)(const void*) = nullptr;
  std::string name;                   ///< "Matmul<tine::f16>"
  std::vector<SourceType> sources;
  std::vector<std::string> parameters;
  bool all_members_named = false;
  mutable std::mutex mutex;           ///< of `members`, which grows while unnamed block sizes are being found
  mutable std::vector<NamedMember> members;
  mutable bool members_found = false; ///< the unnamed ones have been numbered
};

}  // namespace tine::core
