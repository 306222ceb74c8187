#include "tools/tinec/build/ninetoothed.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

// The types of its header, word for word, without the C++ helpers that its own launchers use.
constexpr const char* common = R"(#include <stdint.h>

#define NINETOOTHED_TRUE 1

#define NINETOOTHED_FALSE 0

#define NINETOOTHED_NONE 0

enum NineToothedDataType {
    NINETOOTHED_INT8,
    NINETOOTHED_INT16,
    NINETOOTHED_INT32,
    NINETOOTHED_INT64,
    NINETOOTHED_UINT8,
    NINETOOTHED_UINT16,
    NINETOOTHED_UINT32,
    NINETOOTHED_UINT64,
    NINETOOTHED_FLOAT16,
    NINETOOTHED_BFLOAT16,
    NINETOOTHED_FLOAT32,
    NINETOOTHED_FLOAT64
};

typedef struct {
    void *data;
    uint64_t *shape;
    int64_t *strides;
} NineToothedTensor;

typedef void *NineToothedStream;

typedef int NineToothedResult;
)";

// The number that stands for a variable's value in a call: that of an element type, a truth value, or the number
// itself.
int64_t code_of(const std::string& variable, const std::string& value) {
  static const std::map<std::string, int> types = {
      {"i8", 0},       {"int8_t", 0}, {"i16", 1},      {"int16_t", 1}, {"i32", 2},      {"int32_t", 2},
      {"int", 2},      {"i64", 3},    {"int64_t", 3},  {"u8", 4},      {"uint8_t", 4},  {"u16", 5},
      {"uint16_t", 5}, {"u32", 6},    {"uint32_t", 6}, {"u64", 7},     {"uint64_t", 7}, {"f16", 8},
      {"bf16", 9},     {"f32", 10},   {"float", 10},   {"f64", 11},    {"double", 11}};
  std::string word = value;
  if (const std::size_t at = word.rfind("::"); at != word.npos) word = word.substr(at + 2);
  if (const auto type = types.find(word); type != types.end()) return type->second;
  if (word == "true" || word == "false") return word == "true";
  if (const auto number = parse_integer(value)) return *number;
  throw Failure("variable " + ticked(variable) + " has the value " + ticked(value) +
                ", which NineToothed's calls cannot say: they have element types, truth values and integers");
}

std::string upper(std::string s) {
  for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return s;
}

// Names of the launcher's tensor arguments. Those that are no parameters of the kernel are its constexpr ones: they
// stand in the signature, and nobody reads them.
std::vector<std::string> arguments_of(const KernelPlan& k) {
  const auto& sources = k.instances[0].programs[0].graph.sources;
  std::vector<std::string> names, out = k.arguments;
  for (const auto& s : sources) names.push_back(s.name);
  if (out.empty()) return names;
  for (const std::string& n : names)
    if (std::count(out.begin(), out.end(), n) != 1)
      throw Failure("`arguments` of kernel " + ticked(k.name) + " must name the parameter " + ticked(n) +
                    " once; it names " + list_of(out));
  return out;
}

std::string signature(const KernelPlan& k) {
  std::string out = "NineToothedResult launch_" + k.name + "(NineToothedStream stream";
  for (const std::string& name : arguments_of(k)) out += ", NineToothedTensor " + name;
  for (const auto& [name, value] : k.instances[0].variables) out += ", int " + name + "_";
  return out + ")";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ninetoothed_headers(const Plan& plan) {
  std::vector<std::pair<std::string, std::string>> out;
  out.emplace_back("ninetoothed.h", std::string("#ifndef NINETOOTHED_H\n#define NINETOOTHED_H\n\n") + common +
                                        "\n#endif // NINETOOTHED_H\n");
  std::string all = "#include <stdint.h>\n";
  for (const KernelPlan& k : plan.kernels) {
    const std::string guard = "NINETOOTHED_" + upper(k.name) + "_H", s = signature(k);
    out.emplace_back(k.name + ".h", "#ifndef " + guard + "\n#define " + guard +
                                        "\n\n#include \"ninetoothed.h\"\n\n#ifdef __cplusplus\nextern \"C\" " + s +
                                        ";\n#else\n" + s + ";\n#endif\n\n#endif\n");
    if (k.name == plan.library)
      throw Failure("the library and its kernel cannot both be named " + ticked(k.name) +
                    ": their headers are one file");
  }
  std::string library = "/* " + plan.library +
                        ": written by tinec build, for callers of NineToothed's launchers. */\n#ifndef TINE_LIBRARY_" +
                        upper(plan.library) + "_H\n#define TINE_LIBRARY_" + upper(plan.library) + "_H\n\n";
  for (const KernelPlan& k : plan.kernels) library += "#include \"" + k.name + ".h\"\n";
  library +=
      "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n/* Why the thread's last call that did not return 0 failed. "
      "*/\nconst char* " +
      plan.library + "_error(void);\n/* Threads that run one call on the processor; 0: one for each CPU. */\nvoid " +
      plan.library + "_set_threads(int threads);\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  out.emplace_back(plan.library + ".h", library);
  return out;
}

std::string ninetoothed_source(const Plan& plan) {
  std::string out = common;
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const KernelPlan& k = plan.kernels[i];
    const auto& sources = k.instances[0].programs[0].graph.sources;
    out += "\nTINE_EXPORTED " + signature(k) + ";\n" + signature(k) + " {\n  tine_tensor tensors[] = {\n";
    for (const auto& s : sources)
      out += "      {" + s.name + ".data, (const int64_t*)" + s.name + ".shape, " + s.name + ".strides, 0, 0},\n";
    out += "  };\n";
    for (const std::string& name : arguments_of(k))
      if (std::none_of(sources.begin(), sources.end(), [&](const auto& s) { return s.name == name; }))
        out += "  (void)" + name + ";\n";
    std::map<std::vector<int64_t>, std::size_t> seen;
    for (std::size_t n = 0; n < k.instances.size(); ++n) {
      const Instance& instance = k.instances[n];
      std::string condition;
      std::vector<int64_t> codes;
      if (instance.variables.size() != k.instances[0].variables.size())
        throw Failure("kernel " + ticked(k.name) +
                      " has instances with different variables; give them names of their own");
      for (std::size_t v = 0; v < instance.variables.size(); ++v) {
        codes.push_back(code_of(instance.variables[v].first, instance.variables[v].second));
        condition += (condition.empty() ? "" : " && ") + k.instances[0].variables[v].first +
                     "_ == " + std::to_string(codes.back());
      }
      if (!seen.emplace(codes, n).second)
        throw Failure("kernels " + ticked(k.instances[seen[codes]].expression) + " and " + ticked(instance.expression) +
                      " cannot be told apart by a call of `launch_" + k.name +
                      "`; give one of them another name, or a variable in `for`");
      out += std::string("  ") + (condition.empty() ? "" : "if (" + condition + ") ") +
             "return tine_aot_call_instance(&library, " + std::to_string(i) + ", " + std::to_string(n) +
             ", stream, tensors);\n";
    }
    if (!k.instances[0].variables.empty())
      out += "  return tine_aot_refuse(\"launch_" + k.name + " was not built for these values\");\n";
    out += "}\n";
  }
  return out;
}

}  // namespace tinec::builder
