// Definitions: names of kernels, parameters and block sizes; configs; composed kernels; exports; arrangements of kernels.
#define TINE_EXPORTS
#include "arrange_cases.hpp"
#include "harness.hpp"

namespace core = tine::core;
namespace graph = tine::graph;
using namespace tine::test;

namespace definitions_test {

template <class T>
struct Matmul {
  nt::BlockSize bm{64, 128}, bn{64, 128}, bk{32, 64};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 2> a, nt::Tensor<T, 2> b, nt::Tensor<T, 2> c) const {
    auto ct = c.tile({bm, bn});
    auto at = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{at, bt, ct};
  }
  void application(auto a, auto b, auto c) const {
    auto acc = nt::zeros<float>(c.shape());
    for (auto k : nt::range(a.size(0))) acc += nt::dot(a[k], b[k]);
    c = acc;
  }
};
template <class T>
struct Conv2d : Matmul<T> {
  int pad_h = 0, pad_w = 0;
  auto arrangement(nt::Tensor<T, 4> x, nt::Tensor<T, 4> w, nt::Tensor<T, 4> y) const {
    auto windows = x.pad({{0, 0}, {0, 0}, {pad_h, pad_h}, {pad_w, pad_w}})
                       .tile({1, w.size(1), w.size(2), w.size(3)}, {.strides = {nt::whole, nt::whole, 1, 1}, .mode = nt::Mode::floor})
                       .squeeze(1).squeeze(0, nt::level<1>).ravel().flatten(nt::dims<0, 3>).flatten(nt::dims<1>);
    auto filter = w.flatten(nt::dims<1>).permute({1, 0});
    auto out = y.permute({0, 2, 3, 1}).flatten(nt::dims<0, 3>);
    return Matmul<T>::arrangement(windows, filter, out);
  }
};
struct Copy {
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({n}), y.tile({n})}; }
  void application(auto x, auto y) const { y = x; }
  nt::BlockSize n{32};
};
struct WithArray : Copy {  // C++ lets no one name the members of this one
  explicit WithArray(int first) : window{first, 2} {}
  int window[2];
  nt::BlockSize m{4}, k{5};
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({k}).tile({m}).ravel(nt::level<1>), y.tile({k}).tile({m}).ravel(nt::level<1>)}; }
};
struct Array {
  int window[2] = {1, 2};
  nt::BlockSize m{4};
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({m})}; }
  void application(auto x) const { x = x * 2; }
};
struct Mixed {
  bool causal = true;
  float scale = 2;
  nt::BlockSize first{8};
  struct Inner { int a, b; } inner{1, 2};
  nt::BlockSize second{2};
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({second * 2})}; }
  void application(auto x) const { for (auto k : nt::range(first)) x = x * k * scale; }
};
struct Empty {
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({4})}; }
  void application(auto) const {}
};
TINE_EXPORT(Matmul, float, tine::f16);
TINE_EXPORT(Copy);
TINE_EXPORT(Conv2d, nt::bf16);

std::vector<std::string> meta_names(const std::shared_ptr<core::Definition>& d) {
  std::vector<std::string> v;
  for (auto& m : core::metas(*d)) v.push_back(m.name);
  return v;
}
using Names = std::vector<std::string>;

}  // namespace definitions_test
using namespace definitions_test;

TEST_CASE("names of kernels and parameters") {
  auto d = definition(Matmul<nt::f16>{});
  CHECK(d->name == "definitions_test::Matmul<tine::f16>");
  CHECK(d->parameters == Names{"a", "b", "c"});
  CHECK(definition(Copy{})->parameters == Names{"p0", "p1"});
  static_assert(nt::kernel_traits<Matmul<nt::f16>>::count == 3);
  static_assert(nt::kernel_traits<Matmul<nt::f16>>::dtype(1) == nt::DType::f16);
  static_assert(nt::kernel_traits<Conv2d<float>>::rank(2) == 4);
}

TEST_CASE("names of block sizes") {
  CHECK(meta_names(definition(Matmul<nt::f16>{})) == Names{"bm", "bn", "bk"});
  CHECK(meta_names(definition(Conv2d<nt::f16>{})) == Names{"bm", "bn", "bk"});  // members of the base class
  CHECK(meta_names(definition(Mixed{})) == Names{"first", "second"});
  CHECK(meta_names(definition(Copy{})) == Names{"n"});
  CHECK(meta_names(definition(WithArray{1})) == Names{"b0", "b1"});
  CHECK(meta_names(definition(Array{})) == Names{"b0"});
  CHECK(meta_names(definition(Empty{})).empty());
}

TEST_CASE("configs") {
  auto d = definition(Matmul<float>{});
  auto g = core::trace(*d, {{{"bm", 16}, {"bk", 8}}, ""});
  CHECK(g.metas[0].value == 16);
  CHECK(g.metas[1].value == 64);
  CHECK(g.metas[2].value == 8);
  CHECK(g.metas[0].candidates == std::vector<int64_t>{64, 128});
  CHECK(graph::hash(g) != graph::hash(core::trace(*d)));
  auto fails = [&](const char* name, int64_t value, std::initializer_list<const char*> parts) {
    try {
      core::trace(*d, {{{name, value}}, ""});
      FAIL("accepted");
    } catch (const tine::UserError& e) {
      std::string m = e.what();
      INFO(m);
      for (const char* p : parts) CHECK(m.find(p) != std::string::npos);
    }
  };
  fails("bq", 4, {"`bq`", "4", "`bm`, `bn`, `bk`"});
  fails("bm", -7, {"`bm` is -7", __FILE__});
  fails("bn", 0, {"`bn` is 0"});
  auto w = definition(WithArray{1});
  CHECK(core::trace(*w, {{{"b1", 6}}, ""}).metas[1].value == 6);
}

TEST_CASE("identity: equal kernels have equal hashes") {
  CHECK(graph::hash(traced(Matmul<float>{})) == graph::hash(traced(Matmul<float>{})));
  CHECK(graph::hash(traced(Matmul<float>{})) != graph::hash(traced(Matmul<nt::f16>{})));
  CHECK(graph::hash(traced(Matmul<float>{.bm{64}})) != graph::hash(traced(Matmul<float>{.bm{32}})));
  CHECK(graph::hash(traced(Conv2d<float>{{}, 1, 1})) != graph::hash(traced(Conv2d<float>{})));
}

TEST_CASE("kernels composed of an arrangement and an application") {
  nt::BlockSize n{8};
  auto k = nt::compose([n](auto x, auto y) { return std::tuple{x.tile({n}), y.tile({n})}; }, [](auto x, auto y) { y = x * 2; },
                       nt::Tensor<float, 1>{}, nt::Tensor<float, 1>{});
  auto d = definition(k);
  CHECK(d->name == "arrangement and application");
  CHECK(meta_names(d) == Names{"b0"});
  std::vector<Buffer> b{buffer<float>({3}, {1, 2, 3}), buffer<float>({3}, {0, 0, 0})};
  run(core::trace(*d, {{{"b0", 2}}, ""}), b);
  CHECK(b[1].as<float>() == std::vector<float>{2, 4, 6});
  auto by_reference = nt::compose([](auto x, auto s) { return std::tuple{x.tile({4}), s}; }, [](auto& x, auto& s) { x += s; }, nt::Tensor<float, 1>{}, nt::Scalar<float>{});
  std::vector<Buffer> c{buffer<float>({3}, {1, 2, 3}), scalar<float>(10)};
  run(traced(by_reference), c);
  CHECK(c[0].as<float>() == std::vector<float>{11, 12, 13});
}

TEST_CASE("an empty application is legal") {
  auto g = traced(Empty{});
  CHECK(g.regions[0].nodes.empty());
  CHECK_FALSE(g.sources[0].stored);
}

TEST_CASE("exports are listed in the order of the source") {
  Names names;
  for (const tine_export* e = tine_exports(); e; e = e->next) {
    names.push_back(e->name);
    core::Definition* d = e->make();
    CHECK(core::trace(*d).sources.size() >= 2);
    core::release(d);
  }
  CHECK(names == Names{"Matmul<float>", "Matmul<tine::f16>", "Copy", "Conv2d<nt::bf16>"});
}

TEST_CASE("arrangements of kernels at given sizes") {
  auto g = core::trace_arrangement(*definition(Matmul<float>{}), {{{"bm", 2}, {"bn", 3}, {"bk", 4}}, ""});
  core::Evaluated a = core::evaluate(g, 0, {{5, 7}, {7, 4}, {5, 4}});
  CHECK(a.level_shapes == std::vector<std::vector<int64_t>>{{3, 2}, {2}, {2, 4}});
  CHECK(a.programs == 6);
  CHECK(a.indices.size() == 6 * 2 * 8);
  CHECK(std::vector<int64_t>(a.indices.begin(), a.indices.begin() + 16) == std::vector<int64_t>{0, 1, 2, 3, 7, 8, 9, 10, 4, 5, 6, -1, 11, 12, 13, -1});
  CHECK_THROWS_AS(core::evaluate(g, 0, {{5, 7}, {7, 4}, {9, 4}}), tine::UserError);
}
