#include "case.hpp"

#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace tine::test {
namespace {

using nlohmann::json;

double number(const json& j) {
  if (j.is_number()) return j.get<double>();
  const auto s = j.get<std::string>();
  if (s == "inf") return std::numeric_limits<double>::infinity();
  if (s == "-inf") return -std::numeric_limits<double>::infinity();
  if (s == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw std::runtime_error("no number: " + s);
}

std::vector<int64_t> row_major(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d]) strides[d] = stride;
  return strides;
}

Tolerance tolerance(const json& j) {
  Tolerance t;
  const auto kind = j.at("kind").get<std::string>();
  if (kind == "abs_rel")
    t = {Tolerance::abs_rel, number(j.at("atol")), number(j.at("rtol")), 0};
  else if (kind == "ulp")
    t = {Tolerance::ulp, number(j.at("atol")), 0, j.at("max_ulp").get<int64_t>()};
  else if (kind != "exact" && kind != "bits_nan_any")
    throw std::runtime_error("unknown tolerance " + kind);
  return t;
}

Parameter parameter(const std::string& folder, const json& j, const json* out_view) {
  Parameter p;
  p.array.type = dtype_named(j.at("dtype"));
  p.scalar = j.value("scalar", false);
  if (p.scalar) {
    p.value = number(j.at("value"));
    return p;
  }
  p.output = j.value("out", false);
  p.array.shape = j.at("shape").get<std::vector<int64_t>>();
  if (!p.output) {
    p.array = read_npy(folder + "/" + j.at("file").get<std::string>(), p.array.type);
    if (p.array.shape != j.at("shape").get<std::vector<int64_t>>())
      throw std::runtime_error("shape of " + j.at("file").get<std::string>());
  }
  p.shape = p.array.shape;
  p.strides = row_major(p.shape);
  const json* view = j.contains("strides") ? &j : p.output ? out_view : nullptr;
  if (view) {
    p.shape = view->at(view->contains("view_shape") ? "view_shape" : "shape").get<std::vector<int64_t>>();
    p.strides = view->at("strides").get<std::vector<int64_t>>();
    p.base = view->at("base_element").get<int64_t>();
    p.filled = view->contains("fill");
    if (p.filled) p.fill = number(view->at("fill"));
  }
  return p;
}

}  // namespace

std::vector<Variant> load_case(const std::string& name) {
  const std::string folder = std::string(TINE_CASES) + "/kernels/" + name;
  std::ifstream file(folder + "/meta.json");
  if (!file) throw std::runtime_error("no case " + name);
  std::vector<Variant> variants;
  const json all = json::parse(file);
  for (const json& j : all.at("variants")) {
    Variant v;
    v.id = j.at("id");
    v.json = j;
    const json* out_view = j.contains("out_view") ? &j.at("out_view") : nullptr;
    for (const auto& [key, p] : j.at("params").items()) v.parameters[key] = parameter(folder, p, out_view);
    for (const auto& [key, e] : j.at("expected").items())
      v.expected[key] = read_npy(folder + "/" + e.at("file").get<std::string>(), dtype_named(e.at("dtype")));
    v.tolerance = tolerance(j.at("tolerance"));
    variants.push_back(std::move(v));
  }
  return variants;
}

Variant load_variant(const std::string& name, const std::string& id) {
  for (Variant& v : load_case(name))
    if (v.id == id) return std::move(v);
  throw std::runtime_error("case " + name + " has no variant " + id);
}

Run::Run(const Variant& variant, Placement placement) : variant_(variant) {
  for (const auto& [name, p] : variant.parameters) {
    if (p.scalar) continue;
    const auto width = static_cast<std::size_t>(bytes(p.array.type));
    Memory memory(static_cast<std::size_t>(p.array.count()) * width, width, placement);
    if (!p.output && memory.size())
      std::memcpy(memory.data(), p.array.data.data(), memory.size());
    else if (p.filled)
      for (std::size_t at = 0; at < memory.size(); at += width) set_element(p.array.type, memory.data() + at, p.fill);
    else
      std::memset(memory.data(), 0xcb, memory.size());
    std::vector<std::byte> before(memory.data(), memory.data() + memory.size());
    tensors_.emplace(name, Tensor{p, std::move(memory), std::move(before)});
  }
}

std::byte* Run::pointer(const std::string& name, DType type, int rank) {
  Tensor& t = tensors_.at(name);
  if (t.parameter.array.type != type) throw std::logic_error(name + " is " + dtype_name(t.parameter.array.type));
  if (rank >= 0 && rank != int(t.parameter.shape.size())) throw std::logic_error("rank of " + name);
  return t.memory.data() + t.parameter.base * bytes(type);
}

double Run::scalar(const std::string& name) const { return variant_.parameters.at(name).value; }

std::string Run::wrong() const {
  std::string out;
  const auto add = [&](const std::string& name, const std::string& what) {
    if (!what.empty()) out += (out.empty() ? "" : "; ") + name + ": " + what;
  };
  for (const auto& [name, t] : tensors_) {
    const Array& a = t.parameter.array;
    const auto expected = variant_.expected.find(name);
    if (t.memory.damaged()) add(name, std::to_string(t.memory.damaged()) + " guard bytes were overwritten");
    if (expected != variant_.expected.end()) {
      if (expected->second.count() != a.count()) throw std::logic_error("size of the expected " + name);
      add(name, difference(a.type, t.memory.data(), expected->second.data.data(), a.count(), variant_.tolerance));
    } else if (!t.before.empty() && std::memcmp(t.before.data(), t.memory.data(), t.before.size()) != 0) {
      add(name, t.parameter.output ? "written, but nothing is expected there" : "an input was written");
    }
  }
  return out;
}

}  // namespace tine::test
