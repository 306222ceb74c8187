// Cases of semantic_cases.json: arrangement, application and data in one place. Those with gathers, scatters and
// atomics wait for the operations. Each kernel below writes out what its case says; the arrangements are those of the
// file.
#include <fstream>

#include "check.hpp"
#include "tine/tine.hpp"

using namespace tine;
using namespace tine::test;
namespace nt = tine;

namespace {

void flatten(const nlohmann::json& j, std::vector<double>& out) {
  if (j.is_array())
    for (const auto& x : j) flatten(x, out);
  else
    out.push_back(j.is_boolean() ? double(j.get<bool>()) : j.get<double>());
}
Array array(DType type, std::vector<int64_t> shape, const nlohmann::json& data) {
  std::vector<double> values;
  flatten(data, values);
  Array a{type, std::move(shape), std::vector<std::byte>(values.size() * std::size_t(bytes(type)))};
  for (std::size_t i = 0; i < values.size(); ++i)
    set_element(type, a.data.data() + i * std::size_t(bytes(type)), values[i]);
  return a;
}

// A case as a variant: all parameters have contents, those that are written are expected.
Variant semantic(const std::string& name) {
  std::ifstream file(std::string(TINE_CASES) + "/semantic_cases.json");
  const nlohmann::json all = nlohmann::json::parse(file);
  for (const auto& c : all.at("cases")) {
    if (c.at("name") != name) continue;
    Variant v;
    v.id = name;
    v.json = c;
    for (const auto& p : c.at("params")) {
      test::Parameter x;
      const DType type = dtype_named(p.at("dtype"));
      x.shape = p.at("shape").get<std::vector<int64_t>>();
      x.array = array(type, x.shape, p.at("data"));
      x.strides.resize(x.shape.size());
      int64_t stride = 1;
      for (std::size_t d = x.shape.size(); d-- > 0; stride *= x.shape[d]) x.strides[d] = stride;
      if (c.at("expected").contains(p.at("name")))
        v.expected[p.at("name")] = array(type, x.shape, c.at("expected").at(p.at("name").get<std::string>()));
      v.parameters[p.at("name")] = std::move(x);
    }
    const auto& t = c.at("tolerance");
    if (t.is_object()) v.tolerance = {Tolerance::abs_rel, t.at("atol"), t.at("rtol"), 0};
    return v;
  }
  throw std::runtime_error("no case " + name);
}
template <class F>
void check_semantic(const std::string& name, F&& call) {
  check_variant(semantic(name), call);
}

// x, y and out in tiles of 5.
template <class F>
struct Tiles5 {
  static constexpr auto names = nt::names("x", "y", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> y, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({5}), y.tile({5}), out.tile({5})};
  }
  void application(auto& x, auto& y, auto& out) const { F{}(x, y, out); }
};
template <class F>
struct Line5 {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({5}), out.tile({5})};
  }
  void application(auto& x, auto& out) const { F{}(x, out); }
};
struct Add {
  void operator()(auto& x, auto& y, auto& out) const { out = x + y; }
};

struct SumTile8 {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({8}), out.tile({1})};
  }
  void application(auto& x, auto& out) const { out = nt::sum(x); }
};
struct MaxTile8 {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> out) const {
    return std::tuple{x.other(-nt::inf).tile({8}), out.tile({1})};
  }
  void application(auto& x, auto& out) const { out = nt::max(x); }
};
struct TimesZero {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> out) const {
    return std::tuple{x.other(nt::nan).tile({4}), out.tile({4})};
  }
  void application(auto& x, auto& out) const { out = x * 0; }
};
struct LoopMatmul {
  static constexpr auto names = nt::names("a", "b", "out");
  auto arrangement(nt::Tensor<float, 2> a, nt::Tensor<float, 2> b, nt::Tensor<float, 2> out) const {
    return std::tuple{a.tile({2, 3}).tile({1, -1}).expand({-1, 3}).squeeze(0, nt::level<1>),
                      b.tile({3, 2}).tile({-1, 1}).expand({3, -1}).squeeze(1, nt::level<1>), out.tile({2, 2})};
  }
  void application(auto& a, auto& b, auto& out) const {
    auto acc = nt::zeros<float>(out.shape());
    for (auto k : nt::range(a.size(0))) acc += nt::dot(a[k], b[k]);
    out = acc;
  }
};
struct TwoIndices {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 2> out) const {
    return std::tuple{x.tile({2, 3}).tile({2, 2}), out.tile({1, 1})};
  }
  void application(auto& x, auto& out) const {
    auto s = nt::full<i32>(nt::Shape<0>{}, 0);
    for (auto i : nt::range(x.size(0)))
      for (auto j : nt::range(x.size(1))) s += nt::sum(x(i, j)) * nt::cast<i32>(i * 10 + j + 1);
    out = s;
  }
};
struct ThreeLevels {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({2}).tile({2}).tile({-1}), out.tile({1})};
  }
  void application(auto& x, auto& out) const {
    auto s = nt::full<i32>(nt::Shape<0>{}, 0);
    auto factor = nt::where(nt::arange(2) == 0, 1, 100);
    for (auto i : nt::range(3))
      for (auto j : nt::range(2)) s += nt::cast<i32>(nt::sum(x[i][j] * factor) * (i * 3 + j + 1));
    out = s;
  }
};
struct StoreToLevel {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({2}).tile({-1}), out.tile({2}).tile({-1})};
  }
  void application(auto& x, auto& out) const {
    auto n = out.size(0);
    for (auto k : nt::range(n)) out[k] = x[n - 1 - k];
  }
};
struct MentionIsALoad {
  static constexpr auto names = nt::names("x");
  auto arrangement(nt::Tensor<i32, 1> x) const { return std::tuple{x.tile({5})}; }
  void application(auto& x) const {
    x = x + 1;
    x = x * 10;
  }
};
struct ScalarParameters {
  static constexpr auto names = nt::names("x", "a", "b", "out");
  auto arrangement(nt::Tensor<float, 1> x, nt::Scalar<float> a, nt::Scalar<float> b, nt::Tensor<float, 1> out) const {
    return std::tuple{x.tile({4}), a, b, out.tile({4})};
  }
  void application(auto& x, auto a, auto b, auto& out) const { out = a * x + b; }
};
struct Branch {
  bool flag;
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({5}), out.tile({5})};
  }
  void application(auto& x, auto& out) const {
    if (flag)
      out = x * 2;
    else
      out = x - 1;
  }
};
struct OffsetsAlong {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 2> out) const {
    return std::tuple{x.tile({2, 4}), out.tile({2, 4})};
  }
  void application(auto& x, auto& out) const { out = nt::offsets(x, 0) * 100 + nt::offsets(x, 1); }
};
struct OffsetsLinear {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 2> out) const {
    return std::tuple{x.permute({1, 0}).tile({2, 2}), out.tile({2, 2})};
  }
  void application(auto& x, auto& out) const { out = nt::offsets(x); }
};
struct ReduceInTile {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({2, -1}).squeeze(1), out.tile({2})};
  }
  void application(auto& x, auto& out) const { out = nt::sum(x, nt::axis(1)); }
};
struct BroadcastInTile {
  static constexpr auto names = nt::names("x", "v", "out");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 2> v, nt::Tensor<i32, 2> out) const {
    return std::tuple{x.tile({2, 3}), v.tile({2, 1}).expand({-1, 2}), out.tile({2, 3})};
  }
  void application(auto& x, auto& v, auto& out) const { out = x * v; }
};
struct Flip {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x(nt::slice(nt::none, nt::none, -1)).tile({4}), out.tile({4})};
  }
  void application(auto& x, auto& out) const { out = x; }
};
struct Diagonal {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({3}, nt::TileOptions{{15}, {5}}), out.tile({3})};
  }
  void application(auto& x, auto& out) const { out = x; }
};
struct WindowSum {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({4}, nt::TileOptions{{3}, {}, nt::Mode::floor}), out.tile({1})};
  }
  void application(auto& x, auto& out) const { out = nt::sum(x); }
};
struct FloorMode {
  static constexpr auto names = nt::names("out");
  auto arrangement(nt::Tensor<i32, 1> out) const {
    return std::tuple{out.tile({4}, nt::TileOptions{{}, {}, nt::Mode::floor})};
  }
  void application(auto& out) const { out = 5; }
};
struct Channels {
  static constexpr auto names = nt::names("x", "w", "out");
  auto arrangement(nt::Tensor<i32, 3> x, nt::Tensor<i32, 1> w, nt::Tensor<i32, 3> out) const {
    auto rows = [](nt::Tensor<i32, 3> t) { return t.tile({1, 1, -1}).squeeze(2).squeeze({0, 1}, nt::level<1>); };
    return std::tuple{rows(x), w.tile({1}).squeeze(0, nt::level<1>).unsqueeze(0).expand({2, -1}), rows(out)};
  }
  void application(auto& x, auto& w, auto& out) const { out = x * w; }
};
struct Branched {
  static constexpr auto names = nt::names("rows", "tiles", "out");
  auto arrangement(nt::Tensor<i32, 2> rows, nt::Tensor<i32, 2> tiles, nt::Tensor<i32, 2> out) const {
    auto r = rows.tile({2, 3});
    auto derived = r.tile({1, -1}).expand({-1, 2}).squeeze(0, nt::level<1>);
    auto t = tiles.tile({2, 3});
    t.tile({1, -1}).expand({-1, 2});  // deriving leaves t as it was
    return std::tuple{derived, t, out.tile({2, 3})};
  }
  void application(auto& rows, auto& tiles, auto& out) const { out = tiles * 10 + rows[0] + rows[1]; }
};
struct CastDivision {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<float, 1> out) const {
    return std::tuple{x.tile({4}), out.tile({4})};
  }
  void application(auto& x, auto& out) const { out = nt::cast<float>(x) / 2; }
};
struct Unused {
  static constexpr auto names = nt::names("x", "dummy", "out", "untouched");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> dummy, nt::Tensor<i32, 1> out,
                   nt::Tensor<i32, 1> untouched) const {
    return std::tuple{x.tile({5}), dummy.tile({5}), out.tile({5}), untouched.tile({5})};
  }
  void application(auto& x, auto&, auto& out, auto&) const { out = x; }
};
struct HelperNames {
  static auto helper(const auto& a) {
    auto t = a + 1;
    return t * t;
  }
  void operator()(auto& x, auto& out) const {
    auto t = x * 100;
    auto u = helper(x);
    out = t + u;
  }
};
struct HelperStores {
  static void scale(auto& dst, auto& src) { dst = src * 3; }
  void operator()(auto& x, auto& out) const { scale(out, x); }
};

template <class K>
void line(const char* name, const K& kernel) {
  auto k = make(kernel);
  check_semantic(name, [&](Run& r) { k(r.view<const i32, 1>("x"), r.view<i32, 1>("out")); });
}
template <class K>
void square(const char* name, const K& kernel) {
  auto k = make(kernel);
  check_semantic(name, [&](Run& r) { k(r.view<const i32, 2>("x"), r.view<i32, 2>("out")); });
}

}  // namespace

TEST_CASE("semantic cases: vectors of integers", "[case]") {
  auto add = make(Tiles5<Add>{});
  check_semantic("add_tail",
                 [&](Run& r) { add(r.view<const i32, 1>("x"), r.view<const i32, 1>("y"), r.view<i32, 1>("out")); });
  line("other_default_is_zero_for_sum", SumTile8{});
  line("three_levels_below", ThreeLevels{});
  line("store_to_indexed_level", StoreToLevel{});
  line("compile_time_branch_0", Branch{false});
  std::vector<i32> x{1, -2, 3, 4, 5, 6}, doubled(6);
  make(Branch{true})(x, doubled);  // BR-27: the flag is in the key of every cache
  CHECK(doubled == std::vector<i32>{2, -4, 6, 8, 10, 12});
  line("compile_time_branch_0", Branch{false});
  line("flip_by_negative_step", Flip{});
  line("diag_extract", Diagonal{});
  line("window_sum_overlap", WindowSum{});
  line("helper_function_names", Line5<HelperNames>{});
  line("helper_writes_its_parameter", Line5<HelperStores>{});
  auto mention = make(MentionIsALoad{});
  check_semantic("mention_is_a_load", [&](Run& r) { mention(r.view<i32, 1>("x")); });
  auto floor = make(FloorMode{});
  check_semantic("floor_mode_leaves_tail", [&](Run& r) { floor(r.view<i32, 1>("out")); });
  auto unused = make(Unused{});
  check_semantic("unused_parameters", [&](Run& r) {
    unused(r.view<const i32, 1>("x"), r.view<const i32, 1>("dummy"), r.view<i32, 1>("out"),
           r.view<i32, 1>("untouched"));
  });
}

TEST_CASE("semantic cases: matrices of integers", "[case]") {
  square("nested_level_two_indices", TwoIndices{});
  square("offsets_along_dim", OffsetsAlong{});
  square("offsets_linear_after_permute", OffsetsLinear{});
  auto reduce = make(ReduceInTile{});
  check_semantic("reduce_axis_in_tile", [&](Run& r) { reduce(r.view<const i32, 2>("x"), r.view<i32, 1>("out")); });
  auto broadcast = make(BroadcastInTile{});
  check_semantic("broadcast_inside_tile", [&](Run& r) {
    broadcast(r.view<const i32, 2>("x"), r.view<const i32, 2>("v"), r.view<i32, 2>("out"));
  });
  auto channels = make(Channels{});
  check_semantic("channel_parameter_zero_dim_inner", [&](Run& r) {
    channels(r.view<const i32, 3>("x"), r.view<const i32, 1>("w"), r.view<i32, 3>("out"));
  });
  auto branched = make(Branched{});
  check_semantic("arrangement_branched_chain", [&](Run& r) {
    branched(r.view<const i32, 2>("rows"), r.view<const i32, 2>("tiles"), r.view<i32, 2>("out"));
  });
}

TEST_CASE("semantic cases: floats", "[case]") {
  auto max = make(MaxTile8{});
  check_semantic("other_neg_inf_for_max", [&](Run& r) { max(r.view<const float, 1>("x"), r.view<float, 1>("out")); });
  auto zero = make(TimesZero{});
  check_semantic("other_nan_not_leaking", [&](Run& r) { zero(r.view<const float, 1>("x"), r.view<float, 1>("out")); });
  auto matmul = make(LoopMatmul{});
  check_semantic("mm_loop_over_level", [&](Run& r) {
    matmul(r.view<const float, 2>("a"), r.view<const float, 2>("b"), r.view<float, 2>("out"));
  });
  auto scalars = make(ScalarParameters{});
  check_semantic("scalar_parameter",
                 [&](Run& r) { scalars(r.view<const float, 1>("x"), 0.5f, -2.0f, r.view<float, 1>("out")); });
  auto division = make(CastDivision{});
  check_semantic("division_of_cast_ints",
                 [&](Run& r) { division(r.view<const i32, 1>("x"), r.view<float, 1>("out")); });
}
