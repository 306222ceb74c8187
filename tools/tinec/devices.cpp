#include "runtime/device/devices.hpp"

#include <algorithm>

#include "runtime/device/cuda.hpp"
#include "runtime/launch/thread_pool.hpp"
#include "tine/error.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/files.hpp"

namespace tinec {
namespace {

std::string line(std::string name, const std::string& what) {
  name.resize(std::max<std::size_t>(name.size(), 16), ' ');
  return name + " " + what + "\n";
}

}  // namespace

void devices() {
  const int cpus = tine::launch::available_cpus();
  std::string text = line("cpu", std::to_string(cpus) + (cpus == 1 ? " CPU" : " CPUs") + " that this process may use");
  try {
    const int count = tine::device::count_cuda_devices();
    for (int i = 0; i < count; ++i) {
      const std::string name = "cuda:" + std::to_string(i);
      text += line(name, tine::device::find(name)->description());
    }
  } catch (const tine::Error& e) {
    text += line("cuda", std::string("none: ") + e.message());
  }
  for (const std::string& name : tine::device::names())
    if (name.starts_with("emulated:")) text += line(name, tine::device::find(name)->description());
  write_stdout(text);
}

}  // namespace tinec
