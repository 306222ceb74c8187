#include "tools/tinec/build/sources.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "tools/tinec/build/ninetoothed.hpp"

namespace tinec::builder {
namespace {

std::string upper(std::string s) {
  for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return s;
}

// Names of C parameters: those of the kernel where C has them, and all different.
std::vector<std::string> parameter_names(const KernelPlan& k) {
  static const std::set<std::string> taken = {
      "auto",    "break",    "case",     "char",     "const",     "continue", "default", "do",     "double",
      "else",    "enum",     "extern",   "float",    "for",       "goto",     "if",      "inline", "int",
      "long",    "register", "restrict", "return",   "short",     "signed",   "sizeof",  "static", "struct",
      "switch",  "typedef",  "union",    "unsigned", "void",      "volatile", "while",   "class",  "new",
      "delete",  "this",     "template", "typename", "namespace", "operator", "private", "public", "protected",
      "virtual", "bool",     "true",     "false",    "using",     "friend",   "try",     "catch",  "throw",
      "and",     "or",       "not",      "xor",      "stream",    "tensors"};
  std::vector<std::string> out;
  for (const auto& s : k.instances[0].programs[0].graph.sources) {
    std::string name = s.name;
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "p_" + name;
    while (taken.count(name) || std::find(out.begin(), out.end(), name) != out.end()) name += '_';
    out.push_back(name);
  }
  return out;
}

std::string joined(const std::vector<std::string>& names, const std::string& before) {
  std::string out;
  for (const std::string& n : names) out += ", " + before + n;
  return out;
}

std::string kind(const tine::graph::Source& s) {
  return std::string(tine::graph::name(s.type)) + (s.rank == 0 ? " scalar" : " of rank " + std::to_string(s.rank));
}

// What a kernel takes, as a comment: a line for each instance.
std::string signature_comment(const KernelPlan& k) {
  std::string out = "/*";
  for (const Instance& i : k.instances) {
    std::string line = " " + i.name + ":";
    bool first = true;
    for (const auto& s : i.programs[0].graph.sources) {
      line += std::string(first ? " " : ", ") + s.name + " " + kind(s) +
              (s.stored ? s.loaded ? ", changed" : ", written" : "");
      first = false;
    }
    if (out.size() > 2) out += "\n  ";
    out += line;
  }
  // What closes a comment may stand in a C++ type's name only inside of one.
  for (std::size_t at; (at = out.find("*/")) != out.npos;) out.replace(at, 2, "* /");
  return out + " */\n";
}

std::string c_header(const Plan& plan, const std::string& abi_text) {
  const std::string& name = plan.library;
  std::string out = "/* " + name + ": written by tinec build. Link " + name + " (lib" + name +
                    ".so or .a); it needs the C library alone. */\n#ifndef TINE_LIBRARY_" + upper(name) +
                    "_H\n#define TINE_LIBRARY_" + upper(name) + "_H\n\n" + abi_text +
                    "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (const KernelPlan& k : plan.kernels)
    out += signature_comment(k) + "int " + k.name + "_launch(tine_stream stream" +
           joined(parameter_names(k), "const tine_tensor* ") + ");\n\n";
  out +=
      "/* Why the calling thread's last call that did not return TINE_OK failed. Valid until the thread's next call. "
      "*/\nconst char* " +
      name +
      "_error(void);\n/* Threads that run one call on the processor; 0, the default, stands for one for each CPU. "
      "*/\nvoid " +
      name + "_set_threads(int threads);\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return out;
}

constexpr const char* cpp_support = R"(
#ifndef TINE_AOT_CPP
#define TINE_AOT_CPP 1
namespace tine_aot {

/// A call that was refused or that failed; what() is the library's message.
struct error : std::runtime_error {
  error(int s, const char* message) : std::runtime_error(message), status(s) {}
  int status;
};

/// Element types of C++ types. For the narrow floats, which C++ lacks, `tensor` takes the type beside a pointer to bits.
template <class T> struct dtype_of;
template <> struct dtype_of<bool> { static constexpr int value = TINE_BOOL; };
template <> struct dtype_of<std::int8_t> { static constexpr int value = TINE_I8; };
template <> struct dtype_of<std::int16_t> { static constexpr int value = TINE_I16; };
template <> struct dtype_of<std::int32_t> { static constexpr int value = TINE_I32; };
template <> struct dtype_of<std::int64_t> { static constexpr int value = TINE_I64; };
template <> struct dtype_of<std::uint8_t> { static constexpr int value = TINE_U8; };
template <> struct dtype_of<std::uint16_t> { static constexpr int value = TINE_U16; };
template <> struct dtype_of<std::uint32_t> { static constexpr int value = TINE_U32; };
template <> struct dtype_of<std::uint64_t> { static constexpr int value = TINE_U64; };
template <> struct dtype_of<float> { static constexpr int value = TINE_F32; };
template <> struct dtype_of<double> { static constexpr int value = TINE_F64; };

/// An argument: a tensor (pointer, shape and, unless it is row-major without gaps, strides in elements) or a number for a
/// scalar parameter. Holds its shape; the data must outlive the call.
class tensor {
 public:
  static constexpr std::size_t max_rank = 16;
  template <class T>
  tensor(T* data, std::initializer_list<std::int64_t> shape, std::initializer_list<std::int64_t> strides = {})
      : tensor(data, dtype_of<typename std::remove_cv<T>::type>::value, shape, strides) {}
  tensor(const void* data, int dtype, std::initializer_list<std::int64_t> shape, std::initializer_list<std::int64_t> strides = {})
      : tensor(data, dtype, shape.begin(), shape.size(), strides.size() ? strides.begin() : nullptr) {
    if (strides.size() && strides.size() != shape.size()) throw std::invalid_argument("a tensor needs one stride for each dim");
  }
  tensor(const void* data, int dtype, const std::int64_t* shape, std::size_t rank, const std::int64_t* strides = nullptr)
      : data_(const_cast<void*>(data)), dtype_(dtype), rank_(rank), strided_(strides != nullptr) {
    if (rank > max_rank) throw std::invalid_argument("a tensor has at most 16 dims");
    for (std::size_t d = 0; d < rank; ++d) {
      shape_[d] = shape[d];
      strides_[d] = strides ? strides[d] : 0;
    }
  }
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  tensor(T number) : dtype_(std::is_floating_point<T>::value ? TINE_F64 : TINE_I64) {
    if (std::is_floating_point<T>::value) real_ = static_cast<double>(number);
    else integer_ = static_cast<std::int64_t>(number);
  }
  /// Valid as long as this object stays where it is.
  tine_tensor c() const {
    const bool scalar = rank_ == 0 && !data_;
    void* number = dtype_ == TINE_F64 ? static_cast<void*>(const_cast<double*>(&real_)) : const_cast<std::int64_t*>(&integer_);
    return {scalar ? number : data_, shape_, strided_ ? strides_ : nullptr, static_cast<std::int32_t>(rank_), dtype_};
  }

 private:
  void* data_ = nullptr;
  std::int32_t dtype_;
  std::size_t rank_ = 0;
  bool strided_ = false;
  double real_ = 0;
  std::int64_t integer_ = 0;
  std::int64_t shape_[max_rank] = {}, strides_[max_rank] = {};
};

}  // namespace tine_aot
#endif
)";

std::string cpp_header(const Plan& plan) {
  const std::string& name = plan.library;
  std::string out = "// " + name + " for C++17 and later: the functions of " + name +
                    ".h with tensors that know their types. They throw tine_aot::error.\n#pragma once\n" +
                    "#include <cstddef>\n#include <cstdint>\n#include <initializer_list>\n#include "
                    "<stdexcept>\n#include <type_traits>\n\n#include \"" +
                    name + ".h\"\n" + cpp_support + "\nnamespace " + name +
                    " {\n\nusing tine_aot::error;\nusing tine_aot::tensor;\n\n";
  for (const KernelPlan& k : plan.kernels) {
    const std::vector<std::string> names = parameter_names(k);
    out += signature_comment(k) + "inline void " + k.name + "(tine_stream stream" + joined(names, "const tensor& ") +
           ") {\n";
    std::string pointers;
    for (const std::string& n : names) {
      out += "  const tine_tensor c_" + n + " = " + n + ".c();\n";
      pointers += ", &c_" + n;
    }
    out += "  if (const int status = ::" + k.name + "_launch(stream" + pointers + ")) throw error(status, ::" + name +
           "_error());\n}\n\n";
  }
  return out + "}  // namespace " + name + "\n";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> headers(const Plan& plan, const std::string& abi_text) {
  if (plan.abi == Abi::ninetoothed) return ninetoothed_headers(plan);
  return {{plan.library + ".h", c_header(plan, abi_text)}, {plan.library + ".hpp", cpp_header(plan)}};
}

std::string entry_source(const Plan& plan, const std::string& abi_text) {
  std::string out = abi_text + R"(
typedef struct tine_aot_library {
  const unsigned char* pack;
  void* state;
} tine_aot_library;
int tine_aot_call(tine_aot_library*, uint32_t, tine_stream, const tine_tensor* const*);
int tine_aot_call_instance(tine_aot_library*, uint32_t, uint32_t, tine_stream, tine_tensor*);
const char* tine_aot_error(void);
int tine_aot_refuse(const char*);
void tine_aot_set_threads(int);

#define TINE_EXPORTED __attribute__((visibility("default")))
#if defined(__x86_64__) || defined(__i386__)
#define TINE_SECTION ".section .tine,\"a\",@progbits\n"
#else
#define TINE_SECTION ".section .tine,\"a\",%progbits\n"
#endif
__asm__(TINE_SECTION ".balign 64\n.hidden tine_pack\n.globl tine_pack\ntine_pack:\n.incbin \"pack.bin\"\n.text\n");
extern const unsigned char tine_pack[] __attribute__((visibility("hidden")));
static tine_aot_library library = {tine_pack, 0};
/* pthread_atfork wants it; it is of no use to a library that is never unloaded. Start files, which have it, bring constructors. */
__attribute__((weak, visibility("hidden"))) void* __dso_handle = 0;

)";
  if (plan.abi == Abi::ninetoothed) {
    out += ninetoothed_source(plan);
  } else {
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
      const KernelPlan& k = plan.kernels[i];
      const std::vector<std::string> names = parameter_names(k);
      out += "TINE_EXPORTED int " + k.name + "_launch(tine_stream stream" + joined(names, "const tine_tensor* ") +
             ") {\n  const tine_tensor* const tensors[] = {" + joined(names, "").substr(2) +
             "};\n  return tine_aot_call(&library, " + std::to_string(i) + ", stream, tensors);\n}\n";
    }
  }
  return out + "TINE_EXPORTED const char* " + plan.library +
         "_error(void) { return tine_aot_error(); }\nTINE_EXPORTED void " + plan.library +
         "_set_threads(int threads) { tine_aot_set_threads(threads); }\n";
}

}  // namespace tinec::builder
