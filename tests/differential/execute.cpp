#include "execute.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "compare.hpp"
#include "memory.hpp"
#include "program.hpp"
#include "runtime/jit/kernel.hpp"
#include "runtime/knobs.hpp"
#include "runtime/reference/evaluate.hpp"
#include "tine/error.hpp"

namespace tine::fuzz {
namespace {

using test::Memory;

// One copy of a program's memory, and its arguments.
struct Call {
  std::vector<Memory> memories;
  std::vector<std::vector<int64_t>> dims;
  std::vector<Argument> arguments;

  /// `sizes`: what sizes are instead; not larger.
  Call(const Program& p, test::Placement placement, const std::map<int64_t, int64_t>& sizes = {}) {
    for (const Buffer& b : p.buffers) {
      memories.emplace_back(b.data.size(), static_cast<std::size_t>(bytes(b.type)), placement);
      if (!b.data.empty()) std::memcpy(memories.back().data(), b.data.data(), b.data.size());
    }
    dims.resize(p.sources.size());
    for (std::size_t i = 0; i < p.sources.size(); ++i) {
      const Source& s = p.sources[i];
      Argument a;
      a.type = static_cast<uint8_t>(s.type);
      a.scalar = s.bits;
      if (!s.scalar) {
        dims[i] = s.shape;
        for (int64_t& n : dims[i])
          if (const auto it = sizes.find(n); it != sizes.end()) n = it->second;
        dims[i].insert(dims[i].end(), s.strides.begin(), s.strides.end());
        a.rank = static_cast<uint8_t>(s.shape.size());
        a.data = memories[static_cast<std::size_t>(s.buffer)].data() + s.base * bytes(s.type);
        a.dims = dims[i].data();
      }
      arguments.push_back(a);
    }
  }
};

// Smaller sizes, equal where they were equal, often of the same class of multiples: the code of the first call may do.
std::map<int64_t, int64_t> smaller_sizes(const Program& p, Choices& c) {
  std::map<int64_t, int64_t> sizes;
  for (const Source& s : p.sources)
    for (int64_t n : s.shape)
      if (!sizes.count(n)) sizes[n] = std::max<int64_t>(n - c.pick({0, 0, 16, 1, 32, 2, 0}), std::min<int64_t>(n, 1));
  return sizes;
}

std::string contents(DType t, const Memory& m) {
  std::string s;
  for (std::size_t i = 0; i < m.size() && i < 64 * static_cast<std::size_t>(bytes(t));
       i += static_cast<std::size_t>(bytes(t))) {
    char b[32];
    std::snprintf(b, sizeof b, "%.9g ", test::element(t, m.data() + i));
    s += b;
  }
  return s;
}

// What two calls left in memory, compared as closely as the program allows.
std::string differences(const Program& program, bool determined, const Call& compiled, const Call& plain) {
  std::string wrong;
  for (std::size_t b = 0; b < program.buffers.size(); ++b) {
    if (compiled.memories[b].damaged())
      wrong += "buffer " + std::to_string(b) + ": " + std::to_string(compiled.memories[b].damaged()) +
               " guard bytes were overwritten\n";
    if (!determined) continue;
    test::Tolerance tolerance{test::Tolerance::exact, 0, 0, 0};
    for (std::size_t s = 0; s < program.sources.size(); ++s) {
      if (program.sources[s].scalar || program.sources[s].buffer != int(b)) continue;
      const Accuracy& a = program.accuracies()[s];
      if (a.ulps > 0 || !a.signed_zeros) tolerance.kind = test::Tolerance::ulp;
      tolerance.max_ulp = std::max(tolerance.max_ulp, static_cast<int64_t>(a.ulps));
    }
    const DType t = program.buffers[b].type;
    const std::string d = test::difference(t, compiled.memories[b].data(), plain.memories[b].data(),
                                           program.buffers[b].elements, tolerance);
    if (!d.empty())
      wrong += "buffer " + std::to_string(b) + ": " + d + "\n  compiled:  " + contents(t, compiled.memories[b]) +
               "\n  reference: " + contents(t, plain.memories[b]) + "\n";
  }
  return wrong;
}

// What changes the code of a GPU and no result.
std::string set_options(jit::Kernel& kernel, Choices& c) {
  std::string text;
  const auto set = [&](const char* key, const std::string& value) {
    if (value.empty()) return;
    kernel.set_option(key, value);
    text += std::string("option ") + key + "=" + value + "\n";
  };
  set("warps", c.pick<std::string>({"", "4", "1", "2", "8"}));
  set("stages", c.pick<std::string>({"", "", "1", "3"}));
  set("split", c.pick<std::string>({"", "", "32", "64", "256"}));
  set("order", c.pick<std::string>({"", "", "persistent", "grouped:2", "persistent,grouped:3"}));
  return text;
}

}  // namespace

Outcome execute(Choices& choices, const std::string& target, bool describe) {
  const bool emulated = target.starts_with("emulated:");
  setenv("TINE_TARGET", emulated ? "cpu" : target.c_str(), 1);
  setenv("TINE_DEVICE", emulated ? target.c_str() : "cpu", 1);
  knobs::reload();
  Outcome outcome;
  std::string graph_text;
  Program program(choices);
  const auto finish = [&](Outcome::Kind kind, std::string message) {
    outcome.kind = kind;
    outcome.message = std::move(message);
    if (kind > Outcome::undetermined || describe) outcome.program = program.text() + graph_text;
    return outcome;
  };
  bool determined = true;
  try {
    graph::Graph graph = program.trace();
    graph_text = graph::text(graph);
    determined = program.determined(graph);
    const test::Placement placement = choices.pick(
        {test::Placement::guarded, test::Placement::page_end, test::Placement::shifted, test::Placement::page_begin});
    Call compiled(program, placement), plain(program, test::Placement::guarded);
    jit::Kernel kernel([&](const jit::Config&) { return program.trace(); });
    kernel.set_threads(choices.pick({1, 2, 3}));
    if (emulated) graph_text += set_options(kernel, choices);
    kernel.checked_call(compiled.arguments);
    reference::evaluate(graph, plain.arguments);
    std::string wrong = differences(program, determined, compiled, plain);
    // The same kernel for another call. What makes up a tile in memory is known of these only.
    if (wrong.empty() && determined && program.blocks() && choices.below(2)) {
      const auto sizes = smaller_sizes(program, choices);
      Call again(program, placement, sizes), expected(program, test::Placement::guarded, sizes);
      try {
        kernel.checked_call(again.arguments);
      } catch (const UserError&) {  // grids that no longer agree
        return finish(Outcome::same, "");
      }
      reference::evaluate(graph, expected.arguments);
      wrong = differences(program, determined, again, expected);
      for (const auto& [from, to] : sizes)
        if (!wrong.empty()) wrong += "in the second call " + std::to_string(from) + " is " + std::to_string(to) + "\n";
    }
    if (!wrong.empty()) return finish(Outcome::different, wrong);
    return finish(determined ? Outcome::same : Outcome::undetermined, "");
  } catch (const UserError& e) {
    // A dim that is known not to be 1 may be refused at once, also beside a size that turns out equal at the call. Few
    // threads may have too few registers.
    const auto says = [&](const char* words) { return std::string(e.what()).find(words) != std::string::npos; };
    const bool open = (says("`expand`") && says("neither 1 nor")) || (emulated && says("a program needs"));
    return finish(open ? Outcome::undetermined : Outcome::refused, e.what());
  } catch (const InternalError& e) {
    return finish(Outcome::broken, e.what());
  } catch (const RuntimeError& e) {
    // Programs that store to one place race, says an emulated device.
    const bool race = !determined && std::string(e.what()).find(": global_race: ") != std::string::npos;
    return finish(race ? Outcome::undetermined : Outcome::different, e.what());
  } catch (const std::exception& e) {
    return finish(Outcome::different, e.what());
  }
}

Outcome execute_front(Choices& choices) {
  Program program(choices);
  Outcome outcome{Outcome::same, "", program.text()};
  try {
    outcome.program += graph::text(program.trace());
    for (int64_t of : {4, 3, 5, 4, 5, 5}) choices.below(of);  // the placement, the threads, and the options of a GPU
  } catch (const std::exception& e) {
    outcome.message = e.what();
  }
  return outcome;
}

}  // namespace tine::fuzz
