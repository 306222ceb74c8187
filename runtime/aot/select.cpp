#include "runtime/aot/select.hpp"

#include <algorithm>
#include <bit>

#include "dsl/graph/check.hpp"
#include "runtime/launch/evaluator.hpp"
#include "runtime/launch/index_ranges.hpp"

namespace tine::aot {
namespace {

constexpr const char* device_names[] = {"cpu", "cuda"};

std::string_view kernel_name(Base base, const PackedKernel& k, Words<128>& space) {
  return space.tick(base.text(k.name)).view();
}

int64_t element_bytes(const PackedSource& s) { return bytes(static_cast<DType>(s.type)); }

bool constants_hold(Base base, const PackedProgram& p, std::span<const Argument> arguments) {
  for (const PackedConstant& c : base[p.constants])
    if (arguments[static_cast<std::size_t>(c.source)].dims[c.dim] != c.value) return false;
  return true;
}

// ---- one variant against one call

// What a variant needs and the call has not; the first property is named in `why`, the number of all is returned.
class Comparison {
 public:
  Comparison(Base base, const PackedInstance& instance, const PackedProgram& program,
             std::span<const Argument> arguments, const CallFacts& facts)
      : base_(base), sources_(base[instance.sources]), program_(program), arguments_(arguments), facts_(facts) {}

  int against(const PackedVariant& v, Words<1024>& why) {
    why_ = &why;
    missing_ = 0;
    const auto wanted = base_[v.facts];
    for (std::size_t s = 0; s < wanted.size(); ++s)
      if (sources_[s].rank > 0) source(wanted[s], s);
    overlaps(v);
    if (v.narrow_index && !narrow()) complain("a call whose indices fit in 32 bits");
    capacities(v);
    return missing_;
  }

 private:
  template <class... Parts>
  void complain(Parts... parts) {
    if (missing_++ == 0) (why_->add(parts), ...);
  }
  std::string_view name(std::size_t s) const { return base_.text(sources_[s].name); }

  void source(const PackedFacts& wanted, std::size_t s) {
    const graph::SourceFacts& has = facts_.sources[s];
    const Argument& a = arguments_[s];
    for (int d = 0; d < a.rank; ++d) {
      const uint32_t bit = d < 32 ? 1u << d : 0;
      if (wanted.unit_stride & bit && !wanted.contiguous && !(has.unit_stride & bit) && a.dims[a.rank + d] != 1 &&
          a.dims[d] > 1)
        complain("it needs stride 1 along dim ", int64_t{d}, " of `", name(s), "`, which has ", a.dims[a.rank + d]);
      if (wanted.stride16 & bit && !(has.stride16 & bit))
        complain("it needs a stride along dim ", int64_t{d}, " of `", name(s), "` that 16 divides, which is ",
                 a.dims[a.rank + d]);
      if (wanted.size16 & bit && !(has.size16 & bit))
        complain("it needs a size of dim ", int64_t{d}, " of `", name(s), "` that 16 divides, which is ", a.dims[d]);
    }
    if (wanted.contiguous && !has.contiguous) complain("it needs `", name(s), "` to be row-major without gaps");
    if (wanted.alignment > has.alignment)
      complain("it needs the data of `", name(s), "` at a multiple of ", static_cast<int64_t>(wanted.alignment),
               " bytes");
    if (wanted.streamed && !has.streamed) complain("it needs `", name(s), "` to be larger than the caches");
  }

  void overlaps(const PackedVariant& v) {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      uint64_t allowed = 0;
      for (const PackedPair& p : base_[v.overlaps])
        if (p.first == static_cast<int32_t>(s)) allowed |= uint64_t{1} << p.second;
      const uint64_t rest = facts_.overlaps[s] & ~allowed;
      if (!rest) continue;
      const auto other = static_cast<std::size_t>(std::countr_zero(rest));
      if (other == s)
        complain("it needs the elements of `", name(s), "` to lie apart");
      else
        complain("it needs `", name(s), "` and `", name(other), "` to lie apart, and their memory may overlap");
    }
  }

  bool narrow() {
    if (narrow_ < 0) {
      const PackedPool pool(base_, program_);
      const auto element = [this](int source) { return element_bytes(sources_[static_cast<std::size_t>(source)]); };
      narrow_ =
          launch::indices_are_narrow(pool, exprs(base_, program_.grid), params(base_, program_), element, arguments_);
    }
    return narrow_ > 0;
  }

  void capacities(const PackedVariant& v) {
    const PackedPool pool(base_, program_);
    const auto symbols = base_[program_.symbols];
    for (const PackedCapacity& c : base_[v.capacities]) {
      const auto value = launch::value_in(pool, graph::Ex{symbols[static_cast<std::size_t>(c.symbol)]}, arguments_)
                             .value_or(INT64_MAX);
      if (c.exact ? value == c.capacity : value <= c.capacity) continue;
      complain("it is for tiles of ", c.exact ? "exactly " : "at most ", c.capacity, " elements along a dim that has ",
               value);
    }
  }

  Base base_;
  std::span<const PackedSource> sources_;
  const PackedProgram& program_;
  std::span<const Argument> arguments_;
  const CallFacts& facts_;
  Words<1024>* why_ = nullptr;
  int missing_ = 0;
  int narrow_ = -1;
};

// ---- the tuned config

uint32_t tuned_choice(Base base, const PackedInstance& instance, uint32_t device, std::span<const Argument> arguments) {
  for (const PackedTuned& t : base[instance.tuned]) {
    if (t.device != device) continue;
    const auto digits = base[t.digits];
    std::size_t at = 0;
    bool same = true;
    for (const Argument& a : arguments)
      for (int d = 0; d < a.rank && same; ++d, ++at)
        same = at < digits.size() && digits[at] == std::bit_width(static_cast<uint64_t>(a.dims[d]));
    if (same && at == digits.size()) return t.choice;
  }
  return 0;
}

int no_variant(Base base, const PackedKernel& k, const PackedInstance& instance, std::span<const Argument> arguments,
               uint32_t device, std::span<const bool> can_run, std::string_view why) {
  Words<1024> variants, called;
  Words<128> kernel, name;
  bool any = false;
  Words<1024> devices;
  for (const PackedProgram& p : base[instance.programs])
    for (const PackedVariant& v : base[p.variants]) {
      const PackedTarget& t = base[base.pack().targets][v.target];
      any |= t.device == device;
      if (t.device != device || !can_run[v.target]) continue;
      variants.add(variants.empty() ? "" : ", ").tick(base.text(v.name));
    }
  for (const PackedTarget& t : base[base.pack().targets])
    devices.add(devices.empty() ? "" : ", ").tick(base.text(t.name));
  kernel_name(base, k, kernel);
  if (!any) return refuse(AotDiag::no_device_code, {kernel.view(), device_names[device], devices.view()});
  if (variants.empty() && device == device_cpu)
    return refuse(AotDiag::no_processor_code, {kernel.view(), devices.view()});
  if (variants.empty())
    return refuse(AotDiag::no_device_code, {kernel.view(), "the device's architecture", devices.view()});
  add_shapes(base, instance, arguments, called);
  name.tick(base.text(instance.name));
  return refuse(AotDiag::no_variant, {kernel.view(), name.view(), why, variants.view(), called.view()});
}

// ---- messages about sizes

bool overflowed(Base base, const PackedKernel& k, const PackedInstance& instance, std::span<const Argument> arguments) {
  Words<1024> called;
  Words<128> kernel;
  add_shapes(base, instance, arguments, called);
  refuse(Diag::size_overflow, {kernel_name(base, k, kernel), "an extent", called.view()});
  return false;
}

// "`a` has 3x2, `b` has 3x4 (`a` 9x4, `b` 9x16)"
void add_outer_shapes(Base base, const PackedInstance& instance, const PackedProgram& p,
                      std::span<const Argument> arguments, Words<1024>& out) {
  const PackedPool pool(base, p);
  const auto sources = base[instance.sources];
  for (const PackedParam& q : base[p.params]) {
    const auto outer = levels(base, q);
    if (outer.empty() || outer[0].empty()) continue;
    out.add(out.empty() ? "" : ", ").tick(base.text(sources[static_cast<std::size_t>(q.source)].name)).add(" has ");
    bool first = true;
    for (graph::Ex e : outer[0]) {
      out.add(first ? "" : "x").add(launch::value_in(pool, e, arguments).value_or(-1));
      first = false;
    }
  }
  Words<1024> called;
  add_shapes(base, instance, arguments, called);
  out.add(" (").add(called.view()).add(")");
}

void complain(Base base, const PackedInstance& instance, const PackedProgram& p, const PackedCheck& c, int64_t a,
              int64_t b, std::span<const Argument> arguments) {
  std::string_view words[9];
  std::size_t n = 0;
  for (const Text t : base[c.texts]) words[n++] = base.text(t);
  Words<1024> called, shapes;
  Words<32> x, y;
  const auto sentence = static_cast<Diag>(c.sentence);
  if (sentence == Diag::grid_mismatch) {
    add_outer_shapes(base, instance, p, arguments, shapes);
    words[n++] = shapes.view();
  } else if (sentence == Diag::require_failed) {  // texts: kernel, what must hold, left[, right]
    shapes.add(words[2]).add(" is ").add(a);
    if (n > 3) shapes.add(" and ").add(words[3]).add(" is ").add(b);
    words[2] = shapes.view();
    n = 3;
  } else {
    x.add(a), y.add(b);
    if (c.values > 0) words[n++] = x.view();
    if (c.values > 1) words[n++] = y.view();
  }
  add_shapes(base, instance, arguments, called);
  if (sentence != Diag::grid_mismatch) words[n++] = called.view();
  refuse(sentence, base.text(c.place), {words, n});
}

}  // namespace

uint32_t alignment_of(const void* base, uint32_t element) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  return address % 64 == 0 ? 64 : address % 16 == 0 ? 16 : address % element == 0 ? element : 1;
}

bool find_facts(Base base, const PackedKernel& k, const PackedInstance& instance, std::span<const Argument> arguments,
                CallFacts& out) {
  const auto sources = base[instance.sources];
  int large_loads = 0;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Argument& a = arguments[s];
    const auto element = static_cast<uint32_t>(element_bytes(sources[s]));
    out.footprints[s] = {};
    out.overlaps[s] = 0;
    out.sources[s] = {};
    if (a.rank == 0) continue;
    Words<128> kernel, name;
    Words<512> shape, strides;
    const auto sizes = [&] { return shape.shape({a.dims, a.rank}).view(); };
    for (int d = 0; d < a.rank; ++d)
      if (a.dims[d] < 0) {
        refuse(Diag::negative_extent,
               {kernel_name(base, k, kernel), name.tick(base.text(sources[s].name)).view(), sizes()});
        return false;
      }
    const auto f = launch::footprint(a, element);
    if (!f) {
      strides.shape({a.dims + a.rank, a.rank});
      refuse(Diag::address_overflow,
             {kernel_name(base, k, kernel), name.tick(base.text(sources[s].name)).view(), sizes(), strides.view()});
      return false;
    }
    if (!a.data && !f->empty) {
      refuse(Diag::null_data, {kernel_name(base, k, kernel), name.tick(base.text(sources[s].name)).view(), sizes()});
      return false;
    }
    out.footprints[s] = *f;
    out.sources[s] = launch::stride_facts(a);
    out.sources[s].alignment = alignment_of(a.data, element);
    launch::add_divisibility(a, out.sources[s]);
    if (sources[s].stored && launch::may_overlap_itself(a)) out.overlaps[s] |= uint64_t{1} << s;
    if (launch::larger_than_caches(a, element)) large_loads += static_cast<int>(sources[s].loads);
  }
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (!sources[s].stored || arguments[s].rank == 0) continue;
    const auto element = static_cast<uint32_t>(element_bytes(sources[s]));
    out.sources[s].streamed = large_loads >= 2 && !sources[s].loaded &&
                              launch::larger_than_caches(arguments[s], element) &&
                              launch::rows_at_16_bytes(arguments[s], out.sources[s], element);
    for (std::size_t o = 0; o < sources.size(); ++o)
      if (o != s && arguments[o].rank > 0 &&
          launch::may_overlap(out.footprints[s], arguments[s].data, out.footprints[o], arguments[o].data))
        out.overlaps[s] |= uint64_t{1} << o;
  }
  return true;
}

Choice choose(Base base, const PackedKernel& k, const PackedInstance& instance, std::span<const Argument> arguments,
              const CallFacts& facts, uint32_t device, std::span<const bool> can_run) {
  const auto programs = base[instance.programs];
  const auto targets = base[base.pack().targets];
  const uint32_t tuned = tuned_choice(base, instance, device, arguments);
  Words<1024> nearest;
  int fewest = INT32_MAX;
  for (const bool of_tuned : {true, false})
    for (const PackedProgram& p : programs) {
      if ((p.choice == tuned) != of_tuned || !constants_hold(base, p, arguments)) continue;
      Comparison comparison(base, instance, p, arguments, facts);
      const PackedVariant* best = nullptr;
      for (const PackedVariant& v : base[p.variants]) {
        const PackedTarget& t = targets[v.target];
        if (t.device != device || !can_run[v.target]) continue;
        // Variants stand in the order of what they know; among equal ones the best target counts.
        if (best && (best->name.at != v.name.at || targets[best->target].rank >= t.rank)) continue;
        Words<1024> why;
        why.add("the nearest is ").tick(base.text(v.name)).add(", but ");
        const int missing = comparison.against(v, why);
        if (missing == 0) best = &v;
        if (missing > 0 && missing <= fewest) fewest = missing, nearest = why;  // of equal ones the most general
      }
      if (best) return {&p, best, TINE_OK};
    }
  if (nearest.empty()) nearest.add("no variant is for tensors of these sizes");
  return {nullptr, nullptr, no_variant(base, k, instance, arguments, device, can_run, nearest.view())};
}

bool check_sizes(Base base, const PackedKernel& k, const PackedInstance& instance, const PackedProgram& p,
                 std::span<const Argument> arguments) {
  const PackedPool pool(base, p);
  for (const PackedCheck& c : base[p.checks]) {
    const auto a = launch::value_in(pool, graph::Ex{c.a}, arguments);
    const auto b = c.b >= 0 ? launch::value_in(pool, graph::Ex{c.b}, arguments) : std::optional<int64_t>(0);
    if (!a || !b) return overflowed(base, k, instance, arguments);
    if (graph::holds(static_cast<graph::Check::Kind>(c.kind), *a, *b)) continue;
    complain(base, instance, p, c, *a, *b, arguments);
    return false;
  }
  return true;
}

int64_t count_programs(Base base, const PackedKernel& k, const PackedInstance& instance, const PackedProgram& p,
                       std::span<const Argument> arguments) {
  const PackedPool pool(base, p);
  int64_t programs = 1;
  bool wide = false, none = false;
  Words<512> grid;
  for (graph::Ex e : exprs(base, p.grid)) {
    const auto n = launch::value_in(pool, e, arguments);
    if (!n) return overflowed(base, k, instance, arguments), -1;
    none |= *n <= 0;
    wide |= __builtin_mul_overflow(programs, std::max<int64_t>(*n, 0), &programs);
    grid.add(grid.empty() ? "" : "x").add(*n);
  }
  if (none) return 0;
  if (!wide) return programs;
  Words<1024> called;
  Words<128> kernel;
  add_shapes(base, instance, arguments, called);
  refuse(Diag::too_many_programs, {kernel_name(base, k, kernel), grid.view(), called.view()});
  return -1;
}

bool fill_symbols(Base base, const PackedKernel& k, const PackedInstance& instance, const PackedProgram& p,
                  std::span<const Argument> arguments, int64_t* slots) {
  const PackedPool pool(base, p);
  int64_t* slot = slots + p.first_symbol;
  for (graph::Ex e : exprs(base, p.symbols)) {
    const auto value = launch::value_in(pool, e, arguments);
    if (!value) return overflowed(base, k, instance, arguments);
    *slot++ = *value;
  }
  return true;
}

}  // namespace tine::aot
