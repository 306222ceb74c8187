#include "decode/control_flow.hpp"

#include <algorithm>

namespace tine::emulator::detail {
namespace {

bool guarded(const Instr& in) { return in.guard != kPredTrue; }
bool ends_thread(const Instr& in) { return in.kind == Kind::exit || in.kind == Kind::trap; }
bool ends_block(const Instr& in) { return in.kind == Kind::branch || in.kind == Kind::branch_index || in.kind == Kind::ret || ends_thread(in); }

struct Graph {
  std::vector<std::uint32_t> start;                   // block -> first pc
  std::vector<std::vector<std::uint32_t>> next, prev; // block numbers; the virtual exit is block `exit`
  std::uint32_t exit = 0;
};

Graph build(const Function& f, bool exits_count) {
  const auto n = static_cast<std::uint32_t>(f.code.size());
  std::vector<char> leader(n + 1, 0);
  leader[0] = 1;
  for (std::uint32_t pc = 0; pc < n; ++pc) {
    const Instr& in = f.code[pc];
    if (!ends_block(in)) continue;
    leader[pc + 1] = 1;
    if (in.kind == Kind::branch) leader[static_cast<std::size_t>(in.imm)] = 1;
    if (in.kind == Kind::branch_index)
      for (const std::uint32_t t : f.targets[in.aux]) leader[t] = 1;
  }
  Graph g;
  std::vector<std::uint32_t> block_of(n, 0);
  for (std::uint32_t pc = 0; pc < n; ++pc) {
    if (leader[pc]) g.start.push_back(pc);
    block_of[pc] = static_cast<std::uint32_t>(g.start.size()) - 1;
  }
  const auto blocks = static_cast<std::uint32_t>(g.start.size());
  g.exit = blocks;
  g.next.resize(blocks + 1);
  g.prev.resize(blocks + 1);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const std::uint32_t last = (b + 1 < blocks ? g.start[b + 1] : n) - 1;
    const Instr& in = f.code[last];
    auto& out = g.next[b];
    bool falls = true;
    if (in.kind == Kind::branch) {
      out.push_back(block_of[static_cast<std::size_t>(in.imm)]);
      falls = guarded(in);
    } else if (in.kind == Kind::branch_index) {
      for (const std::uint32_t t : f.targets[in.aux]) out.push_back(block_of[t]);
      falls = guarded(in);
    } else if (in.kind == Kind::ret) {
      out.push_back(g.exit);
      falls = false;
    } else if (ends_thread(in)) {
      // Lanes that end never come back, so they do not decide where the others meet.
      falls = guarded(in);
      if (exits_count && !falls) out.push_back(g.exit);
    }
    if (falls && b + 1 < blocks) out.push_back(b + 1);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    for (const std::uint32_t t : out) g.prev[t].push_back(b);
  }
  return g;
}

}  // namespace

void find_joins(Function& f) {
  Graph g = build(f, false);
  // A function whose every path ends in `exit` never reaches its `ret`: then the exits are what all paths lead to.
  {
    std::vector<char> seen(g.next.size(), 0);
    std::vector<std::uint32_t> todo{0};
    seen[0] = 1;
    while (!todo.empty()) {
      const std::uint32_t b = todo.back();
      todo.pop_back();
      for (const std::uint32_t t : g.next[b])
        if (!seen[t]) {
          seen[t] = 1;
          todo.push_back(t);
        }
    }
    if (!seen[g.exit]) g = build(f, true);
  }

  // Post-order on the reversed graph, then the iterative dominator algorithm (Cooper, Harvey, Kennedy).
  const auto n = static_cast<std::uint32_t>(g.next.size());
  std::vector<std::uint32_t> order, number(n, kNoPc), idom(n, kNoPc);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{g.exit, 0}};
  std::vector<char> seen(n, 0);
  seen[g.exit] = 1;
  while (!stack.empty()) {
    auto& [b, k] = stack.back();
    if (k < g.prev[b].size()) {
      const std::uint32_t t = g.prev[b][k++];
      if (!seen[t]) {
        seen[t] = 1;
        stack.emplace_back(t, 0);
      }
    } else {
      number[b] = static_cast<std::uint32_t>(order.size());
      order.push_back(b);
      stack.pop_back();
    }
  }
  idom[g.exit] = g.exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      const std::uint32_t b = *it;
      if (b == g.exit) continue;
      std::uint32_t d = kNoPc;
      for (std::uint32_t t : g.next[b]) {
        if (idom[t] == kNoPc) continue;
        if (d == kNoPc) {
          d = t;
          continue;
        }
        while (t != d) {
          while (number[t] < number[d]) t = idom[t];
          while (number[d] < number[t]) d = idom[d];
        }
      }
      if (d != idom[b]) {
        idom[b] = d;
        changed = true;
      }
    }
  }
  const auto blocks = static_cast<std::uint32_t>(g.start.size());
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const std::uint32_t last = (b + 1 < blocks ? g.start[b + 1] : static_cast<std::uint32_t>(f.code.size())) - 1;
    Instr& in = f.code[last];
    if ((in.kind != Kind::branch && in.kind != Kind::branch_index) || idom[b] == kNoPc || idom[b] == g.exit) continue;
    if (in.kind == Kind::branch && !guarded(in)) continue;
    const std::uint32_t join = g.start[idom[b]];
    // Lanes of a kernel that have nothing left to do but end need not wait for the others.
    const Instr& there = f.code[join];
    const auto end = static_cast<std::int64_t>(f.code.size()) - 1;
    if (f.entry && (join == end || (there.kind == Kind::branch && !guarded(there) && there.imm == end))) continue;
    in.join = join;
    f.code[join].is_join = true;
  }
}

}  // namespace tine::emulator::detail
