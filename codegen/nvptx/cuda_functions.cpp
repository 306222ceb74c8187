#include "codegen/nvptx/cuda_functions.hpp"
#include <map>
#include "codegen/nvptx/nvrtc.hpp"
#include "codegen/nvptx/ptx_text.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tine::nvptx {
namespace {

constexpr const char* attribute = "tine.cuda";
constexpr const char* call_file = "tine-call";  // stands in nvrtc's messages for what we add to the user's source

bool narrow(Type element) { return element.getIntOrFloatBitWidth() < 32; }

/// How an element travels: integers of 32 or 64 bits, f32, f64.
Type passed(Type element) {
  if (isa<Float32Type, Float64Type>(element)) return element;
  return IntegerType::get(element.getContext(), narrow(element) ? 32 : element.getIntOrFloatBitWidth());
}

Value pack(OpBuilder& b, Location loc, Value v) {
  if (isa<Float16Type, BFloat16Type>(v.getType())) v = LLVM::BitcastOp::create(b, loc, b.getI16Type(), v);
  return v.getType() == passed(v.getType()) ? v : LLVM::ZExtOp::create(b, loc, b.getI32Type(), v).getResult();
}

Value unpack(OpBuilder& b, Location loc, Value v, Type element) {
  Type integer = b.getIntegerType(element.getIntOrFloatBitWidth());
  if (narrow(element)) v = LLVM::TruncOp::create(b, loc, integer, v);
  return isa<Float16Type, BFloat16Type>(element) ? LLVM::BitcastOp::create(b, loc, element, v).getResult() : v;
}

/// CUDA's name of an element type.
const char* cuda_type(Type t) {
  if (t.isF32()) return "float";
  if (t.isF64()) return "double";
  if (t.isF16()) return "__half";
  if (t.isBF16()) return "__nv_bfloat16";
  bool natural = t.isUnsignedInteger();
  switch (t.getIntOrFloatBitWidth()) {
    case 1: return "bool";
    case 8: return natural ? "unsigned char" : "signed char";
    case 16: return natural ? "unsigned short" : "short";
    case 32: return natural ? "unsigned int" : "int";
    default: return natural ? "unsigned long long" : "long long";
  }
}

/// One declaration of the module, and what it stands for.
struct Function {
  std::string symbol, callee, source, file;
  int64_t line;
  SmallVector<Type> parameters;
  Type result;

  Function(LLVM::LLVMFuncOp f, DictionaryAttr d) : symbol(f.getSymName().str()) {
    auto text = [&](const char* name) { return d.getAs<StringAttr>(name).str(); };
    callee = text("callee");
    source = text("source");
    file = text("file");
    line = d.getAs<IntegerAttr>("line").getInt();
    auto type = cast<FunctionType>(d.getAs<TypeAttr>("type").getValue());
    parameters.assign(type.getInputs().begin(), type.getInputs().end());
    result = type.getResult(0);
  }
  bool uses(llvm::function_ref<bool(Type)> what) const { return what(result) || llvm::any_of(parameters, what); }
  std::string type() const {
    std::string s = std::string(cuda_type(result)) + "(";
    for (size_t i = 0; i < parameters.size(); ++i) s += (i ? ", " : "") + std::string(cuda_type(parameters[i]));
    return s + ")";
  }

  static std::string passed_type(Type t) { return t.isF32() ? "float" : t.isF64() ? "double" : t.getIntOrFloatBitWidth() == 64 ? "long long" : "unsigned int"; }
  static std::string to_cuda(Type t, const std::string& v) {
    if (t.isF16()) return "__ushort_as_half((unsigned short)" + v + ")";
    if (t.isBF16()) return "__ushort_as_bfloat16((unsigned short)" + v + ")";
    if (t.isInteger(1)) return v + " != 0";
    return std::string("(") + cuda_type(t) + ")" + v;
  }
  static std::string from_cuda(Type t, const std::string& v) {
    if (t.isF16()) return "__half_as_ushort(" + v + ")";
    if (t.isBF16()) return "__bfloat16_as_ushort(" + v + ")";
    // Narrow integers by their bits: a sign must not reach the upper ones.
    if (t.isInteger() && t.getIntOrFloatBitWidth() < 32) return std::string("(unsigned ") + (t.getIntOrFloatBitWidth() == 16 ? "short" : "char") + ")" + v;
    return "(" + passed_type(t) + ")" + v;
  }
  /// The function under the declared name and with the declared types. The pointer picks the overload, and its type is the check.
  std::string wrapper() const {
    std::string parameters_text, arguments, types;
    for (size_t i = 0; i < parameters.size(); ++i) {
      std::string comma = i ? ", " : "", name = "tine_argument_" + std::to_string(i);
      parameters_text += comma + passed_type(parameters[i]) + " " + name;
      types += comma + cuda_type(parameters[i]);
      arguments += comma + to_cuda(parameters[i], name);
    }
    return "extern \"C\" __device__ " + passed_type(result) + " " + symbol + "(" + parameters_text + ") {\n  " + cuda_type(result) + " (*tine_callee)(" + types + ") = &" + callee +
           ";\n  return " + from_cuda(result, "tine_callee(" + arguments + ")") + ";\n}\n";
  }
};

std::vector<Function> functions(ModuleOp module) {
  std::vector<Function> all;
  for (auto f : module.getOps<LLVM::LLVMFuncOp>())
    if (auto d = f->getAttrOfType<DictionaryAttr>(attribute)) all.emplace_back(f, d);
  return all;
}

/// The first error that nvrtc reports: `FILE(LINE): error: WORDS`.
struct CudaError {
  std::string file, words;
  int line = 0;
};
CudaError first_error(llvm::StringRef log) {
  for (auto [line, rest] = log.split('\n'); !line.empty() || !rest.empty(); std::tie(line, rest) = rest.split('\n')) {
    size_t at = line.find("): error");  // also "error #NUMBER"
    if (at == llvm::StringRef::npos) continue;
    CudaError e;
    llvm::StringRef place = line.take_front(at);
    size_t open = place.rfind('(');
    e.file = place.take_front(open).str();
    place.substr(open + 1).getAsInteger(10, e.line);
    e.words = line.substr(at + 3).ltrim().str();
    if (llvm::StringRef words = e.words; words.consume_front("error: ")) e.words = words.str();
    return e;
  }
  return {"", llvm::StringRef(log).trim().str(), 0};
}

LogicalResult user_error(ModuleOp module, const std::string& file, int64_t line, const std::string& words) {
  Location where = file.empty() ? module.getLoc() : Location(FileLineColLoc::get(module.getContext(), file, unsigned(std::max<int64_t>(line, 0)), 0));
  emitError(where).append(words).attachNote() << "user error";
  return failure();
}

/// The functions of one source, compiled together.
LogicalResult compile(ModuleOp module, const std::vector<Function*>& group, const Target& target, const Toolkit& toolkit, std::string& ptx) {
  const Function& first = *group[0];
  std::string program;
  auto any = [&](const char* name, llvm::function_ref<bool(Type)> what) {
    return llvm::StringRef(first.source).contains(name) || llvm::any_of(group, [&](Function* f) { return f->uses(what); });
  };
  if (any("__half", [](Type t) { return t.isF16(); })) program += "#include <cuda_fp16.h>\n";
  if (any("__nv_bfloat16", [](Type t) { return t.isBF16(); })) program += "#include <cuda_bf16.h>\n";
  std::string quoted;
  for (char c : first.file) quoted += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
  program += "#line " + std::to_string(std::max<int64_t>(first.line, 1)) + " \"" + (quoted.empty() ? "source" : quoted) + "\"\n" + first.source + "\n#line 1 \"" + call_file + "\"\n";
  for (Function* f : group) program += f->wrapper();

  std::vector<std::string> options = {"--gpu-architecture=compute_" + std::to_string(target.arch), "--relocatable-device-code=true"};
  for (const std::string& folder : toolkit.folders)
    if (llvm::sys::fs::is_directory(folder + "/include")) options.push_back("--include-path=" + folder + "/include");
  std::string text;
  switch (compile_cuda(toolkit, program, options, text)) {
    case NvrtcError::none: break;
    case NvrtcError::no_library:
      return user_error(module, first.file, first.line, "`" + first.callee + "` is CUDA C++, and the library nvrtc of a CUDA toolkit, release 12 or 13, that compiles it was not found (" +
                                                            places(toolkit) + "); install a toolkit, or set CUDA_HOME to its folder");
    case NvrtcError::bad_options:
      return user_error(module, first.file, first.line, "the nvrtc that was found does not compile `" + first.callee + "` for " + target.cpu() + ": " + llvm::StringRef(text).trim().str());
    case NvrtcError::bad_source: {
      CudaError e = first_error(text);
      if (e.file != call_file)
        return user_error(module, e.line ? e.file : first.file, e.line ? e.line : first.line, "the source of `" + first.callee + "` does not compile: " + e.words + "\n" + llvm::StringRef(text).trim().str());
      for (Function* f : group)
        if (text.find(f->callee) != std::string::npos || group.size() == 1)
          return user_error(module, f->file, f->line, "`" + f->callee + "` is not a device function of its source of the type " + f->type() + ": " + e.words);
      return user_error(module, first.file, first.line, "the source of `" + first.callee + "` has not the functions that are called: " + e.words);
    }
  }
  link_ptx(ptx, text);
  return success();
}

}  // namespace

Value call_cuda_function(OpBuilder& b, ir::ForeignOp op, ValueRange arguments) {
  auto module = op->getParentOfType<ModuleOp>();
  Location loc = op.getLoc();
  SmallVector<Type> elements, types;
  for (Type t : op.getOperandTypes()) elements.push_back(ir::elementOf(t));
  Type result = ir::elementOf(op.getType());
  for (Type t : elements) types.push_back(passed(t));
  DictionaryAttr what = b.getDictionaryAttr({b.getNamedAttr("callee", op.getCalleeAttr()), b.getNamedAttr("source", op.getSourceAttr()),
                                             b.getNamedAttr("file", op.getFileAttr()), b.getNamedAttr("line", op.getLineAttr()),
                                             b.getNamedAttr("type", TypeAttr::get(b.getFunctionType(elements, result)))});
  LLVM::LLVMFuncOp function;
  int count = 0;
  for (auto f : module.getOps<LLVM::LLVMFuncOp>()) {
    if (f->getAttr(attribute) == what) function = f;
    count += f->hasAttr(attribute);
  }
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    function = LLVM::LLVMFuncOp::create(b, loc, "tine_cuda_" + std::to_string(count), LLVM::LLVMFunctionType::get(passed(result), types));
    function->setAttr(attribute, what);
    // Pure, as the language asks: calls with equal arguments are one, and leave loops.
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(b.getContext(), {none, none, none, none, none, none}));
    function.setNoUnwind(true);
    function.setWillReturn(true);
  }
  SmallVector<Value> packed;
  for (Value v : arguments) packed.push_back(pack(b, loc, v));
  Value r = LLVM::CallOp::create(b, loc, function, packed).getResult();
  return unpack(b, loc, r, isa<FloatType>(result) ? result : b.getIntegerType(result.getIntOrFloatBitWidth()));
}

LogicalResult link_cuda_functions(ModuleOp module, const Target& target, const Toolkit& toolkit, std::string& ptx) {
  std::vector<Function> all = functions(module);
  std::map<std::string, std::vector<Function*>> sources;
  for (Function& f : all) sources[f.source].push_back(&f);
  for (auto& [source, group] : sources)
    if (failed(compile(module, group, target, toolkit, ptx))) return failure();
  return success();
}

}  // namespace tine::nvptx
