// nvrtc: CUDA C++ to PTX, from a library of the toolkit that is opened at run time.
#pragma once
#include <string>
#include <vector>
#include "codegen/nvptx/toolkit.hpp"

namespace tine::nvptx {

enum class NvrtcError { none, no_library, bad_options, bad_source };

/// `text` is the PTX or, on errors, the compiler's log.
NvrtcError compile_cuda(const Toolkit& toolkit, const std::string& source, const std::vector<std::string>& options, std::string& text);

}  // namespace tine::nvptx
