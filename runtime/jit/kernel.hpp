// A kernel that can be called: traced for the config that was set, compiled as calls need it.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/jit/compile.hpp"
#include "runtime/launch/call.hpp"

namespace tine::jit {

/// Values of meta-parameters, by name; those that are missing have their defaults.
using Config = std::vector<std::pair<std::string, int64_t>>;
/// Records the kernel's graph under a config.
using Trace = std::function<graph::Graph(const Config&)>;

/// `call`, `programs`, `traced` and copying may run on many threads at once; the other members need the object for
/// themselves.
class Kernel {
 public:
  /// Traces at once under the default config, so that a wrong kernel fails when it is made.
  explicit Kernel(Trace trace);
  Kernel(const Kernel&);
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  void set_meta(const std::string& name, int64_t value);
  /// An empty value goes back to the default.
  void set_option(const std::string& key, const std::string& value);
  void set_threads(int threads);  ///< 0: the knob, or one for each CPU
  /// A name as `device::find` takes it.
  void set_device(const std::string& device);
  /// Null: the CPU.
  launch::Device* device() const;

  /// `stream`: of the device that the kernel runs on; null for its default stream.
  void call(std::span<const Argument> arguments, void* stream = nullptr) const;
  /// The same for arguments whose number, types and ranks nobody has checked.
  void checked_call(std::span<const Argument> arguments, void* stream = nullptr) const;
  /// Programs that a call would run; also checks sizes.
  int64_t programs(std::span<const Argument> arguments) const;
  /// The kernel under the present config.
  const launch::TracedKernel& traced() const;
  /// What a compile is asked for at present, on this thread: `cuda` may stand for another device on another thread.
  Request request() const;
  /// "bm=64 bn=128" with the values that the latest call used; before the first one, those that were set and first candidates.
  std::string config_text() const;

 private:
  struct Bound;  // traced under the config
  struct Call;
  Bound& bound() const;
  /// The config for a call: that which was set, completed by the model (block_model.hpp) where it leaves candidates.
  const Bound& bound_for(std::span<const Argument>) const;
  const Bound& choose(Bound& set, std::span<const Argument>, int threads) const;
  std::string options_text() const;

  Trace trace_;
  Config config_;
  std::map<std::string, std::string> options_;
  int threads_ = 0;
  std::optional<launch::Device*> device_;  // else TINE_DEVICE
  mutable std::mutex mutex_;
  mutable std::shared_ptr<Bound> owned_;
  mutable std::atomic<Bound*> bound_{nullptr};
};

}  // namespace tine::jit
