#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

namespace tine::test {
namespace {
// Different at each place, so that a guard zone that moves by a vector is seen too.
std::byte guard(std::size_t at) { return static_cast<std::byte>(0xa5 ^ (at * 37)); }
}  // namespace

const char* name(Placement p) {
  constexpr const char* names[] = {"guarded", "shifted", "page_end", "page_begin"};
  return names[static_cast<int>(p)];
}

Memory::Memory(std::size_t size, std::size_t element, Placement placement) : size_(size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  constexpr std::size_t zone = 512;
  const std::size_t inner = (size + 2 * zone + element + page - 1) / page * page;
  mapped_ = inner + 2 * page;
  void* p = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(p);
  readable_begin_ = page;
  readable_end_ = page + inner;
  mprotect(base_, page, PROT_NONE);
  mprotect(base_ + readable_end_, page, PROT_NONE);
  switch (placement) {
    case Placement::guarded:
      data_ = base_ + page + zone;
      break;
    case Placement::shifted:
      data_ = base_ + page + zone + element;
      break;
    case Placement::page_end:
      data_ = base_ + readable_end_ - size;
      break;
    case Placement::page_begin:
      data_ = base_ + page;
      break;
  }
  for (std::size_t i = readable_begin_; i < readable_end_; ++i)
    if (base_ + i < data_ || base_ + i >= data_ + size_) base_[i] = guard(i);
}

Memory::Memory(Memory&& o) noexcept
    : base_(std::exchange(o.base_, nullptr)),
      mapped_(o.mapped_),
      readable_begin_(o.readable_begin_),
      readable_end_(o.readable_end_),
      data_(o.data_),
      size_(o.size_) {}

Memory::~Memory() {
  if (base_) munmap(base_, mapped_);
}

std::size_t Memory::damaged() const {
  std::size_t n = 0;
  for (std::size_t i = readable_begin_; i < readable_end_; ++i)
    if (base_ + i < data_ || base_ + i >= data_ + size_) n += base_[i] != guard(i);
  return n;
}

}  // namespace tine::test
