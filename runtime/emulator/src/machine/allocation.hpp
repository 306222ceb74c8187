// One piece of device memory and what is known about each of its bytes.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace tine::emulator {

struct Allocation {
  std::uint64_t base = 0, size = 0;
  std::uint8_t* host = nullptr;
  std::unique_ptr<std::uint8_t[]> owned;
  std::unique_ptr<std::uint8_t[]> written;       // a byte each, 1: written. Null: everything was.
  std::atomic<std::atomic<std::uint64_t>*> race{nullptr};  // who stored last, per 4 bytes; made on the first checked store
  bool read_only = false, variable = false;
  std::string name;
  ~Allocation() { delete[] race.load(); }
};

}  // namespace tine::emulator
