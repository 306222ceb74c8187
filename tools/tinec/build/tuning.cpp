#include "tools/tinec/build/tuning.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "runtime/aot/pack.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

using Json = nlohmann::ordered_json;

const char* device_name(uint32_t device) { return device == tine::aot::device_cpu ? "cpu" : "cuda"; }

}  // namespace

Tuning::Tuning(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const std::string text = read_text(path, 64 << 20);
  try {
    const Json json = Json::parse(text);
    for (const Json& e : json.at("tuning")) {
      TuningEntry t;
      t.identity = e.at("identity").get<std::string>();
      t.kernel = e.at("kernel").get<std::string>();
      const std::string device = e.at("device").get<std::string>();
      if (device != "cpu" && device != "cuda") throw Failure("device " + ticked(device) + " does not exist");
      t.device = device == "cpu" ? tine::aot::device_cpu : tine::aot::device_cuda;
      for (const auto& s : e.at("shapes").items())
        t.shapes.emplace_back(s.key(), s.value().get<std::vector<int64_t>>());
      for (const auto& c : e.at("config").items()) t.metas.emplace_back(c.key(), c.value().get<int64_t>());
      if (e.contains("options"))
        for (const auto& c : e.at("options").items()) t.options.emplace_back(c.key(), c.value().get<std::string>());
      t.ns = e.value("ns", 0.0);
      entries_.push_back(std::move(t));
    }
  } catch (const Json::exception& e) {
    throw Failure(ticked(path) + " is no tuning file: " + e.what());
  } catch (const Failure& e) {
    throw Failure(ticked(path) + " is no tuning file: " + e.what());
  }
}

std::vector<TuningEntry> Tuning::of(const tine::graph::Graph& standard, std::vector<std::string>& notes) const {
  std::vector<TuningEntry> out;
  const std::string identity = tine::graph::hash(standard);
  for (const TuningEntry& e : entries_) {
    if (e.kernel != standard.kernel) continue;
    if (e.identity != identity) {
      notes.push_back("the tuning of " + ticked(e.kernel) + " in " + ticked(path_) +
                      " is of another version of the kernel and is left out");
      continue;
    }
    TuningEntry t = e;
    for (const auto& source : standard.sources) {
      if (source.rank == 0) continue;
      const auto at =
          std::find_if(t.shapes.begin(), t.shapes.end(), [&](const auto& s) { return s.first == source.name; });
      if (at == t.shapes.end() || static_cast<int>(at->second.size()) != source.rank)
        throw Failure(ticked(path_) + " gives no shape of rank " + std::to_string(source.rank) + " for " +
                      ticked(source.name) + " of " + ticked(e.kernel));
      for (const int64_t n : at->second)
        t.digits.push_back(static_cast<uint8_t>(std::bit_width(static_cast<uint64_t>(n))));
    }
    out.push_back(std::move(t));
  }
  return out;
}

std::string tuning_text(const std::vector<TuningEntry>& entries) {
  Json list = Json::array();
  for (const TuningEntry& e : entries) {
    Json shapes = Json::object(), config = Json::object(), options = Json::object();
    for (const auto& [name, shape] : e.shapes) shapes[name] = shape;
    for (const auto& [name, value] : e.metas) config[name] = value;
    for (const auto& [name, value] : e.options) options[name] = value;
    list.push_back({{"kernel", e.kernel},
                    {"identity", e.identity},
                    {"device", device_name(e.device)},
                    {"shapes", shapes},
                    {"config", config},
                    {"options", options},
                    {"ns", e.ns}});
  }
  return Json{{"tuning", list}}.dump(1) + "\n";
}

}  // namespace tinec::builder
