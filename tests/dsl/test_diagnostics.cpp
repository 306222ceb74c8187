// Every diagnostic of the registry is provoked here, with a located message of one sentence; one without a provocation fails.
#include <functional>
#include <map>
#include <set>

#include "arrange_cases.hpp"
#include "dsl/core/diagnostics.hpp"
#include "harness.hpp"

namespace core = tine::core;
using namespace tine::test;
using core::Diagnostic;

namespace {

// A kernel whose arrangement and application come from lambdas.
template <class A, class F>
struct Lambdas {
  nt::BlockSize n{4};
  A arrange;
  F apply;
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const { return arrange(x, y); }
  void application(auto x, auto y) const { apply(x, y); }
};
constexpr auto copy_application = [](auto& x, auto& y) { (void)x; if constexpr (requires { y = 0; }) y = 0; };
constexpr auto tiles = [](auto x, auto y) { return std::tuple{x.tile({4, 4}), y.tile({4, 4})}; };
constexpr auto levels = [](auto x, auto y) {
  return std::tuple{x.tile({1, 4}).tile({nt::whole, 1}).squeeze(1, nt::level<1>).squeeze(0, nt::level<2>).squeeze(1), y.tile({1, 4}).squeeze(1).squeeze(0, nt::level<1>)};
};

template <class A>
auto arranging(A a) { return [a] { traced(Lambdas<A, decltype(copy_application)>{{4}, a, copy_application}); }; }
template <class F>
auto applying(F f) { return [f] { traced(Lambdas<decltype(tiles), F>{{4}, tiles, f}); }; }
template <class F>
auto applying_to_levels(F f) { return [f] { traced(Lambdas<decltype(levels), F>{{4}, levels, f}); }; }

core::ArrangeOp op(core::Step::Kind k) {
  core::ArrangeOp o;
  o.kind = k;
  return o;
}
auto chain(std::vector<int64_t> shape, std::vector<core::ArrangeOp> ops) { return [=] { core::evaluate(shape, ops); }; }

struct NoBlocks {
  nt::BlockSize n{};
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({n})}; }
  void application(auto x) const { x = x * 2; }
};
struct NegativeBlock : NoBlocks {};
struct BadNames : NoBlocks {
  static constexpr auto names = nt::names("a b");
};
struct Local {
  auto arrangement(nt::Tensor<float, 1> x) const {
    nt::BlockSize n{4};
    return std::tuple{x.tile({n})};
  }
  void application(auto x) const { x = x * 2; }
};
nt::Size kept_size = 0;
struct KeepsSize {
  auto arrangement(nt::Tensor<float, 1> x) const {
    kept_size = x.size(0);
    return std::tuple{x.tile({4})};
  }
  void application(auto x) const { x = x * 2; }
};
struct Unarranged {
  auto arrangement(nt::Tensor<float, 1> x) const {
    (void)x;
    return std::tuple{nt::Tensor<float, 1>{}.tile({4})};
  }
  void application(auto x) const { x = x * 2; }
};
int runs = 0;
struct Impure {
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({++runs})}; }
  void application(auto x) const { x = x * 2; }
};

const std::map<Diagnostic, std::function<void()>>& provocations() {
  using D = Diagnostic;
  using S = core::Step;
  static const std::map<Diagnostic, std::function<void()>> all = [] {
    std::map<Diagnostic, std::function<void()>> m;
    // ---- arrangement, from kernels where C++ lets the mistake through, else from chains
    m[D::level_missing] = [] { auto o = op(S::ravel); o.level = 2; chain({3}, {o})(); };
    m[D::too_many_levels] = [] { std::vector<core::ArrangeOp> ops; auto o = op(S::tile); o.sizes = {1}; for (int i = 0; i < 8; ++i) ops.push_back(o); chain({3}, ops)(); };
    m[D::dim_missing] = arranging([](auto x, auto y) { return std::tuple{x.squeeze(2).tile({4}), y.tile({4, 4}).squeeze(0)}; });
    m[D::dim_twice] = arranging([](auto x, auto y) { return std::tuple{x.permute({0, -2}), y}; });
    m[D::sizes_count] = [] { auto o = op(S::tile); o.sizes = {2, 2}; chain({3}, {o})(); };
    m[D::options_count] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, 4}, {.strides = {1}}), y}; });
    m[D::not_positive] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, 0}), y}; });
    m[D::negative_size] = arranging([](auto x, auto y) { return std::tuple{x.tile({1, 1}).expand({-3, 1}, nt::level<1>), y}; });
    m[D::expand_not_one] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, 4}).expand({8, nt::keep}, nt::level<1>), y}; });
    m[D::squeeze_not_one] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, 4}).squeeze(0, nt::level<1>), y}; });
    m[D::permute_count] = [] { auto o = op(S::permute); o.dims = {0}; chain({3, 3}, {o})(); };
    m[D::flatten_empty] = [] { auto o = op(S::flatten); o.start = 1; o.end = 1; chain({3, 3}, {o})(); };
    m[D::pad_count] = [] { auto o = op(S::pad); o.pad = {{1, 1}}; chain({3, 3}, {o})(); };
    m[D::pad_negative] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, 4}).pad({{-3, -3}, {0, 0}}, nt::level<1>), y}; });
    m[D::slice_too_many] = [] { auto o = op(S::slice); o.items.resize(2); chain({3}, {o})(); };
    m[D::slice_two_ellipses] = arranging([](auto x, auto y) { return std::tuple{x(nt::ellipsis, nt::ellipsis), y}; });
    m[D::slice_step_zero] = arranging([](auto x, auto y) { return std::tuple{x(nt::slice(0, 4, 0)), y}; });
    m[D::slice_index] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, 4})(5, nt::level<1>), y}; });
    m[D::slice_sign] = arranging([](auto x, auto y) { return std::tuple{x(nt::slice(x.size(0) - 3)), y}; });
    m[D::not_a_number] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, nt::Size(nt::whole) + 1}), y}; });
    m[D::size_too_large] = arranging([](auto x, auto y) {
      nt::Size s = x.size(0);
      for (int i = 0; i < 100; ++i) s = nt::min(s * 2 + 1, nt::floordiv(s * 3, 2) + s);  // of exponential size without its shared parts
      return std::tuple{x.tile({4, s}), y};
    });
    m[D::size_foreign] = [] { traced(KeepsSize{}); arranging([](auto x, auto y) { return std::tuple{x.tile({4, kept_size}), y}; })(); };
    m[D::size_not_known] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, x.size(0).value()}), y}; });
    m[D::view_foreign] = [] { traced(Unarranged{}); };
    m[D::grid_shapes] = arranging([](auto x, auto y) { return std::tuple{x.tile({4, 4}), x.tile({4, 4}).pad({{1, 0}, {0, 0}})}; (void)y; });
    m[D::require_fails] = arranging([](auto x, auto y) { nt::require(x.size(0) + 1 <= x.size(0)); return std::tuple{x, y}; });
    m[D::names_wrong] = [] { traced(BadNames{}); };
    // ---- meta-parameters
    m[D::block_local] = [] { traced(Local{}); };
    m[D::block_candidates] = [] { traced(NoBlocks{}); };
    m[D::block_not_positive] = [] { traced(NoBlocks{.n{4, 0}}); };
    m[D::config_unknown] = [] { traced(NoBlocks{.n{4}}, {{{"m", 8}}, ""}); };
    // ---- application
    m[D::outside_trace] = [] { nt::BlockSize n{4}; nt::Size s = n; (void)s; };
    m[D::tile_foreign] = [] {
      std::unique_ptr<nt::Value<float, 2>> kept;
      applying([&](auto& x, auto& y) { y = x; kept = std::make_unique<nt::Value<float, 2>>(x * 2); })();
      applying([&](auto& x, auto& y) { y = x + *kept; })();
    };
    m[D::literal_range] = applying([](auto& x, auto& y) { y = nt::cast<nt::i8>(x) * 1000; });
    m[D::shapes_differ] = applying([](auto& x, auto& y) { y = x + nt::zeros<float>({3, 4}); });
    m[D::store_shape] = applying([](auto&, auto& y) { y = nt::zeros<float>({3}); });
    m[D::assign_shape] = applying([](auto& x, auto& y) { auto t = nt::load(x); t = nt::zeros<float>({1, 4}); y = t; });
    m[D::store_to_copy] = applying([](auto& x, auto& y) { auto t = y; t = x; });
    m[D::stale_copy] = applying_to_levels([](auto& x, auto& y) { auto t = x; x[0] = y; y = t[0]; });
    m[D::axis_missing] = applying([](auto& x, auto& y) { y = nt::sum(x, nt::axis(2)); });
    m[D::function_name] = applying([](auto& x, auto& y) { y = nt::cuda_function<float(float)>("f(x)", "")(x); });
    m[D::axis_twice] = applying([](auto& x, auto& y) { y = nt::sum(x, nt::axis(0, -2)); });
    m[D::scope] = applying([](auto& x, auto& y) {
      std::vector<nt::Value<float, 2>> kept;
      for (auto k : nt::range(4)) kept.push_back(x * k);
      y = kept[0];
    });
    m[D::assign_in_condition] = applying([](auto& x, auto& y) {
      auto n = nt::cast<int>(0);
      nt::while_([&] { n += 1; return n < 5; }, [&] { y = x; });
    });
    m[D::left_early] = applying([](auto& x, auto& y) { y = x; for (auto k : nt::range(4)) { y = x * k; break; } });
    m[D::nothing_stored] = applying([](auto& x, auto&) { auto t = x * 2; t += 1; });
    m[D::source_dim] = applying([](auto& x, auto& y) { y = x * nt::size(x, 2); });
    m[D::program_dim] = applying([](auto& x, auto& y) { y = x * nt::program_index(2); });
    m[D::reshape_count] = applying([](auto& x, auto& y) { y = nt::reshape(x, {3, 5}); });
    m[D::reshape_unknown] = applying([](auto& x, auto& y) { y = nt::reshape(x, {-1, -1}); });
    m[D::broadcast_shape] = applying([](auto& x, auto& y) { y = x + nt::sum(nt::broadcast(x, {2, 4, 5}), nt::axis(0)); });
    m[D::dot_shapes] = applying([](auto& x, auto& y) { y = nt::dot(x, nt::zeros<float>({3, 4})); });
    m[D::step_zero] = applying([](auto& x, auto& y) { for (auto k : nt::range(0, 4, 0)) y = x * k; });
#ifndef NDEBUG
    m[D::not_pure] = [] { traced(Impure{}); };
#endif
    return m;
  }();
  return all;
}

const std::set<Diagnostic> without_source{  // about a chain of a tool, or about the kernel as a whole
    Diagnostic::level_missing, Diagnostic::too_many_levels, Diagnostic::sizes_count, Diagnostic::permute_count, Diagnostic::flatten_empty,
    Diagnostic::pad_count, Diagnostic::slice_too_many, Diagnostic::names_wrong, Diagnostic::config_unknown, Diagnostic::not_pure};

}  // namespace

TEST_CASE("every diagnostic is provoked") {
  for (int i = 0; i < core::diagnostic_count(); ++i) {
    auto d = Diagnostic(i);
    INFO(core::id(d));
#ifdef NDEBUG
    if (d == Diagnostic::not_pure) continue;  // compares in debug builds only
#endif
    auto p = provocations().find(d);
    REQUIRE(p != provocations().end());
    bool thrown = false;
    try {
      p->second();
    } catch (const tine::UserError& e) {
      thrown = true;
      std::string m = e.message();
      INFO(e.what());
      CHECK(std::string(e.id()) == core::id(d));
      CHECK(m.find('\n') == std::string::npos);
      CHECK(m.back() != '.');
      CHECK(m.find("{}") == std::string::npos);
      CHECK(m.find('?') == std::string::npos);
      CHECK((e.line() > 0) != (without_source.count(d) > 0));
      if (e.line() > 0) CHECK(std::string(e.file()) == __FILE__);
    }
    CHECK(thrown);
  }
}

TEST_CASE("messages name the kernel, the parameter, the operation and the shapes") {
  auto message = [](auto provoke) {
    try {
      provoke();
    } catch (const tine::UserError& e) {
      return std::string(e.message());
    }
    return std::string();
  };
  auto contains = [&](Diagnostic d, std::initializer_list<const char*> parts) {
    std::string m = message(provocations().at(d));
    INFO(m);
    for (const char* p : parts) CHECK(m.find(p) != std::string::npos);
  };
  contains(Diagnostic::squeeze_not_one, {"Lambdas", "`squeeze` of `x`", "dim 0 has size 4, not 1", "(floordiv((x.size(0) + 3), 4), floordiv((x.size(1) + 3), 4)) of (4, 4)"});
  contains(Diagnostic::grid_shapes, {"`x` is (", ") of (4, 4)"});
  contains(Diagnostic::store_to_copy, {"`=` of `y`"});
  contains(Diagnostic::shapes_differ, {"`+`", "(4, 4)", "(3, 4)"});
  contains(Diagnostic::config_unknown, {"`m`", "8", "`n`"});
  contains(Diagnostic::literal_range, {"1000 does not fit into i8"});
}

TEST_CASE("numbers that do not fit are refused, rounded ones are not") {
  auto refused = [](auto f) {
    try {
      applying(f)();
    } catch (const tine::UserError& e) {
      return std::string(e.id()) == "literal_range";
    }
    return false;
  };
  CHECK(refused([](auto& x, auto& y) { y = nt::cast<nt::u8>(x) + 256; }));
  CHECK(refused([](auto& x, auto& y) { y = nt::cast<nt::u32>(x) + -1; }));
  CHECK(refused([](auto& x, auto& y) { y = nt::cast<nt::f16>(x) * 70000; }));
  CHECK(refused([](auto& x, auto& y) { y = nt::cast<nt::f16>(x) * 1e6; }));
  CHECK(refused([](auto& x, auto& y) { y = x * 1e39; }));
  CHECK_FALSE(refused([](auto& x, auto& y) { y = nt::cast<nt::f16>(x) * 65519.0; }));
  CHECK_FALSE(refused([](auto& x, auto& y) { y = x * 1e-300 + nt::inf; }));
  CHECK_FALSE(refused([](auto& x, auto& y) { y = nt::cast<nt::u64>(x) + 0xffffffffffffffffull; }));
  CHECK_FALSE(refused([](auto& x, auto& y) { y = nt::cast<nt::i8>(x) + -128; }));
}

TEST_CASE("loops are not left early") {
  auto refused = [](auto f) {
    try {
      applying(f)();
    } catch (const tine::UserError& e) {
      return std::string(e.id()) == "left_early";
    }
    return false;
  };
  CHECK(refused([](auto& x, auto& y) { y = x; for (auto k : nt::range(4)) { y = x * k; return; } }));
  CHECK(refused([](auto& x, auto& y) { y = x; try { for (auto k : nt::range(4)) { y = x * k; throw 1; } } catch (int) {} }));
  CHECK(refused([](auto& x, auto& y) { y = x; try { nt::if_(nt::sum(x) > 0, [&] { throw 1; }); } catch (int) {} }));
  CHECK(refused([](auto& x, auto& y) { for (auto i : nt::range(4)) for (auto k : nt::range(4)) { y = x * k * i; if (true) break; } }));
  CHECK_FALSE(refused([](auto& x, auto& y) { for (auto k : nt::range(4)) { y = x * k; if (true) continue; y = x; } }));
  // an exception of the user's own comes out as it is
  CHECK_THROWS_AS(applying([](auto& x, auto& y) { for (auto k : nt::range(4)) { y = x * k; throw 7; } })(), int);
}

TEST_CASE("deferred checks name the place and both numbers") {
  auto g = traced(Lambdas<decltype(tiles), decltype(copy_application)>{{4}, tiles, copy_application});
  try {
    core::check_sizes(g, {{4, 4}, {9, 4}});
    FAIL("accepted");
  } catch (const tine::UserError& e) {
    std::string m = e.message();
    CHECK(m.find("grid") != std::string::npos);
    CHECK(m.find("for 1 and 3") != std::string::npos);
    CHECK(e.line() > 0);
  }
}
