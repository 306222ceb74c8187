#include "runtime/jit/loader.hpp"

#include <dlfcn.h>

#include <memory>
#include <utility>

#include "runtime/launch/open_memory.hpp"

namespace tine::jit {

launch::Code load(std::string_view elf, std::string_view name, std::string& missing, std::string& reason) {
  missing.clear();
  reason.clear();
  const std::string label = "tine:" + std::string(name.substr(0, 200));
  char why[1024] = "";
  void* handle = launch::open_memory(elf.data(), elf.size(), label.c_str(), why, sizeof why);
  reason = why;
  if (!handle) return {};
  launch::Code a;
  a.entry = reinterpret_cast<tine_cpu_entry_fn>(::dlsym(handle, TINE_CPU_ENTRY));
  a.scratch = reinterpret_cast<tine_cpu_scratch_fn>(::dlsym(handle, TINE_CPU_SCRATCH));
  if (a.entry && a.scratch) return a;
  missing = a.entry ? TINE_CPU_SCRATCH : TINE_CPU_ENTRY;
  reason = "it does not export `" + missing + "`";
  ::dlclose(handle);
  return {};
}

const launch::Image* keep_image(std::string bytes, int slots, std::string& reason) {
  auto image = std::make_unique<launch::Image>(launch::Image{std::move(bytes), {}});
  reason.clear();
  if (const char* wrong = tine_gpu_artefact_read(image->bytes.data(), image->bytes.size(), &image->header)) {
    reason = wrong;
  } else if (image->header.slots != static_cast<uint32_t>(slots)) {
    reason = "it has " + std::to_string(image->header.slots) + " parameters for " + std::to_string(slots) + " slots";
  }
  return reason.empty() ? image.release() : nullptr;
}

}  // namespace tine::jit
