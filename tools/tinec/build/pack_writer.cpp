#include "tools/tinec/build/pack_writer.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "dsl/graph/launch_plan.hpp"
#include "runtime/aot/pack.hpp"
#include "runtime/diagnostics.hpp"
#include "runtime/launch/traced_kernel.hpp"
#include "tools/tinec/failure.hpp"

namespace tinec::builder {
namespace {

using namespace tine::aot;
using tine::Diag;
using tine::graph::Check;
using tine::graph::Ex;
using tine::graph::ExKind;
using tine::graph::Graph;
using tine::launch::TracedKernel;

class Writer {
 public:
  Writer(const Plan& plan, const Store& store) : plan_(plan), store_(store) {}

  std::string run() {
    out_.assign(sizeof(Pack), 0);
    Pack pack;
    std::memcpy(pack.magic, pack_magic, sizeof pack_magic);
    pack.version = pack_version;
    pack.name = text(plan_.library);
    std::vector<PackedKernel> kernels;
    for (const KernelPlan& k : plan_.kernels) kernels.push_back(kernel(k));
    pack.kernels = list(kernels);
    std::vector<PackedTarget> targets;
    for (const Target& t : plan_.targets) {
      std::vector<PackedFeature> features;
      for (const auto& [leaf, subleaf, reg, bits] : t.features) features.push_back({leaf, subleaf, reg, bits});
      targets.push_back({text(t.name), t.device, t.arch, t.rank, t.amx, list(features)});
    }
    pack.targets = list(targets);
    std::vector<PackedCode> codes(codes_.size());
    for (const auto& [key, index] : codes_) {
      const std::string code = store_.code(key);
      align(64);
      codes[index] = {out_.size(), code.size()};
      out_ += code;
    }
    pack.codes = list(codes);
    align(64);
    if (out_.size() > UINT32_MAX) throw Failure("the library is larger than 4 GiB; build several");
    pack.size = static_cast<uint32_t>(out_.size());
    std::memcpy(out_.data(), &pack, sizeof pack);
    return std::move(out_);
  }

 private:
  const Plan& plan_;
  const Store& store_;
  std::string out_;
  std::map<std::string, Text> texts_;
  std::map<std::string, uint32_t> codes_;  // in the order of their keys

  void align(std::size_t n) { out_.resize((out_.size() + n - 1) / n * n); }

  template <class T>
  List<T> list(const std::vector<T>& items) {
    align(8);
    const List<T> at{static_cast<uint32_t>(out_.size()), static_cast<uint32_t>(items.size())};
    out_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
    return at;
  }

  Text text(const std::string& s) {
    const auto known = texts_.find(s);
    if (known != texts_.end()) return known->second;
    const Text at{static_cast<uint32_t>(out_.size()), static_cast<uint32_t>(s.size())};
    out_ += s;
    out_ += '\0';
    return texts_[s] = at;
  }

  PackedKernel kernel(const KernelPlan& k) {
    std::vector<PackedInstance> instances;
    for (const Instance& i : k.instances) instances.push_back(instance(i));
    return {text(k.name), list(instances)};
  }

  PackedInstance instance(const Instance& i) {
    const Graph& g = i.programs[0].graph;
    std::vector<uint32_t> loads(g.sources.size());
    for (const auto& region : g.regions)
      for (const int32_t id : region.nodes) {
        const auto& node = g.nodes[static_cast<std::size_t>(id)];
        if (node.op == tine::graph::Op::load)
          ++loads[static_cast<std::size_t>(g.params[static_cast<std::size_t>(node.attr)].source)];
      }
    std::vector<PackedSource> sources;
    for (std::size_t s = 0; s < g.sources.size(); ++s)
      sources.push_back({text(g.sources[s].name), static_cast<uint8_t>(g.sources[s].type),
                         static_cast<uint8_t>(g.sources[s].rank), g.sources[s].stored, g.sources[s].loaded, loads[s]});
    std::vector<PackedProgram> programs;
    for (const Program& p : i.programs) programs.push_back(program(p));
    std::vector<PackedTuned> tuned;
    for (const Tuned& t : i.tuned) tuned.push_back({list(t.digits), t.device, static_cast<uint32_t>(t.choice)});
    PackedInstance out;
    out.name = text(i.name);
    out.sources = list(sources);
    out.programs = list(programs);
    out.tuned = list(tuned);
    return out;
  }

  // ---- programs

  // The expressions that a program needs, with the numbers that they get in the pack.
  struct Expressions {
    const tine::graph::Pool& pool;
    std::vector<int32_t> number;
    std::vector<PackedExpr> exprs;
    std::vector<int64_t> operands;

    explicit Expressions(const tine::graph::Pool& p) : pool(p), number(p.size(), -1) {}
    bool is_id(ExKind kind, int i) const {
      return kind != ExKind::num && kind != ExKind::sym && (kind != ExKind::sum || (i > 0 && i % 2 == 0));
    }
    int32_t operator()(Ex e) {
      if (!e) return -1;
      int32_t& known = number[static_cast<std::size_t>(e.id)];
      if (known >= 0) return known;
      std::vector<int64_t> values;
      const ExKind kind = pool.kind(e);
      for (int i = 0; i < pool.operand_count(e); ++i) {
        const int64_t value = pool.operand(e, i);
        values.push_back(is_id(kind, i) ? (*this)(Ex{static_cast<int32_t>(value)}) : value);
      }
      PackedExpr x;
      x.kind = static_cast<uint8_t>(kind);
      x.sym = kind == ExKind::sym ? static_cast<uint8_t>(pool.sym_kind(e)) : 0;
      x.has_var = pool.has_var(e);
      x.count = static_cast<uint32_t>(values.size());
      x.at = static_cast<uint32_t>(operands.size());
      operands.insert(operands.end(), values.begin(), values.end());
      exprs.push_back(x);
      return known = static_cast<int32_t>(exprs.size()) - 1;
    }
    std::vector<int32_t> operator()(const std::vector<Ex>& list) {
      std::vector<int32_t> out;
      for (Ex e : list) out.push_back((*this)(e));
      return out;
    }
  };

  PackedProgram program(const Program& p) {
    const TracedKernel k(p.graph);
    const Graph& g = k.graph;
    Expressions ex(g.pool);
    PackedProgram out;
    out.config = text(p.config);
    out.choice = static_cast<uint32_t>(p.choice);
    out.first_symbol = k.plan.first_symbol;
    out.slots = k.plan.slots;
    out.grid = list(ex(g.grid));
    out.symbols = list(ex(k.plan.symbols));
    out.tile_extents = list(std::vector<int32_t>(k.tile_extents.begin(), k.tile_extents.end()));
    std::vector<PackedParam> params;
    for (const auto& param : g.params) {
      std::vector<PackedLevel> levels;
      for (const auto& level : param.levels) levels.push_back({list(ex(level))});
      std::vector<PackedBound> bounds;
      for (const auto& b : param.bounds) bounds.push_back({ex(b.index), ex(b.size)});
      PackedParam q;
      q.levels = list(levels);
      q.coords = list(ex(param.coords));
      q.bounds = list(bounds);
      q.source = param.source;
      params.push_back(q);
    }
    out.params = list(params);
    std::vector<PackedCheck> checks;
    for (const Check& c : g.checks) checks.push_back(check(k, c, ex));
    out.checks = list(checks);
    std::vector<PackedConstant> constants;
    for (const Size& s : p.sizes)
      for (std::size_t i = 0; i < g.sources.size(); ++i)
        if (g.sources[i].name == s.parameter) constants.push_back({static_cast<int32_t>(i), s.dim, s.value});
    out.constants = list(constants);
    std::vector<PackedVariant> variants;
    for (const Variant& v : p.variants)
      if (v.refused.empty()) variants.push_back(variant(v));
    out.variants = list(variants);
    out.exprs = list(ex.exprs);
    out.operands = list(ex.operands);
    return out;
  }

  // The words that runtime/launch/checks.cpp would use.
  PackedCheck check(const TracedKernel& k, const Check& c, Expressions& ex) {
    const bool unary = c.kind == Check::nonneg || c.kind == Check::positive;
    const std::string left = k.text(c.a), right = c.b ? k.text(c.b) : "";
    const char* relation = c.kind == Check::not_equal    ? "!="
                           : c.kind == Check::less       ? "<"
                           : c.kind == Check::less_equal ? "<="
                                                         : "==";
    std::string what = tine::ticked(c.what);
    if (c.dim >= 0) what += " of dim " + std::to_string(c.dim);
    if (c.source >= 0) what += " of parameter " + k.source_name(c.source);
    std::vector<std::string> words = {k.name()};
    Diag sentence{};
    int values = 2;
    if (c.what == "grid") {
      sentence = Diag::grid_mismatch;
    } else if (c.what == "require") {
      sentence = Diag::require_failed;
      words.push_back(unary                           ? left + (c.kind == Check::positive ? " > 0" : " >= 0")
                      : c.kind == Check::in_range     ? "0 <= " + left + " < " + right
                      : c.kind == Check::one_or_equal ? left + " == 1 or == " + right
                                                      : left + " " + relation + " " + right);
      words.push_back(left);
      if (!unary) words.push_back(right);
    } else if (c.kind == Check::equal && (k.graph.pool.is(c.b, 1) || k.graph.pool.is(c.a, 1))) {
      sentence = Diag::check_one;
      words.insert(words.end(), {what, k.graph.pool.is(c.b, 1) ? left : right});
      values = 1;
    } else {
      sentence = c.kind == Check::equal          ? Diag::check_equal
                 : c.kind == Check::one_or_equal ? Diag::check_one_or_equal
                 : c.kind == Check::positive     ? Diag::check_positive
                 : c.kind == Check::nonneg       ? Diag::check_nonneg
                 : c.kind == Check::in_range     ? Diag::check_in_range
                                                 : Diag::check_order;
      words.insert(words.end(), {what, left});
      if (sentence == Diag::check_order) words.push_back(relation);
      if (!unary) words.push_back(right);
      if (unary) values = 1;
    }
    std::vector<Text> texts;
    for (const std::string& w : words) texts.push_back(text(w));
    const tine::Where where = k.where(c.loc);
    PackedCheck out;
    out.kind = static_cast<uint8_t>(c.kind);
    out.values = static_cast<uint8_t>(values);
    out.sentence = static_cast<uint16_t>(sentence);
    // A check that something is 1 shows the value of the other side, which therefore comes first.
    const bool swapped = sentence == Diag::check_one && !k.graph.pool.is(c.b, 1);
    out.a = ex(swapped ? c.b : c.a);
    out.b = ex(swapped ? c.a : c.b);
    out.texts = list(texts);
    out.place = text(where.line > 0 ? std::string(where.file) + ":" + std::to_string(where.line) : "");
    return out;
  }

  PackedVariant variant(const Variant& v) {
    std::vector<PackedFacts> facts;
    for (const auto& f : v.facts.sources)
      facts.push_back({f.unit_stride, f.alignment, f.stride16, f.size16, f.contiguous, f.streamed, {}});
    std::vector<PackedPair> overlaps;
    for (const auto& [a, b] : v.facts.overlaps) overlaps.push_back({a, b});
    std::vector<PackedCapacity> capacities;
    for (const auto& c : v.facts.capacities) capacities.push_back({c.symbol, c.exact, c.capacity});
    PackedVariant out;
    out.name = text(v.name);
    out.facts = list(facts);
    out.overlaps = list(overlaps);
    out.capacities = list(capacities);
    out.narrow_index = v.facts.narrow_index;
    out.target = static_cast<uint32_t>(v.target);
    out.code = code_of(v.key);
    return out;
  }

  uint32_t code_of(const std::string& key) {
    const auto known = codes_.find(key);
    if (known != codes_.end()) return known->second;
    const auto next = static_cast<uint32_t>(codes_.size());
    return codes_[key] = next;
  }
};

}  // namespace

std::string write_pack(const Plan& plan, const Store& store) { return Writer(plan, store).run(); }

}  // namespace tinec::builder
