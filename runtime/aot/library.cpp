#include "runtime/aot/library.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "runtime/aot/message.hpp"
#include "runtime/aot/processor.hpp"
#include "runtime/launch/open_memory.hpp"

namespace tine::aot {
namespace {

launch::Mutex opening;

Library* make_library(const unsigned char* pack_bytes) {
  const Base base{pack_bytes};
  const Pack& pack = base.pack();
  if (std::memcmp(pack.magic, pack_magic, sizeof pack_magic) != 0 || pack.version != pack_version)
    return refuse(AotDiag::other_pack, {}), nullptr;
  const std::size_t codes = pack.codes.count, targets = pack.targets.count;
  void* memory = std::calloc(1, sizeof(Library) + codes * sizeof(LoadedCode) + targets * sizeof(bool));
  if (!memory) return refuse_memory("library", base.text(pack.name), "its state"), nullptr;
  auto* library = new (memory) Library{base, {}, {}, {}};
  auto* loaded = reinterpret_cast<LoadedCode*>(library + 1);
  for (std::size_t i = 0; i < codes; ++i) new (loaded + i) LoadedCode;
  library->codes = {loaded, codes};
  library->can_run = {reinterpret_cast<bool*>(loaded + codes), targets};
  for (std::size_t t = 0; t < targets; ++t) {
    const PackedTarget& target = base[pack.targets][t];
    library->has_gpu_code |= target.device != device_cpu;
    library->can_run[t] =
        target.device != device_cpu || (processor_has(base[target.features]) && (!target.amx || allow_tiles()));
  }
  return library;
}

}  // namespace

Library* open_library(tine_aot_library& handle) {
  std::atomic_ref<void*> state(handle.state);
  if (void* known = state.load(std::memory_order_acquire)) return static_cast<Library*>(known);
  std::lock_guard lock(opening);
  if (!state.load(std::memory_order_relaxed)) state.store(make_library(handle.pack), std::memory_order_release);
  return static_cast<Library*>(state.load(std::memory_order_relaxed));
}

launch::Code load_code(Library& library, const PackedKernel& k, uint32_t index) {
  LoadedCode& loaded = library.codes[index];
  if (loaded.ready.load(std::memory_order_acquire)) return loaded.code;
  std::lock_guard lock(library.loading);
  if (loaded.ready.load(std::memory_order_relaxed)) return loaded.code;
  const Base base = library.base;
  const PackedCode& packed = base[base.pack().codes][index];
  char label[128], reason[512] = "";
  std::snprintf(label, sizeof label, "tine:%s", base.text(k.name));
  void* handle = launch::open_memory(base.bytes + packed.at, packed.size, label, reason, sizeof reason);
  launch::Code code;
  if (handle) {
    code.entry = reinterpret_cast<tine_cpu_entry_fn>(::dlsym(handle, TINE_CPU_ENTRY));
    code.scratch = reinterpret_cast<tine_cpu_scratch_fn>(::dlsym(handle, TINE_CPU_SCRATCH));
    if (!code.entry || !code.scratch) std::snprintf(reason, sizeof reason, "it is no kernel's code");
  }
  if (!code.entry || !code.scratch) {
    Words<128> kernel;
    refuse(Diag::load_failed, {kernel.tick(base.text(k.name)).view(), reason});
    return {};
  }
  loaded.code = code;
  loaded.ready.store(true, std::memory_order_release);
  return code;
}

}  // namespace tine::aot
