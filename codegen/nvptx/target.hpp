// NVIDIA architectures by name, and what their blocks may use.
#pragma once
#include <string>
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tine::nvptx {

struct Target {
  int arch;               ///< 80 for sm_80
  int ptx;                ///< 80 for PTX 8.0: the first that has what we emit for it, so that old drivers take it too
  int max_shared;         ///< bytes per block, with dynamic shared memory
  int shared_per_sm;      ///< bytes per multiprocessor, of which each block also takes `shared_reserved`
  int threads_per_sm, blocks_per_sm;

  static constexpr int static_shared = 48 << 10;  ///< bytes per block without dynamic shared memory
  static constexpr int shared_reserved = 1 << 10;
  static constexpr int max_threads = 1024;        ///< per block
  static constexpr int registers_per_sm = 65536, max_registers = 255;  ///< the latter per thread
  static constexpr int max_slots = 512;           ///< kernel parameters: 4096 bytes

  std::string cpu() const { return "sm_" + std::to_string(arch); }
  std::string features() const { return "+ptx" + std::to_string(ptx); }
};

/// The architectures, oldest first.
llvm::ArrayRef<Target> targets();

/// `nvptx:sm_80` and so on. False with a reason for others, `nvptx` alone included.
bool parse_target(llvm::StringRef text, Target& target, std::string& why);

}  // namespace tine::nvptx
