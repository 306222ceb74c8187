// Reading the neutral form of the arrangement cases.
#pragma once
#include <fstream>
#include <nlohmann/json.hpp>

#include "dsl/core/arrange_eval.hpp"

namespace tine::test {

using json = nlohmann::json;

inline json read_cases(const char* file) {
  std::ifstream in(std::string(TINE_CASES) + "/" + file);
  return json::parse(in);
}

inline core::ArrangeOp read_op(const json& j) {
  using core::SliceItem;
  using core::Step;
  core::ArrangeOp o;
  const std::string op = j.at("op");
  o.level = j.value("level", 0);
  auto ints = [&](const char* key) { return j.value(key, std::vector<int64_t>{}); };
  if (op == "tile") {
    o.kind = Step::tile;
    o.sizes = ints("tile_shape");
    o.strides = ints("strides");
    o.dilation = ints("dilation");
    o.floor = j.value("floor_mode", false);
  } else if (op == "expand") {
    o.kind = Step::expand;
    o.sizes = ints("shape");
  } else if (op == "squeeze" || op == "unsqueeze") {
    o.kind = op == "squeeze" ? Step::squeeze : Step::unsqueeze;
    if (j.at("dim").is_array()) o.dims = j.at("dim").get<std::vector<int>>();
    else o.dims = {j.at("dim").get<int>()};
  } else if (op == "permute") {
    o.kind = Step::permute;
    o.dims = j.at("dims").get<std::vector<int>>();
  } else if (op == "flatten") {
    o.kind = Step::flatten;
    if (j.contains("start_dim") && !j.at("start_dim").is_null()) o.start = j.at("start_dim").get<int>();
    if (j.contains("end_dim") && !j.at("end_dim").is_null()) o.end = j.at("end_dim").get<int>();
  } else if (op == "ravel") {
    o.kind = Step::ravel;
  } else if (op == "pad") {
    o.kind = Step::pad;
    for (auto& p : j.at("pad")) o.pad.push_back({p.at(0).get<int64_t>(), p.at(1).get<int64_t>()});
  } else if (op == "getitem") {
    o.kind = Step::slice;
    for (auto& i : j.at("index")) {
      core::ArrangeOp::Item item;
      if (i.is_string()) {
        item.kind = i == "newaxis" ? SliceItem::newaxis : SliceItem::ellipsis;
      } else if (i.contains("int")) {
        item.kind = SliceItem::integer;
        item.start = i.at("int").get<int64_t>();
      } else {
        const json& s = i.at("slice");
        if (!s.at(0).is_null()) item.start = s.at(0).get<int64_t>();
        if (!s.at(1).is_null()) item.stop = s.at(1).get<int64_t>();
        if (!s.at(2).is_null()) item.step = s.at(2).get<int64_t>();
      }
      o.items.push_back(item);
    }
  } else {
    throw std::runtime_error("unknown operation " + op);
  }
  return o;
}
inline std::vector<core::ArrangeOp> read_ops(const json& j) {
  std::vector<core::ArrangeOp> ops;
  for (auto& o : j) ops.push_back(read_op(o));
  return ops;
}
/// All numbers of a nested array in order; null is -1.
inline void flatten(const json& j, std::vector<int64_t>& out) {
  if (j.is_array()) for (auto& x : j) flatten(x, out);
  else out.push_back(j.is_null() ? -1 : j.get<int64_t>());
}
inline std::vector<int64_t> flatten(const json& j) {
  std::vector<int64_t> v;
  flatten(j, v);
  return v;
}

}  // namespace tine::test
