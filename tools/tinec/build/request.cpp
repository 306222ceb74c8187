#include "tools/tinec/build/request.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/tinec/build/c_names.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

using Json = nlohmann::ordered_json;

// ---- the description: values with their place for messages

class Reader {
 public:
  Reader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void bad(const std::string& what) const { throw Failure(place_ + " " + what); }
  const Json& json() const { return json_; }

  void keys(const std::vector<std::string>& known) const {
    if (!json_.is_object()) bad("is no object");
    for (const auto& item : json_.items())
      if (std::find(known.begin(), known.end(), item.key()) == known.end())
        bad("has the key " + ticked(item.key()) + ", which it cannot have; there are " +
            list_of(nearest_first(item.key(), known)));
  }
  bool has(const char* key) const { return json_.contains(key); }
  Reader at(const char* key) const { return {json_.at(key), place_ + ", " + ticked(key)}; }
  std::string text() const {
    if (!json_.is_string()) bad("is no text");
    return json_.get<std::string>();
  }
  bool flag() const {
    if (!json_.is_boolean()) bad("is neither true nor false");
    return json_.get<bool>();
  }
  int64_t integer() const {
    if (!json_.is_number_integer()) bad("is no integer");
    return json_.get<int64_t>();
  }
  std::string scalar_text() const {  // of a variable or an option: a text, a number or a truth value
    if (json_.is_boolean()) return json_.get<bool>() ? "true" : "false";
    if (json_.is_number_integer()) return std::to_string(json_.get<int64_t>());
    return text();
  }
  std::vector<Reader> list() const {
    if (!json_.is_array()) bad("is no list");
    std::vector<Reader> out;
    for (const Json& item : json_) out.emplace_back(item, place_);
    return out;
  }
  /// A list, or one thing for a list of one.
  std::vector<Reader> some() const { return json_.is_array() ? list() : std::vector<Reader>{*this}; }
  std::vector<std::pair<std::string, Reader>> items() const {
    if (!json_.is_object()) bad("is no object");
    std::vector<std::pair<std::string, Reader>> out;
    for (const auto& item : json_.items())
      out.emplace_back(item.key(), Reader(item.value(), place_ + ", " + ticked(item.key())));
    return out;
  }

 private:
  const Json& json_;
  std::string place_;
};

std::vector<std::string> texts(const Reader& r) {
  std::vector<std::string> out;
  for (const Reader& item : r.some()) out.push_back(item.scalar_text());
  return out;
}

Named<std::vector<std::string>> named_texts(const Reader& r) {
  Named<std::vector<std::string>> out;
  for (const auto& [key, value] : r.items()) {
    out.emplace_back(key, texts(value));
    if (out.back().second.empty()) value.bad("is an empty list");
  }
  return out;
}

std::vector<int> dims(const Reader& r) {
  std::vector<int> out;
  for (const Reader& item : r.some()) out.push_back(static_cast<int>(item.integer()));
  return out;
}

TensorFacts tensor_facts(const Reader& r) {
  r.keys({"contiguous", "alignment", "unit_stride", "size16", "stride16"});
  TensorFacts f;
  if (r.has("contiguous")) f.contiguous = r.at("contiguous").flag();
  if (r.has("alignment")) {
    const int64_t bytes = r.at("alignment").integer();
    if (bytes < 1 || bytes > 64 || (bytes & (bytes - 1)) != 0)
      r.at("alignment").bad("is " + std::to_string(bytes) + "; there are 1, 2, 4, 8, 16, 32 and 64");
    f.alignment = bytes == 1 ? -1 : static_cast<int>(bytes);
  }
  if (r.has("unit_stride")) f.unit_stride = dims(r.at("unit_stride"));
  if (r.has("size16")) f.size16 = dims(r.at("size16"));
  if (r.has("stride16")) f.stride16 = dims(r.at("stride16"));
  return f;
}

VariantRequest variant(const Reader& r) {
  r.keys({"name", "tensors", "overlaps", "narrow_index"});
  VariantRequest v;
  if (!r.has("name")) r.bad("has a variant without a name");
  v.name = r.at("name").text();
  if (r.has("tensors"))
    for (const auto& [name, facts] : r.at("tensors").items()) {
      if (name == "*")
        v.all = tensor_facts(facts);
      else
        v.tensors.emplace_back(name, tensor_facts(facts));
    }
  if (r.has("overlaps")) {
    const Reader o = r.at("overlaps");
    if (o.json().is_string()) {
      if (o.text() != "all" && o.text() != "none")
        o.bad("is " + ticked(o.text()) + "; there are `all`, `none` and lists of pairs");
      v.overlaps = o.text() == "all" ? VariantRequest::Overlaps::all : VariantRequest::Overlaps::none;
    } else {
      v.overlaps = VariantRequest::Overlaps::listed;
      for (const Reader& pair : o.list()) {
        const std::vector<std::string> names = texts(pair);
        if (names.size() != 2) o.bad("has a pair that is none");
        v.pairs.emplace_back(names[0], names[1]);
      }
    }
  }
  if (r.has("narrow_index")) v.narrow_index = r.at("narrow_index").flag();
  return v;
}

std::vector<Size> constant_sizes(const Reader& r) {
  std::vector<Size> out;
  for (const auto& [parameter, shape] : r.items()) {
    int dim = 0;
    for (const Reader& size : shape.list()) {
      if (!size.json().is_null()) {
        if (size.integer() < 0) size.bad("has a negative size");
        out.push_back({parameter, dim, size.integer()});
      }
      ++dim;
    }
  }
  return out;
}

Named<std::vector<int64_t>> shapes(const Reader& r) {
  Named<std::vector<int64_t>> out;
  for (const auto& [parameter, shape] : r.items()) {
    out.emplace_back(parameter, std::vector<int64_t>());
    for (const Reader& size : shape.list()) {
      if (size.integer() < 1) size.bad("has a size that is not positive");
      out.back().second.push_back(size.integer());
    }
  }
  return out;
}

KernelRequest kernel(const Reader& r, const std::string& folder, const std::string& default_header) {
  r.keys({"name", "header", "kernel", "for", "set", "options", "sizes", "exclude", "variants", "capacities", "tune",
          "arguments"});
  KernelRequest k;
  if (r.has("name")) k.name = r.at("name").text();
  k.header = default_header;
  if (r.has("header")) k.header = r.at("header").text();
  if (k.header.empty()) r.bad("has a kernel without `header`, and there is no `header` for all");
  if (!std::filesystem::path(k.header).is_absolute() && !folder.empty()) k.header = folder + "/" + k.header;
  if (r.has("kernel")) k.expression = r.at("kernel").text();
  if (r.has("for")) k.variables = named_texts(r.at("for"));
  if (k.expression.empty() && !k.variables.empty()) r.at("for").bad("needs a `kernel` to stand in");
  for (const auto& [name, values] : k.variables)
    if (k.expression.find("{" + name + "}") == std::string::npos && k.name.find("{" + name + "}") == std::string::npos)
      r.at("for").bad("has the variable " + ticked(name) + ", but `kernel` does not mention " +
                      ticked("{" + name + "}"));
  if (r.has("set"))
    for (const auto& [name, values] : r.at("set").items()) {
      k.metas.emplace_back(name, std::vector<int64_t>());
      for (const Reader& v : values.some()) {
        const int64_t value = v.integer();
        if (value < 1 || value > INT32_MAX)
          values.bad("has the value " + std::to_string(value) + ", not a positive integer below 2^31");
        k.metas.back().second.push_back(value);
      }
      if (k.metas.back().second.empty()) values.bad("is an empty list");
    }
  if (r.has("options")) k.options = named_texts(r.at("options"));
  if (r.has("sizes"))
    for (const Reader& s : r.at("sizes").list()) k.sizes.push_back(constant_sizes(s));
  if (r.has("variants"))
    for (const Reader& v : r.at("variants").list()) k.variants.push_back(variant(v));
  for (std::size_t i = 0; i < k.variants.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (k.variants[i].name == k.variants[j].name)
        r.at("variants").bad("has two variants named " + ticked(k.variants[i].name));
  if (r.has("capacities"))
    for (const Reader& c : r.at("capacities").some()) {
      const int64_t n = c.integer();
      if (n < 1 || (n & (n - 1)) != 0) c.bad("has the capacity " + std::to_string(n) + ", which is no power of two");
      k.capacities.push_back(n);
    }
  std::sort(k.capacities.begin(), k.capacities.end());
  if (r.has("tune"))
    for (const Reader& t : r.at("tune").list()) k.tune.push_back(shapes(t));
  if (r.has("arguments")) k.arguments = texts(r.at("arguments"));
  if (r.has("exclude")) {
    std::vector<std::string> known;
    Named<std::vector<std::string>> all = k.variables;
    for (const auto& [name, values] : k.metas) {
      all.emplace_back(name, std::vector<std::string>());
      for (const int64_t v : values) all.back().second.push_back(std::to_string(v));
    }
    all.insert(all.end(), k.options.begin(), k.options.end());
    for (const auto& [name, values] : all) known.push_back(name);
    for (const Reader& e : r.at("exclude").list()) {
      k.exclude.push_back(named_texts(e));
      for (const auto& [name, values] : k.exclude.back()) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& item) { return item.first == name; });
        if (found == all.end())
          e.bad("excludes by " + ticked(name) + ", which is not among the kernel's " +
                list_of(nearest_first(name, known)));
        for (const std::string& v : values)
          if (std::find(found->second.begin(), found->second.end(), v) == found->second.end())
            e.bad("excludes " + ticked(name) + " = " + ticked(v) + ", which is not asked for; there are " +
                  list_of(found->second));
      }
    }
  }
  return k;
}

Abi parse_abi(const std::string& text) {
  if (text == "tine") return Abi::tine;
  if (text == "ninetoothed") return Abi::ninetoothed;
  throw Usage("ABI " + ticked(text) + " does not exist; there are `tine` and `ninetoothed`");
}

void read_description(const std::string& path, Request& out) {
  Json json;
  try {
    json = Json::parse(read_text(path, 16 << 20));
  } catch (const Json::parse_error& e) {
    throw Failure(ticked(path) + " is no JSON: " + std::string(e.what()).substr(std::string(e.what()).find("] ") + 2));
  }
  const Reader r(json, ticked(path));
  r.keys({"name", "header", "targets", "abi", "kernels", "include", "define", "std", "tuning"});
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const auto beside = [&](const std::string& file) {
    return folder.empty() || std::filesystem::path(file).is_absolute() ? file : folder + "/" + file;
  };
  if (r.has("name")) out.name = r.at("name").text();
  if (r.has("targets")) out.targets = texts(r.at("targets"));
  if (r.has("abi")) out.abi = parse_abi(r.at("abi").text());
  if (r.has("include"))
    for (const std::string& i : texts(r.at("include"))) out.cxx.includes.push_back(beside(i));
  if (r.has("define"))
    for (const std::string& d : texts(r.at("define"))) out.cxx.defines.push_back(d);
  if (r.has("std")) out.cxx.standard = r.at("std").text();
  if (r.has("tuning")) out.tuning = beside(r.at("tuning").text());
  const std::string header = r.has("header") ? r.at("header").text() : "";
  if (!r.has("kernels")) r.bad("has no `kernels`");
  for (const Reader& k : r.at("kernels").list()) out.kernels.push_back(kernel(k, folder, header));
}

// `NAME=EXPRESSION` gives the C function a name.
std::pair<std::string, std::string> split_kernel(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at != text.npos && is_identifier(text.substr(0, at)) && at + 1 < text.size() && text[at + 1] != '=')
    return {text.substr(0, at), text.substr(at + 1)};
  return {"", text};
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string substitute(const std::string& text, const Named<std::string>& values) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    bool replaced = false;
    for (const auto& [name, value] : values)
      if (text.compare(i, name.size() + 2, "{" + name + "}") == 0) {
        out += value;
        i += name.size() + 2;
        replaced = true;
        break;
      }
    if (!replaced) out += text[i++];
  }
  return out;
}

std::vector<std::string> expressions_of(const KernelRequest& k) {
  std::vector<std::string> out;
  if (k.expression.empty()) return out;
  for (const Named<std::string>& variables : combinations(k.variables))
    out.push_back(substitute(k.expression, variables));
  return out;
}

Request read_request(const BuildOptions& o) {
  Request out;
  out.cxx = o.cxx;
  if (!o.abi.empty()) out.abi = parse_abi(o.abi);
  const Abi abi = out.abi;
  if (!o.description.empty()) read_description(o.description, out);
  if (!o.abi.empty()) out.abi = abi;
  if (!o.name.empty()) out.name = o.name;
  if (!o.tuning.empty()) out.tuning = o.tuning;
  if (!o.targets.empty()) {
    out.targets.clear();
    for (const std::string& list : o.targets)
      for (const std::string& t : split(list)) out.targets.push_back(t);
  }
  if (out.targets.empty()) out.targets = {"cpu"};
  if (!o.header.empty()) {
    if (o.kernels.empty() && !o.all)
      throw Usage("name kernels with `--kernel`, or take all that are exported with `--all`");
    for (const std::string& text : o.kernels) {
      KernelRequest k;
      std::tie(k.name, k.expression) = split_kernel(text);
      k.header = o.header;
      out.kernels.push_back(std::move(k));
    }
    if (o.all) {
      KernelRequest k;
      k.header = o.header;
      out.kernels.push_back(std::move(k));
    }
    for (KernelRequest& k : out.kernels) {
      for (const auto& [name, value] : parse_config(o.set)) {
        const auto known =
            std::find_if(k.metas.begin(), k.metas.end(), [&, n = name](const auto& m) { return m.first == n; });
        if (known == k.metas.end())
          k.metas.emplace_back(name, std::vector<int64_t>{value});
        else
          known->second.push_back(value);
      }
      for (const std::string& option : o.options) {
        const auto pair = parse_assignment(option);
        if (!pair || option.find(';') != option.npos)
          throw Usage("`--option` takes `KEY=VALUE`, not " + ticked(option));
        k.options.emplace_back(pair->first, std::vector<std::string>{pair->second});
      }
    }
  } else if (o.description.empty()) {
    throw Usage("name a header, or a description with `--description`");
  } else if (!o.kernels.empty() || o.all) {
    throw Usage("`--kernel` and `--all` need a header; with `--description` alone its kernels are built");
  }
  if (out.kernels.empty()) throw Failure(ticked(o.description) + " names no kernels");
  if (o.jobs < 0) throw Usage("`--jobs` takes a number that is not negative");
  if (out.name.empty()) throw Usage("name the library with `--name`");
  if (!is_identifier(out.name)) throw Usage("`--name` takes letters, digits and `_`, not " + ticked(out.name));
  if (is_keyword(out.name)) throw Usage("`--name` takes no keyword of C or C++, such as " + ticked(out.name));
  for (std::size_t i = 0; i < out.targets.size(); ++i) {
    if (out.targets[i].empty()) throw Usage("`--target` has an empty name");
    for (std::size_t j = 0; j < i; ++j)
      if (out.targets[i] == out.targets[j]) throw Usage("target " + ticked(out.targets[i]) + " is named twice");
  }
  return out;
}

}  // namespace tinec::builder
