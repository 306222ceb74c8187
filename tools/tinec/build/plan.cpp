#include "tools/tinec/build/plan.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "runtime/aot/arguments.hpp"
#include "runtime/aot/pack.hpp"
#include "runtime/jit/compiler_library.hpp"
#include "runtime/jit/default_config.hpp"
#include "runtime/jit/nearest_config.hpp"
#include "runtime/launch/traced_kernel.hpp"
#include "tools/tinec/build/c_names.hpp"
#include "tools/tinec/build/compile.hpp"
#include "tools/tinec/build/targets.hpp"
#include "tools/tinec/build/tuning.hpp"
#include "tools/tinec/build/variants.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

namespace aot = tine::aot;
using tine::graph::Graph;
using tine::graph::Specialization;

// ---- names

bool upper(char c) { return std::isupper(static_cast<unsigned char>(c)); }
bool word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "ops::RmsNorm<tine::f16>" -> "rms_norm"
std::string c_name(const std::string& kernel) {
  std::string head = kernel.substr(0, kernel.find('<'));
  if (const std::size_t at = head.rfind("::"); at != head.npos) head = head.substr(at + 2);
  std::string out;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (!word(head[i])) continue;
    const bool starts =
        upper(head[i]) && i > 0 && head[i - 1] != '_' &&
        (!upper(head[i - 1]) || (i + 1 < head.size() && std::islower(static_cast<unsigned char>(head[i + 1]))));
    if (starts) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(head[i])));
  }
  return out;
}

// ---- combinations

bool excluded(const KernelRequest& k, const Named<std::string>& chosen) {
  return std::any_of(k.exclude.begin(), k.exclude.end(), [&](const auto& rule) {
    return std::all_of(rule.begin(), rule.end(), [&](const auto& item) {
      const auto at = std::find_if(chosen.begin(), chosen.end(), [&](const auto& c) { return c.first == item.first; });
      return at != chosen.end() && std::find(item.second.begin(), item.second.end(), at->second) != item.second.end();
    });
  });
}

// ---- instances

struct Wanted {
  const KernelRequest* request;
  Named<std::string> variables;
  std::string expression;
  bool exported;
};

std::string config_text(const Graph& g, const Named<std::string>& options) {
  std::string out;
  for (const auto& m : g.metas) out += (out.empty() ? "" : " ") + m.name + "=" + std::to_string(m.value);
  for (const auto& [key, value] : options) out += (out.empty() ? "" : " ") + key + "=" + value;
  return out;
}

std::string options_text(Named<std::string> options) {
  std::sort(options.begin(), options.end());
  std::string out;
  for (const auto& [key, value] : options) out += (out.empty() ? "" : ";") + key + "=" + value;
  return out;
}

void check_limits(const Graph& g) {
  if (g.sources.size() > aot::max_sources)
    throw Failure("kernel " + ticked(g.kernel) + " has " + std::to_string(g.sources.size()) +
                  " parameters; a library's kernel has at most " + std::to_string(aot::max_sources));
  for (const auto& s : g.sources)
    if (s.rank > aot::max_rank)
      throw Failure("parameter " + ticked(s.name) + " of kernel " + ticked(g.kernel) + " has rank " +
                    std::to_string(s.rank) + "; in a library it is at most " + std::to_string(aot::max_rank));
}

// The first candidates are meant for processors, whose tiles may be larger than a GPU's means. Where nobody has chosen,
// a GPU gets those that a call would get, or the nearest smaller ones for all variants of which the compiler has code.
Config config_for_gpu(const Graph& standard, const Wanted& w, const Named<std::string>& options, std::size_t target,
                      const Plan& plan, Tracer& tracer, const Store& store) {
  const tine::jit::Trace trace = [&](const Config& c) {
    return c.empty() ? standard : tracer.trace(w.request->header, w.expression, w.exported, c);
  };
  const auto taken = [&](const Config& config) {
    Program p;
    p.graph = trace(config);
    p.graph_hash = tine::graph::hash(p.graph);
    p.options = options_text(options);
    std::vector<bool> only(plan.targets.size());
    only[target] = true;
    std::vector<std::string> ignored;
    add_variants(p, *w.request, plan, only, ignored);
    // Every kind of call must find code, of one capacity at least: where code is made for capacities, the first.
    std::set<std::string> kinds;
    return std::all_of(p.variants.begin(), p.variants.end(), [&](const Variant& v) {
      if (!kinds.insert(v.name.substr(0, v.name.find('/'))).second) return true;
      if (!store.has(v.key)) compile_variant(plan, p, v, store);
      return store.refusal(v.key).empty();
    });
  };
  Config config = tine::jit::default_config(trace, {});
  if (taken(config)) return config;
  const auto nearest = tine::jit::nearest_config(trace(config), options_text(options),
                                                 [&](const tine::jit::FullConfig& smaller) { return taken(smaller.metas); });
  return nearest ? nearest->metas : Config{};  // none: the build says why of the first
}

Instance make_instance(const Wanted& w, Plan& plan, Tracer& tracer, const Tuning& tuning, const Store& store) {
  const KernelRequest& k = *w.request;
  Instance out;
  out.header = k.header;
  out.expression = w.expression;
  out.exported = w.exported;
  out.variables = w.variables;

  struct Choice {
    Config metas;
    Named<std::string> options;
    std::vector<bool> targets;
  };
  const std::vector<bool> all_targets(plan.targets.size(), true);
  std::vector<Choice> choices;
  for (const Named<int64_t>& metas : combinations(k.metas))
    for (const Named<std::string>& options : combinations(k.options)) {
      Named<std::string> chosen = w.variables;
      for (const auto& [name, value] : metas) chosen.emplace_back(name, std::to_string(value));
      chosen.insert(chosen.end(), options.begin(), options.end());
      if (!excluded(k, chosen)) choices.push_back({metas, options, all_targets});
    }
  if (choices.empty()) return out;

  const Graph standard = tracer.trace(k.header, w.expression, w.exported, {});
  check_limits(standard);
  out.name = standard.kernel;
  const std::vector<TuningEntry> tuned = tuning.of(standard, plan.notes);
  for (const TuningEntry& t : tuned) {
    const bool there = std::any_of(choices.begin(), choices.end(),
                                   [&](const Choice& c) { return c.metas == t.metas && c.options == t.options; });
    if (!there) choices.push_back({t.metas, t.options, all_targets});
  }

  if (k.metas.empty() && !standard.metas.empty()) {
    const std::vector<Choice> first = choices;
    for (std::size_t t = 0; t < plan.targets.size(); ++t) {
      if (plan.targets[t].device == aot::device_cpu) continue;
      for (std::size_t c = 0; c < first.size(); ++c) {
        if (!first[c].metas.empty()) continue;
        const Config config = config_for_gpu(standard, w, first[c].options, t, plan, tracer, store);
        if (config.empty()) continue;
        choices[c].targets[t] = false;
        choices.push_back({config, first[c].options, std::vector<bool>(plan.targets.size())});
        choices.back().targets[t] = true;
      }
    }
  }

  // In the order of the tuning file, whose first entry for a class of sizes counts.
  for (const TuningEntry& t : tuned) out.tuned.push_back({t.digits, t.device, 0});

  // Different words for one config (its defaults written out, say) are one choice.
  std::vector<std::string> configs;
  std::vector<std::vector<Size>> sizes = k.sizes.empty() ? std::vector<std::vector<Size>>{{}} : k.sizes;
  const auto key = [](const std::vector<Size>& set) {
    std::string text;
    for (const Size& s : set) text += s.parameter + " " + std::to_string(s.dim) + " " + std::to_string(s.value) + " ";
    return std::pair(-static_cast<int>(set.size()), text);
  };
  std::sort(sizes.begin(), sizes.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  if (!sizes.back().empty())
    plan.notes.push_back(ticked(out.name) + " is built for constant sizes only: calls with other sizes are refused");
  for (const Choice& c : choices) {
    const Graph graph = c.metas.empty() ? standard : tracer.trace(k.header, w.expression, w.exported, c.metas);
    const std::string text = config_text(graph, c.options);
    auto known = std::find(configs.begin(), configs.end(), text);
    if (known == configs.end()) {
      // Other words for it may come later, for other targets.
      std::vector<bool> targets(plan.targets.size());
      for (const Choice& other : choices) {
        const Graph g = other.metas.empty() ? standard : tracer.trace(k.header, w.expression, w.exported, other.metas);
        if (config_text(g, other.options) != text) continue;
        for (std::size_t t = 0; t < targets.size(); ++t) targets[t] = targets[t] || other.targets[t];
      }
      for (const std::vector<Size>& s : sizes) {
        Program p;
        p.graph = with_constant_sizes(graph, s);
        p.graph_hash = tine::graph::hash(p.graph);
        p.config = text;
        p.options = options_text(c.options);
        p.choice = static_cast<int>(configs.size());
        p.sizes = s;
        add_variants(p, k, plan, targets, plan.notes);
        out.programs.push_back(std::move(p));
      }
      configs.push_back(text);
      known = configs.end() - 1;
    }
    for (std::size_t t = 0; t < tuned.size(); ++t)
      if (tuned[t].metas == c.metas && tuned[t].options == c.options)
        out.tuned[t].choice = static_cast<int>(known - configs.begin());
  }
  if (!k.metas.empty() && configs.size() > 1 && out.tuned.empty())
    plan.notes.push_back(ticked(out.name) + " has " + std::to_string(configs.size()) +
                         " configs and no tuning: calls take the first, " + ticked(configs[0]));
  return out;
}

std::string signature(const Instance& i) {
  std::string out;
  for (const auto& s : i.programs[0].graph.sources)
    out += std::string(tine::graph::name(s.type)) + ":" + std::to_string(s.rank) + " ";
  return out;
}

void add_instance(Plan& plan, const KernelRequest& request, const std::string& name, Instance instance) {
  if (!is_identifier(name) || is_keyword(name))
    throw Failure("kernel " + ticked(instance.name) + " needs another name than " + ticked(name) + "; write " +
                  ticked("NAME=" + instance.expression));
  auto known =
      std::find_if(plan.kernels.begin(), plan.kernels.end(), [&](const KernelPlan& k) { return k.name == name; });
  if (known == plan.kernels.end()) {
    plan.kernels.push_back({name, {}, request.arguments});
    known = plan.kernels.end() - 1;
  }
  for (const Instance& other : known->instances) {
    if (other.programs[0].graph.sources.size() != instance.programs[0].graph.sources.size())
      throw Failure("kernels " + ticked(other.expression) + " and " + ticked(instance.expression) +
                    " have different numbers of parameters; give one of them another name, as in " +
                    ticked("NAME=" + instance.expression));
    if (plan.abi == Abi::tine && signature(other) == signature(instance))
      throw Failure("kernels " + ticked(other.expression) + " and " + ticked(instance.expression) +
                    " take the same element types and ranks, so that a call could mean either; give one of them "
                    "another name, as in " +
                    ticked("NAME=" + instance.expression));
  }
  known->instances.push_back(std::move(instance));
}

}  // namespace

std::vector<std::pair<Program*, Variant*>> all_variants(Plan& plan) {
  std::vector<std::pair<Program*, Variant*>> out;
  for (KernelPlan& k : plan.kernels)
    for (Instance& i : k.instances)
      for (Program& p : i.programs)
        for (Variant& v : p.variants) out.emplace_back(&p, &v);
  return out;
}

Plan make_plan(const Request& request, Tracer& tracer, const Store& store) {
  Plan plan;
  plan.library = request.name;
  plan.abi = request.abi;
  plan.compiler = tine::jit::compiler_library().build_id();
  for (const std::string& t : request.targets) plan.targets.push_back(describe_target(t));
  machine_of(plan.targets);
  if (plan.targets.size() > aot::max_targets)
    throw Usage("a library has at most " + std::to_string(aot::max_targets) + " targets");

  std::map<std::string, std::vector<std::string>> expressions;
  std::map<std::string, bool> exports;
  for (const KernelRequest& k : request.kernels) {
    auto& of_header = expressions[k.header];
    exports[k.header] |= k.expression.empty();
    for (const std::string& e : expressions_of(k)) of_header.push_back(e);
  }
  for (const auto& [header, list] : expressions) tracer.announce(header, list, exports[header]);

  const Tuning tuning(request.tuning);
  for (const KernelRequest& k : request.kernels) {
    std::vector<Wanted> wanted;
    if (k.expression.empty()) {
      for (const std::string& name : tracer.exports(k.header)) wanted.push_back({&k, {}, name, true});
      if (wanted.empty())
        throw Failure(ticked(k.header) +
                      " exports no kernels; a kernel is exported by a line such as `TINE_EXPORT(Add, float);`");
    } else {
      for (const Named<std::string>& variables : combinations(k.variables))
        wanted.push_back({&k, variables, substitute(k.expression, variables), false});
    }
    bool any = false;
    for (const Wanted& w : wanted) {
      Instance instance = make_instance(w, plan, tracer, tuning, store);
      if (instance.programs.empty()) continue;
      any = true;
      const std::string name = k.name.empty() ? c_name(instance.name) : substitute(k.name, w.variables);
      add_instance(plan, k, name, std::move(instance));
    }
    if (!any) throw Failure("the exclusions of kernel " + ticked(k.expression) + " leave nothing to build");
  }
  std::sort(plan.notes.begin(), plan.notes.end());
  plan.notes.erase(std::unique(plan.notes.begin(), plan.notes.end()), plan.notes.end());
  return plan;
}

}  // namespace tinec::builder
