#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "runtime/cache/hash.hpp"
#include "tools/tinec/build/plan.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

using Json = nlohmann::ordered_json;
using tine::graph::Specialization;
constexpr int plan_version = 1;

// ---- writing

Json json_of(const Specialization& s) {
  Json sources = Json::array(), overlaps = Json::array(), capacities = Json::array();
  for (const auto& f : s.sources)
    sources.push_back({f.unit_stride, f.contiguous, f.alignment, f.streamed, f.stride16, f.size16});
  for (const auto& [a, b] : s.overlaps) overlaps.push_back({a, b});
  for (const auto& c : s.capacities) capacities.push_back({c.symbol, c.capacity, c.exact});
  return {{"sources", sources}, {"overlaps", overlaps}, {"narrow_index", s.narrow_index}, {"capacities", capacities}};
}

std::string graph_bytes(const tine::graph::Graph& g) {
  const std::vector<std::byte> bytes = tine::graph::serialize(g);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string graph_name(const std::string& bytes) { return tine::cache::hex(tine::cache::hash(bytes)); }

Json json_of(const Program& p, std::map<std::string, std::string>& graphs) {
  const std::string bytes = graph_bytes(p.graph), name = graph_name(bytes);
  graphs[name] = bytes;
  Json sizes = Json::array(), variants = Json::array();
  for (const Size& s : p.sizes) sizes.push_back({s.parameter, s.dim, s.value});
  for (const Variant& v : p.variants)
    variants.push_back({{"name", v.name}, {"target", v.target}, {"key", v.key}, {"facts", json_of(v.facts)}});
  return {{"graph", name},      {"config", p.config}, {"options", p.options},
          {"choice", p.choice}, {"sizes", sizes},     {"variants", variants}};
}

Json json_of(const Instance& i, std::map<std::string, std::string>& graphs) {
  Json variables = Json::array(), programs = Json::array(), tuned = Json::array();
  for (const auto& [name, value] : i.variables) variables.push_back({name, value});
  for (const Program& p : i.programs) programs.push_back(json_of(p, graphs));
  for (const Tuned& t : i.tuned) tuned.push_back({{"digits", t.digits}, {"device", t.device}, {"choice", t.choice}});
  return {{"name", i.name},         {"header", i.header},     {"expression", i.expression},
          {"exported", i.exported}, {"variables", variables}, {"programs", programs},
          {"tuned", tuned}};
}

Json json_of(const Plan& plan, std::map<std::string, std::string>& graphs) {
  Json targets = Json::array(), kernels = Json::array();
  for (const Target& t : plan.targets)
    targets.push_back({{"name", t.name},
                       {"resolved", t.resolved},
                       {"device", t.device},
                       {"arch", t.arch},
                       {"rank", t.rank},
                       {"amx", t.amx},
                       {"features", t.features}});
  for (const KernelPlan& k : plan.kernels) {
    Json instances = Json::array();
    for (const Instance& i : k.instances) instances.push_back(json_of(i, graphs));
    kernels.push_back({{"name", k.name}, {"instances", instances}, {"arguments", k.arguments}});
  }
  return {
      {"version", plan_version},   {"library", plan.library}, {"abi", plan.abi == Abi::tine ? "tine" : "ninetoothed"},
      {"compiler", plan.compiler}, {"targets", targets},      {"kernels", kernels},
      {"notes", plan.notes}};
}

// ---- reading

Specialization facts_of(const Json& j) {
  Specialization s;
  for (const Json& f : j.at("sources"))
    s.sources.push_back({f.at(0).get<uint32_t>(), f.at(1).get<bool>(), f.at(2).get<uint32_t>(), f.at(3).get<bool>(),
                         f.at(4).get<uint32_t>(), f.at(5).get<uint32_t>()});
  for (const Json& o : j.at("overlaps")) s.overlaps.emplace_back(o.at(0).get<int>(), o.at(1).get<int>());
  s.narrow_index = j.at("narrow_index").get<bool>();
  for (const Json& c : j.at("capacities"))
    s.capacities.push_back({c.at(0).get<int>(), c.at(1).get<int64_t>(), c.at(2).get<bool>()});
  return s;
}

Program program_of(const Json& j, const std::string& folder) {
  Program p;
  const std::string name = j.at("graph").get<std::string>();
  const std::string bytes = read_text(folder + "/graphs/" + name + ".graph", 256 << 20);
  if (graph_name(bytes) != name) throw Failure("the graph " + ticked(name) + " in " + ticked(folder) + " is damaged");
  p.graph = tine::graph::deserialize(std::as_bytes(std::span(bytes.data(), bytes.size())));
  p.graph_hash = tine::graph::hash(p.graph);
  p.config = j.at("config").get<std::string>();
  p.options = j.at("options").get<std::string>();
  p.choice = j.at("choice").get<int>();
  for (const Json& s : j.at("sizes"))
    p.sizes.push_back({s.at(0).get<std::string>(), s.at(1).get<int>(), s.at(2).get<int64_t>()});
  for (const Json& v : j.at("variants"))
    p.variants.push_back({v.at("name").get<std::string>(), v.at("target").get<int>(), facts_of(v.at("facts")),
                          v.at("key").get<std::string>(), ""});
  return p;
}

Instance instance_of(const Json& j, const std::string& folder) {
  Instance i;
  i.name = j.at("name").get<std::string>();
  i.header = j.at("header").get<std::string>();
  i.expression = j.at("expression").get<std::string>();
  i.exported = j.at("exported").get<bool>();
  for (const Json& v : j.at("variables"))
    i.variables.emplace_back(v.at(0).get<std::string>(), v.at(1).get<std::string>());
  for (const Json& p : j.at("programs")) i.programs.push_back(program_of(p, folder));
  for (const Json& t : j.at("tuned"))
    i.tuned.push_back(
        {t.at("digits").get<std::vector<uint8_t>>(), t.at("device").get<uint32_t>(), t.at("choice").get<int>()});
  return i;
}

}  // namespace

std::string plan_id(const Plan& plan) {
  std::map<std::string, std::string> graphs;
  return tine::cache::hex(tine::cache::hash(json_of(plan, graphs).dump()));
}

void write_plan(const Plan& plan, const std::string& folder, const std::set<std::string>& other_graphs) {
  std::map<std::string, std::string> graphs;
  const std::string text = json_of(plan, graphs).dump(1) + "\n";
  std::filesystem::create_directories(folder + "/graphs");
  std::error_code error;
  for (const auto& [name, bytes] : graphs) {
    const std::string file = folder + "/graphs/" + name + ".graph";
    if (!std::filesystem::exists(file, error)) write_file(file, bytes);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/graphs")) {
    const std::string name = entry.path().stem().string();
    if (!graphs.count(name) && !other_graphs.count(name)) std::filesystem::remove(entry.path());
  }
  const std::string file = folder + "/plan.json";
  if (!std::filesystem::exists(file, error) || read_text(file, 256 << 20) != text) write_file(file, text);
}

Plan read_plan(const std::string& folder) {
  const std::string file = folder + "/plan.json";
  try {
    const Json j = Json::parse(read_text(file, 256 << 20));
    if (j.at("version") != plan_version) throw Failure(ticked(file) + " is of another version of Tine");
    Plan plan;
    plan.library = j.at("library").get<std::string>();
    plan.abi = j.at("abi") == "tine" ? Abi::tine : Abi::ninetoothed;
    plan.compiler = j.at("compiler").get<std::string>();
    for (const Json& t : j.at("targets"))
      plan.targets.push_back({t.at("name").get<std::string>(), t.at("resolved").get<std::string>(),
                              t.at("device").get<uint32_t>(), t.at("arch").get<uint32_t>(),
                              t.at("rank").get<uint32_t>(), t.at("amx").get<bool>(),
                              t.at("features").get<std::vector<std::array<uint32_t, 4>>>()});
    for (const Json& k : j.at("kernels")) {
      KernelPlan kernel{k.at("name").get<std::string>(), {}, k.at("arguments").get<std::vector<std::string>>()};
      for (const Json& i : k.at("instances")) kernel.instances.push_back(instance_of(i, folder));
      plan.kernels.push_back(std::move(kernel));
    }
    for (const Json& n : j.at("notes")) plan.notes.push_back(n.get<std::string>());
    return plan;
  } catch (const Json::exception& e) {
    throw Failure(ticked(file) + " is no plan of a library: " + e.what());
  }
}

}  // namespace tinec::builder
