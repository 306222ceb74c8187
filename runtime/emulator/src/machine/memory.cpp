#include "tine/emulator/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "machine/allocation.hpp"
#include "machine/windows.hpp"
#include "tine/emulator/error.hpp"

namespace tine::emulator {
namespace {
[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::usage, "", 0, why); }
constexpr std::uint64_t kGap = 4096;  // between allocations: an access a little beyond one must not fall into the next
constexpr std::size_t kMapped = std::size_t{1} << 26;  // from here on zeros are pages of their own
}  // namespace

void* zeros(std::size_t bytes) {
  void* p = bytes < kMapped ? std::calloc(bytes, 1)
                            : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == nullptr || p == MAP_FAILED) refuse("the host has no " + std::to_string(bytes) + " bytes for what is known about device memory");
  return p;
}
void free_zeros(void* p, std::size_t bytes) noexcept {
  if (p == nullptr) return;
  if (bytes < kMapped)
    std::free(p);
  else
    ::munmap(p, bytes);
}

Memory::Memory(std::uint64_t offset) : next_(detail::kGlobalStart + offset) {}
Memory::~Memory() = default;

DevicePtr Memory::place(std::unique_ptr<Allocation> a, std::size_t align, std::size_t offset) {
  const std::uint64_t step = align < 256 ? 256 : align;
  next_ = (next_ + step - 1) / step * step + offset;
  a->base = next_;
  next_ += a->size + kGap;
  const DevicePtr base = a->base;
  allocations_.emplace(base, std::move(a));
  return base;
}

DevicePtr Memory::allocate(std::size_t size, const std::string& name) {
  if (size == 0) refuse("an allocation of 0 bytes");
  if (size > (std::size_t{1} << 40)) refuse("an allocation of more than 1 TiB");
  auto a = std::make_unique<Allocation>();
  a->size = size;
  a->name = name;
  a->owned.reset(new std::uint8_t[size]);
  std::memset(a->owned.get(), 0xCD, size);  // not zero: results that depend on fresh memory should show
  a->know_writes();
  a->host = a->owned.get();
  return place(std::move(a), 256);
}

DevicePtr Memory::allocate_variable(std::size_t size, std::size_t align, const std::string& name, bool read_only) {
  auto a = std::make_unique<Allocation>();
  a->size = size;
  a->name = name;
  a->owned.reset(new std::uint8_t[size == 0 ? 1 : size]());
  a->host = a->owned.get();
  a->read_only = read_only;
  a->variable = true;
  return place(std::move(a), align);
}

DevicePtr Memory::bind(void* host, std::size_t size, const Binding& how, const std::string& name) {
  if (size == 0 || host == nullptr) refuse("binding no memory");
  auto a = std::make_unique<Allocation>();
  a->size = size;
  a->host = static_cast<std::uint8_t*>(host);
  a->name = name;
  if (!how.written) a->know_writes();
  return place(std::move(a), 256, how.like_host ? reinterpret_cast<std::uintptr_t>(host) % 256 : 0);
}

void Memory::release(DevicePtr base) {
  const auto it = allocations_.find(base);
  if (it == allocations_.end() || it->second->variable) refuse("releasing an address that no allocation starts at");
  allocations_.erase(it);
}

void Memory::release_variable(DevicePtr base) { allocations_.erase(base); }

Allocation* Memory::nearest(DevicePtr address) const {
  auto it = allocations_.upper_bound(address);
  if (it == allocations_.begin()) return nullptr;
  return std::prev(it)->second.get();
}
Allocation* Memory::find(DevicePtr address) const {
  Allocation* a = nearest(address);
  return a != nullptr && address - a->base < a->size ? a : nullptr;
}

bool Memory::contains(DevicePtr address, std::size_t size) const {
  const Allocation* a = find(address);
  return a != nullptr && size <= a->size - (address - a->base);
}
void Memory::forget_races() {
  for (auto& [base, a] : allocations_) a->forget_races();
}

void Memory::write(DevicePtr address, const void* from, std::size_t size) {
  if (size == 0) return;
  if (!contains(address, size)) refuse("writing " + std::to_string(size) + " bytes that are not inside one allocation");
  Allocation* a = find(address);
  const std::uint64_t at = address - a->base;
  std::memcpy(a->host + at, from, size);
  if (a->written) std::memset(a->written.get() + at, 1, size);
}
void Memory::read(DevicePtr address, void* to, std::size_t size) const {
  if (size == 0) return;
  if (!contains(address, size)) refuse("reading " + std::to_string(size) + " bytes that are not inside one allocation");
  const Allocation* a = find(address);
  std::memcpy(to, a->host + (address - a->base), size);
}
void Memory::copy(DevicePtr to, DevicePtr from, std::size_t size) {
  if (size == 0) return;
  if (!contains(from, size) || !contains(to, size)) refuse("copying bytes that are not inside one allocation");
  Allocation *a = find(to), *b = find(from);
  const std::uint64_t at = to - a->base, bt = from - b->base;
  std::memmove(a->host + at, b->host + bt, size);
  if (!a->written) return;
  if (b->written)
    std::memmove(a->written.get() + at, b->written.get() + bt, size);
  else
    std::memset(a->written.get() + at, 1, size);
}
void Memory::fill(DevicePtr address, std::uint8_t value, std::size_t size) {
  if (size == 0) return;
  if (!contains(address, size)) refuse("filling bytes that are not inside one allocation");
  Allocation* a = find(address);
  std::memset(a->host + (address - a->base), value, size);
  if (a->written) std::memset(a->written.get() + (address - a->base), 1, size);
}

}  // namespace tine::emulator
