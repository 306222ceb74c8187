// Machine code: nothing calls a library on any target, and vectors stay vectors on x86.
#include <catch2/catch.hpp>
#include <regex>
#include <sstream>

#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/values.hpp"

using namespace tine;
using namespace tine::math;
using namespace tine::math::test;
using graph::DType;
using graph::Op;

namespace {
struct Pair {
  Op op;
  DType in, out;
};

const std::vector<Pair>& everything() {
  static const std::vector<Pair> v = [] {
    std::vector<Pair> r;
    const auto gives_bool = [](Op op) {
      return (op >= Op::eq && op <= Op::lor) || op == Op::lnot || (op >= Op::isnan && op <= Op::signbit);
    };
    for (int o = int(Op::add); o <= int(Op::clamp); ++o) {
      const Op op = Op(o);
      if (op == Op::bitcast) continue;
      for (DType t : all_types()) {
        const bool fp8 = t == DType::f8e4m3fn || t == DType::f8e5m2, real = graph::is_float(t) && !fp8;
        const bool logic = op == Op::where || op == Op::land || op == Op::lor || op == Op::lnot;
        const bool bits = op == Op::band || op == Op::bor || op == Op::bxor || op == Op::bnot || op == Op::shl ||
                          op == Op::shr || op == Op::umulhi || op == Op::popcount || op == Op::clz;
        const bool function = (op >= Op::pow && op <= Op::copysign) || (op >= Op::exp && op <= Op::trunc);
        const bool takes = op == Op::where  ? true
                           : logic          ? !fp8
                           : t == DType::b1 ? op == Op::band || op == Op::bor || op == Op::bxor
                           : bits           ? !graph::is_float(t)
                           : function       ? real
                                            : !fp8;
        if (takes) r.push_back({op, t, gives_bool(op) ? DType::b1 : t});
      }
    }
    for (DType from : all_types())
      for (DType to : all_types())
        if (from != to) r.push_back({Op::cast, from, to});
    return r;
  }();
  return v;
}

Spec spec(const Pair& p, int width) {
  Spec s;
  s.op = p.op;
  s.in = p.in;
  s.out = p.out;
  s.operands = arity(p.op);
  s.width = width;
  return s;
}
}  // namespace

TEST_CASE("x86 code has no calls and does not take vectors apart") {
  // Lane moves, scalar conversions and divisions, and the general registers that they go through.
  const std::regex scalar(
      R"(^\s+(vpextr\w*|vpinsr\w*|vextractps|v?cvtt?s[sd]2u?si\w*|v?cvtu?si2s[sd]\w*|)"
      R"(idiv\w*|div[lqwb]|mul[lqwb]|imul\w*|set\w+|cmov\w+|call\w*|jmp\w*)\s)");
  for (const char* cpu : {"haswell", "x86-64-v4"})
    for (const Pair& p : everything()) {
      // One full vector of the wider of the two types, at least: narrower ones are moved through %xmm and general
      // registers.
      const int width = std::string(cpu) == "haswell" ? 32 : 64;
      const int lanes = width / std::min(graph::bytes(p.in), graph::bytes(p.out));
      const std::string text = assembly(spec(p, std::min(lanes, 16)), "x86_64-unknown-linux-gnu", cpu, "");
      size_t found = 0;
      std::istringstream in(text);
      std::string first;
      for (std::string line; std::getline(in, line);)
        if (std::regex_search(line, scalar)) {
          if (!found++) first = line;
        }
      const bool wide_division =
          (p.op == Op::div || p.op == Op::mod || p.op == Op::floordiv || p.op == Op::floormod || p.op == Op::cdiv) &&
          (p.in == DType::i64 || p.in == DType::u64);
      INFO(cpu << ": " << name_of(p.op) << " " << name_of(p.in) << " -> " << name_of(p.out) << ": " << found
               << " times, first " << first);
      CHECK((found == 0 || wide_division));
      CHECK(text.find("call") == std::string::npos);
    }
}

TEST_CASE("GPU code selects and has no calls") {
  const struct {
    const char *triple, *cpu, *features;
  } targets[] = {{"nvptx64-nvidia-cuda", "sm_80", "+ptx80"},
                 {"nvptx64-nvidia-cuda", "sm_90a", "+ptx80"},
                 {"amdgcn-amd-amdhsa", "gfx90a", ""},
                 {"amdgcn-amd-amdhsa", "gfx1100", ""}};
  const std::regex call(R"(^\s+(call|s_swappc)\w*)");
  for (const auto& t : targets)
    for (const Pair& p : everything()) {
      const std::string text = assembly(spec(p, 1), t.triple, t.cpu, t.features);
      INFO(t.cpu << ": " << name_of(p.op) << " " << name_of(p.in) << " -> " << name_of(p.out));
      bool calls = false;
      std::istringstream in(text);
      for (std::string line; std::getline(in, line);) calls |= std::regex_search(line, call);
      CHECK_FALSE(calls);
      CHECK(text.size() > 50);
    }
}
