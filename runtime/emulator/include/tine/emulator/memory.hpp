// Device memory: allocations with gaps between them, each byte with a record of whether it was ever written.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tine::emulator {

using DevicePtr = std::uint64_t;

struct Allocation;  // internal

struct Binding {
  bool written = true;     // the bytes count as written
  bool like_host = false;  // the address is aligned as the host's, modulo 256, not better
};

// Not to be changed while a launch runs. Device addresses are never valid host addresses: a host that follows one crashes, as it should.
class Memory {
 public:
  // Addresses begin `offset` bytes above the usual place: for memories whose addresses must differ.
  explicit Memory(std::uint64_t offset = 0);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Fresh, unwritten bytes owned by the Memory; 256-byte aligned. size 0 throws Error(usage).
  DevicePtr allocate(std::size_t size, const std::string& name = {});
  // Makes host memory visible to kernels without copying. The caller keeps it alive until release().
  DevicePtr bind(void* host, std::size_t size, const Binding& how = {}, const std::string& name = {});
  // Frees what allocate() or bind() returned; throws Error(usage) on anything else.
  void release(DevicePtr base);

  // Copies; throw Error(usage) when [address, address+size) is not inside one allocation.
  void write(DevicePtr address, const void* from, std::size_t size);
  void read(DevicePtr address, void* to, std::size_t size) const;
  void copy(DevicePtr to, DevicePtr from, std::size_t size);
  void fill(DevicePtr address, std::uint8_t value, std::size_t size);
  bool contains(DevicePtr address, std::size_t size) const;

  // For the machine itself.
  Allocation* find(DevicePtr address) const;  // the allocation that contains the address, or null
  Allocation* nearest(DevicePtr address) const;  // for messages: the last one that starts at or below it, or null
  std::uint32_t next_launch() { return ++launches_; }
  void release_variable(DevicePtr base);
  void forget_races();  // drops all records of who stored what
  DevicePtr allocate_variable(std::size_t size, std::size_t align, const std::string& name, bool read_only);

 private:
  DevicePtr place(std::unique_ptr<Allocation> allocation, std::size_t align, std::size_t offset = 0);
  std::map<DevicePtr, std::unique_ptr<Allocation>> allocations_;
  DevicePtr next_;
  std::uint32_t launches_ = 0;
};

}  // namespace tine::emulator
