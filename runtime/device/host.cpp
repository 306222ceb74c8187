// The functions behind <tine/device.hpp>.
#include "runtime/device/devices.hpp"
#include "tine/device.hpp"

namespace tine::host {
namespace {

using launch::Device;
using launch::Visit;

Device& of(Gpu* g) { return *reinterpret_cast<Device*>(g); }
const Device& of(const Gpu* g) { return *reinterpret_cast<const Device*>(g); }

void copy(Gpu* g, Device::Copy way, void* to, const void* from, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  const Visit visit(&of(g), stream);
  of(g).copy(way, to, from, bytes, stream);
}

}  // namespace

Gpu* find_gpu(const char* name) {
  Device* d = device::find(name);
  if (!d) fail(Diag::no_memory_of_its_own, {}, {});
  return reinterpret_cast<Gpu*>(d);
}
const char* gpu_name(const Gpu* g) { return of(g).name().c_str(); }
bool reads_host(const Gpu* g) { return of(g).reads_host(); }
int memory_of(const Gpu* g) { return of(g).memory_kind(); }

void* allocate(Gpu* g, std::size_t bytes) {
  const Visit visit(&of(g), nullptr);
  return of(g).allocate(bytes);
}
void release(Gpu* g, void* p) noexcept { of(g).free(p); }
void to_device(Gpu* g, void* to, const void* from, std::size_t bytes, void* stream) {
  copy(g, Device::Copy::to_device, to, from, bytes, stream);
}
void to_host(Gpu* g, void* to, const void* from, std::size_t bytes, void* stream) {
  copy(g, Device::Copy::to_host, to, from, bytes, stream);
}
void on_device(Gpu* g, void* to, const void* from, std::size_t bytes, void* stream) {
  copy(g, Device::Copy::on_device, to, from, bytes, stream);
}
void fill(Gpu* g, void* to, uint8_t value, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  const Visit visit(&of(g), stream);
  of(g).fill(to, value, bytes, stream);
}
void synchronize(Gpu* g) {
  const Visit visit(&of(g), nullptr);
  of(g).synchronize();
}

void* create_stream(Gpu* g) {
  const Visit visit(&of(g), nullptr);
  return of(g).create_stream();
}
void destroy_stream(Gpu* g, void* s) noexcept { of(g).destroy_stream(s); }
void synchronize_stream(Gpu* g, void* s) {
  const Visit visit(&of(g), s);
  of(g).synchronize_stream(s);
}
void* create_event(Gpu* g) {
  const Visit visit(&of(g), nullptr);
  return of(g).create_event();
}
void destroy_event(Gpu* g, void* e) noexcept { of(g).destroy_event(e); }
void record_event(Gpu* g, void* e, void* s) {
  const Visit visit(&of(g), s);
  of(g).record(e, s);
}
void wait_event(Gpu* g, void* s, void* e) {
  const Visit visit(&of(g), s);
  of(g).wait(s, e);
}
void synchronize_event(Gpu* g, void* e) {
  const Visit visit(&of(g), nullptr);
  of(g).synchronize_event(e);
}
float milliseconds(Gpu* g, void* begin, void* end) {
  const Visit visit(&of(g), nullptr);
  return of(g).milliseconds(begin, end);
}

}  // namespace tine::host
