// One piece of device memory and what is known about each of its bytes.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace tine::emulator {

// Zeroed memory of which only those pages cost anything that somebody touches, whatever the system promises to others: a
// tensor of few elements may span many GiB. An `Error` where there is none.
void* zeros(std::size_t bytes);
void free_zeros(void*, std::size_t bytes) noexcept;
struct FreeZeros {
  std::size_t bytes = 0;
  void operator()(void* p) const noexcept { free_zeros(p, bytes); }
};

struct Allocation {
  std::uint64_t base = 0, size = 0;
  std::uint8_t* host = nullptr;
  std::unique_ptr<std::uint8_t[]> owned;
  std::unique_ptr<std::uint8_t[], FreeZeros> written;  // a byte each, 1: written. Null: everything was.
  std::atomic<std::atomic<std::uint64_t>*> race{nullptr};  // who stored last, per 4 bytes; made on the first checked store
  bool read_only = false, variable = false;
  std::string name;
  void know_writes() { written = {static_cast<std::uint8_t*>(zeros(size)), FreeZeros{size}}; }
  std::size_t race_bytes() const { return (size + 3) / 4 * sizeof(std::uint64_t); }
  void forget_races() { free_zeros(race.exchange(nullptr), race_bytes()); }
  ~Allocation() { forget_races(); }
};

}  // namespace tine::emulator
