// Scratch memory of the current thread.
#pragma once
#include <cstdint>

namespace tine::launch {

/// At least `bytes` bytes, aligned to 64; the same memory at the next call, grown as needed, freed when the thread
/// ends. Null when the system gives no more, and for 0 bytes.
void* thread_scratch(int64_t bytes);

}  // namespace tine::launch
