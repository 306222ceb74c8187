// Opening a shared object that lies in memory. Needs the C library alone: linked AOT libraries have it too.
#pragma once
#include <cstddef>

namespace tine::launch {

/// A handle of dlopen's; null on failure, with the reason. `label` is for debuggers and profilers.
void* open_memory(const void* bytes, std::size_t size, const char* label, char* reason, std::size_t reason_size);

}  // namespace tine::launch
