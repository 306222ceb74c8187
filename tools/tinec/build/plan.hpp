// The plan of a library: every kernel, instance, program and variant that goes into it, before any code exists. It is
// computed from the request and the kernels' graphs alone, and kept as a file, so that other processes and machines can
// compile parts of it (`--shard`, `--emit-ninja`) and a last one can join them.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dsl/graph/graph.hpp"
#include "dsl/graph/specialization.hpp"
#include "tools/tinec/build/request.hpp"
#include "tools/tinec/build/tracer.hpp"

namespace tinec::builder {

struct Target {
  std::string name;      ///< as asked for: "cpu:x86-64-v3"
  std::string resolved;  ///< what the compiler makes of names that depend on this machine; else the name
  uint32_t device = 0;   ///< aot::Device
  uint32_t arch = 0;     ///< 80 for sm_80
  uint32_t rank = 0;
  bool amx = false;
  std::vector<std::array<uint32_t, 4>> features;  ///< aot::PackedFeature
};

struct Variant {
  std::string name;
  int target = 0;
  tine::graph::Specialization facts;
  std::string key;      ///< of its code: what the code depends on, hashed; name of the artefact's file
  std::string refused;  ///< why the compiler cannot make it, once that is known; such variants are left out
};

struct Program {
  tine::graph::Graph graph;
  std::string graph_hash;   ///< tine::graph::hash
  std::string config;       ///< "bm=64 bn=128"
  std::string options;      ///< "fast_math=1"
  int choice = 0;           ///< configs of an instance, numbered
  std::vector<Size> sizes;  ///< constant ones
  std::vector<Variant> variants;
};

struct Tuned {
  std::vector<uint8_t> digits;
  uint32_t device = 0;
  int choice = 0;
};

struct Instance {
  std::string name;  ///< "Matmul<tine::f16>"
  std::string header;
  std::string expression;
  bool exported = false;
  std::vector<std::pair<std::string, std::string>> variables;  ///< of the description's `for`
  std::vector<Program> programs;
  std::vector<Tuned> tuned;
};

struct KernelPlan {
  std::string name;  ///< C function without `_launch`
  std::vector<Instance> instances;
  std::vector<std::string> arguments;  ///< KernelRequest::arguments
};

struct Plan {
  std::string library;
  Abi abi = Abi::tine;
  std::vector<Target> targets;
  std::vector<KernelPlan> kernels;
  std::string compiler;            ///< build id
  std::vector<std::string> notes;  ///< what the user should know: calls that will be refused, choices without tuning
};

class Store;

/// Traces what the request asks for. Throws Failure for contradictions and the errors of tracing. Where a GPU's config
/// is to be found it compiles, into the store.
Plan make_plan(const Request&, Tracer&, const Store&);

/// All variants, in the plan's order.
std::vector<std::pair<Program*, Variant*>> all_variants(Plan&);

/// plan.json and the graphs that it names, in `folder`; the text of plan.json is the same on all machines.
void write_plan(const Plan&, const std::string& folder, const std::set<std::string>& other_graphs);
/// Throws Failure for what is no plan of this version of Tine.
Plan read_plan(const std::string& folder);
/// Identifies a plan: equal plans give equal libraries.
std::string plan_id(const Plan&);

}  // namespace tinec::builder
