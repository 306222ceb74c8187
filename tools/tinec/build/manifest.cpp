#include "tools/tinec/build/manifest.hpp"

#include <nlohmann/json.hpp>

#include "codegen/abi/gpu_artefact.h"
#include "runtime/aot/pack.hpp"
#include "runtime/cache/hash.hpp"

namespace tinec::builder {
namespace {

using Json = nlohmann::ordered_json;

std::string hash_of(const std::string& bytes) { return tine::cache::hex(tine::cache::hash(bytes)); }

Json json_of(const tine::graph::SourceFacts& f, int rank) {
  Json out = Json::object();
  const auto dims = [&](uint32_t bits) {
    Json list = Json::array();
    for (int d = 0; d < rank; ++d)
      if (bits >> d & 1) list.push_back(d);
    return list;
  };
  if (f.contiguous) out["contiguous"] = true;
  out["alignment"] = f.alignment;
  if (f.unit_stride && !f.contiguous) out["unit_stride"] = dims(f.unit_stride);
  if (f.size16) out["size16"] = dims(f.size16);
  if (f.stride16) out["stride16"] = dims(f.stride16);
  return out;
}

Json json_of(const Plan& plan, const Program& p, const Variant& v, const Store& store) {
  const auto& sources = p.graph.sources;
  Json tensors = Json::object(), overlaps = Json::array(), capacities = Json::array();
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (sources[s].rank > 0) tensors[sources[s].name] = json_of(v.facts.sources[s], sources[s].rank);
  for (const auto& [a, b] : v.facts.overlaps)
    overlaps.push_back({sources[static_cast<std::size_t>(a)].name, sources[static_cast<std::size_t>(b)].name});
  for (const auto& c : v.facts.capacities)
    capacities.push_back({{"symbol", c.symbol}, {"capacity", c.capacity}, {"exact", c.exact}});
  const Target& target = plan.targets[static_cast<std::size_t>(v.target)];
  Json out = {{"name", v.name}, {"target", target.name}, {"tensors", tensors}, {"overlaps", overlaps}};
  if (target.device != tine::aot::device_cpu) out["narrow_index"] = v.facts.narrow_index;
  if (!capacities.empty()) out["capacities"] = capacities;
  if (!v.refused.empty()) {
    out["left_out"] = v.refused;
    return out;
  }
  const std::string code = store.code(v.key);
  out["artefact"] = {{"key", v.key}, {"hash", hash_of(code)}, {"bytes", code.size()}};
  tine_gpu_artefact gpu;
  if (target.device != tine::aot::device_cpu && !tine_gpu_artefact_read(code.data(), code.size(), &gpu)) {
    Json resources = {{"threads", gpu.threads},
                      {"static_shared_bytes", gpu.static_shared},
                      {"dynamic_shared_bytes", gpu.dynamic_shared}};
    if (gpu.registers) resources["registers"] = gpu.registers;
    resources["code"] = gpu.code == TINE_GPU_PTX ? "ptx" : gpu.code == TINE_GPU_CUBIN ? "cubin" : "hsaco";
    out["resources"] = resources;
  }
  return out;
}

Json json_of(const Plan& plan, const Program& p, const Store& store) {
  Json metas = Json::object(), constants = Json::array(), variants = Json::array();
  for (const auto& m : p.graph.metas) metas[m.name] = m.value;
  for (const Size& s : p.sizes) constants.push_back({{"parameter", s.parameter}, {"dim", s.dim}, {"size", s.value}});
  for (const Variant& v : p.variants) variants.push_back(json_of(plan, p, v, store));
  return {{"config", metas},       {"options", p.options}, {"choice", p.choice}, {"constant_sizes", constants},
          {"graph", p.graph_hash}, {"variants", variants}};
}

}  // namespace

std::string manifest(const Plan& plan, const Store& store,
                     const std::vector<std::pair<std::string, std::string>>& files) {
  Json targets = Json::array(), kernels = Json::array(), contents = Json::array();
  for (const Target& t : plan.targets) targets.push_back(t.name);
  for (const auto& [name, bytes] : files)
    contents.push_back({{"name", name}, {"hash", hash_of(bytes)}, {"bytes", bytes.size()}});
  for (const KernelPlan& k : plan.kernels) {
    Json instances = Json::array();
    for (const Instance& i : k.instances) {
      Json parameters = Json::array(), programs = Json::array(), tuned = Json::array(), variables = Json::object();
      for (const auto& s : i.programs[0].graph.sources)
        parameters.push_back({{"name", s.name},
                              {"dtype", tine::graph::name(s.type)},
                              {"rank", s.rank},
                              {"stored", s.stored},
                              {"loaded", s.loaded}});
      for (const Program& p : i.programs) programs.push_back(json_of(plan, p, store));
      for (const Tuned& t : i.tuned)
        tuned.push_back({{"size_bits", t.digits},
                         {"device", t.device == tine::aot::device_cpu ? "cpu" : "cuda"},
                         {"choice", t.choice}});
      for (const auto& [name, value] : i.variables) variables[name] = value;
      Json instance = {
          {"kernel", i.name}, {"parameters", parameters}, {"variables", variables}, {"programs", programs}};
      if (!tuned.empty()) instance["tuned"] = tuned;
      instances.push_back(instance);
    }
    const std::string function = plan.abi == Abi::ninetoothed ? "launch_" + k.name : k.name + "_launch";
    kernels.push_back({{"name", k.name}, {"function", function}, {"instances", instances}});
  }
  return Json{{"library", plan.library},
              {"abi", plan.abi == Abi::tine ? "tine" : "ninetoothed"},
              {"versions", {{"tine", TINE_VERSION}, {"compiler", plan.compiler}, {"pack", tine::aot::pack_version}}},
              {"targets", targets},
              {"kernels", kernels},
              {"notes", plan.notes},
              {"files", contents}}
             .dump(1) +
         "\n";
}

}  // namespace tinec::builder
