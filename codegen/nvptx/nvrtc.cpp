#include "codegen/nvptx/nvrtc.hpp"

namespace tine::nvptx {
namespace {

/// nvrtc.h's functions, as far as they are needed: programs are pointers, results are 0 for success.
struct Nvrtc {
  using Program = void*;
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*log_size)(Program, size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*ptx_size)(Program, size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;
  static constexpr int invalid_option = 5;

  bool open(const Toolkit& toolkit) {
    std::string path;
    void* library = open_library(toolkit, "nvrtc", path);
    auto get = [&](auto& f, const char* name) {
      f = library ? reinterpret_cast<std::decay_t<decltype(f)>>(symbol(library, name)) : nullptr;
      return f != nullptr;
    };
    return get(create, "nvrtcCreateProgram") && get(destroy, "nvrtcDestroyProgram") && get(compile, "nvrtcCompileProgram") &&
           get(log_size, "nvrtcGetProgramLogSize") && get(log, "nvrtcGetProgramLog") && get(ptx_size, "nvrtcGetPTXSize") && get(ptx, "nvrtcGetPTX");
  }
  static std::string text(Program p, int (*size)(Program, size_t*), int (*get)(Program, char*)) {
    size_t n = 0;
    if (size(p, &n) || !n) return "";
    std::string s(n, 0);
    if (get(p, s.data())) return "";
    return s.c_str();
  }
};

}  // namespace

NvrtcError compile_cuda(const Toolkit& toolkit, const std::string& source, const std::vector<std::string>& options, std::string& text) {
  Nvrtc nvrtc;
  if (!nvrtc.open(toolkit)) return NvrtcError::no_library;
  Nvrtc::Program program = nullptr;
  if (nvrtc.create(&program, source.c_str(), "tine.cu", 0, nullptr, nullptr)) return text = "out of memory", NvrtcError::bad_source;
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());
  int rc = nvrtc.compile(program, int(arguments.size()), arguments.data());
  text = Nvrtc::text(program, rc ? nvrtc.log_size : nvrtc.ptx_size, rc ? nvrtc.log : nvrtc.ptx);
  nvrtc.destroy(&program);
  return rc == 0 ? NvrtcError::none : rc == Nvrtc::invalid_option ? NvrtcError::bad_options : NvrtcError::bad_source;
}

}  // namespace tine::nvptx
