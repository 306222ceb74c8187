// Memory for one tensor, laid out so that a kernel that leaves it is caught.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tine::test {

/// Where the bytes lie.
enum class Placement {
  guarded,    ///< on a 64-byte boundary, between two zones of guard bytes
  shifted,    ///< the same, one element further
  page_end,   ///< up against the end of a page; behind it lies memory that faults when touched
  page_begin  ///< at the beginning of a page; before it lies memory that faults when touched
};
inline constexpr Placement placements[] = {Placement::guarded, Placement::shifted, Placement::page_end,
                                           Placement::page_begin};
const char* name(Placement);

class Memory {
 public:
  Memory(std::size_t size, std::size_t element, Placement);
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory(const Memory&) = delete;
  Memory& operator=(Memory&&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Number of guard bytes that changed.
  std::size_t damaged() const;

 private:
  std::byte* base_ = nullptr;  // of the mapping
  std::size_t mapped_ = 0, readable_begin_ = 0, readable_end_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tine::test
