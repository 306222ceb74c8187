// Names to addresses: variables placed in memory, functions found, shared memory laid out for one kernel and all it can reach.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "machine/exec.hpp"

namespace tine::emulator::detail {

struct Variable {
  DevicePtr address = 0;
  std::uint64_t size = 0;
  const GlobalVariable* of = nullptr;
  std::size_t module = 0;
};

class Linker {
 public:
  explicit Linker(Memory& memory) : memory_(memory) {}
  ~Linker();  // frees the variables it placed
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;
  // Places the module's variables. Throws Error when a name is defined twice.
  void add(ModuleCode& module);
  // Fills in addresses that could not be known before; throws Error for names nobody defines.
  void resolve_variables();
  const LinkedKernel& kernel(const std::string& name);
  const std::vector<const Function*>& entries() const { return entries_; }
  const Variable* variable(const std::string& name) const;
  std::size_t module_of(const Function* f) const { return module_of_.at(f); }

 private:
  const Function* function(std::size_t module, const std::string& name) const;  // defined, or null
  const Variable* variable_in(std::size_t module, const std::string& name) const;
  std::uint64_t code_address(const Function* f);
  [[noreturn]] void fail(std::size_t module, std::uint32_t line, const std::string& why) const;

  Memory& memory_;
  std::vector<ModuleCode*> modules_;
  std::vector<std::map<std::string, Variable>> locals_;        // per module
  std::map<std::string, Variable> exported_;
  std::vector<std::map<std::string, const Function*>> functions_;
  std::map<std::string, const Function*> exported_functions_;
  std::map<const Function*, std::size_t> module_of_;
  std::map<const Function*, std::uint64_t> code_;
  std::vector<const Function*> entries_;
  std::map<std::string, std::unique_ptr<LinkedKernel>> kernels_;
  std::size_t resolved_ = 0;
};

}  // namespace tine::emulator::detail
