// The PTX machine: load modules, find kernels, launch them over emulated device memory.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tine/emulator/error.hpp"
#include "tine/emulator/memory.hpp"
#include "tine/emulator/options.hpp"
#include "tine/emulator/report.hpp"

namespace tine::emulator {

struct ParameterInfo {
  std::string name;
  std::string type;          // as written: "u64", "f32", "b8"
  std::uint32_t size = 0;    // bytes, arrays included
  std::uint32_t align = 1;
  std::uint32_t offset = 0;  // in the parameter buffer
  bool pointer = false;      // declared with .ptr
};

struct KernelInfo {
  std::string name, module;
  std::uint32_t line = 0;
  std::vector<ParameterInfo> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;                        // per thread, of the kernel's own frame
  std::uint32_t registers = 0;                          // virtual registers declared and used
  std::array<std::uint32_t, 3> max_threads{0, 0, 0};    // .maxntid, 0 when not given
  std::array<std::uint32_t, 3> required_threads{0, 0, 0};  // .reqntid
};

// One kernel argument: its bytes, whose number must be the parameter's size.
struct Argument {
  std::vector<std::uint8_t> bytes;
  template <class T> static Argument of(const T& value) {
    Argument a;
    a.bytes.resize(sizeof(T));
    std::memcpy(a.bytes.data(), &value, sizeof(T));
    return a;
  }
};

struct LaunchConfig {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared_bytes = 0;  // dynamic shared memory
};

// The limits the machine enforces; those of sm_80 to sm_90 parts.
constexpr std::uint32_t kMaxBlockThreads = 1024;
constexpr std::uint32_t kMaxSharedBytes = 227 * 1024;

// Threads: one Machine is used by one host thread at a time; a launch uses many by itself.
class Machine {
 public:
  // With a memory given, machines share it: each sees its own modules only, all see one memory. They must not launch at the same time.
  explicit Machine(std::shared_ptr<Memory> memory = nullptr);
  ~Machine();  // frees the variables of its modules
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Parses and checks everything in the text; throws Error with the line. `name` stands for the module in messages.
  // Modules see each other's .visible symbols; names are resolved at the first launch after a load.
  void load(std::string_view ptx, const std::string& name = "ptx");
  void load_file(const std::string& path);

  std::vector<std::string> kernels() const;
  const KernelInfo& kernel(const std::string& name) const;  // throws Error(usage) with the names there are
  // Address and size of a .global or .const variable of a loaded module.
  DevicePtr variable(const std::string& name, std::size_t& size);

  // Runs to the end. Throws Error(usage) for what can be told before the first instruction; all else is in the report.
  Report launch(const std::string& kernel, const LaunchConfig& config, const std::vector<Argument>& arguments, const Options& options = {});

  Memory& memory();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Parses and checks a module without a machine; throws Error. What this accepts, ptxas accepts.
void check(std::string_view ptx, const std::string& name = "ptx");

}  // namespace tine::emulator
