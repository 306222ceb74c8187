// Which processor this is, without asking LLVM.
#pragma once
#include <string>

namespace tine::jit {

/// Text that differs between processors for which the compiler may generate different code; the same on all their
/// cores.
const std::string& host_cpu();

}  // namespace tine::jit
