// CUDA functions in graphs: recorded with their source, once each, and part of the hash.
#include "harness.hpp"

namespace core = tine::core;
using namespace tine::test;
using namespace tine::graph;

namespace {

template <class F>
struct Calls {
  F f;
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> b, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({4, 8}), b.tile({8}).unsqueeze(0).expand({x.tile({4, 8}).size(0), nt::keep}), y.tile({4, 8})};
  }
  void application(auto x, auto b, auto& y) const { y = f(x, b); }
};
template <class F>
Graph calling(F f) { return traced(Calls<F>{f}); }

constexpr const char* source = "__device__ float axpy(int a, float x, float b) { return a * x + b; }";
constexpr auto axpy = nt::cuda_function<float(int, float, float)>("axpy", source); constexpr int axpy_line = __LINE__;

const Node& call(const Graph& g) {
  for (auto& n : g.nodes)
    if (n.op == Op::foreign) return n;
  throw std::runtime_error("no call");
}

}  // namespace

TEST_CASE("a call is recorded with its function, arguments in its types, and the broadcast shape") {
  Graph g = calling([](auto x, auto b) { return axpy(3, x, b); });
  REQUIRE(g.foreign.size() == 1);
  CHECK(g.foreign[0].name == "axpy");
  CHECK(g.foreign[0].source == source);
  CHECK(g.foreign[0].parameters == std::vector<DType>{DType::i32, DType::f32, DType::f32});
  CHECK(g.foreign[0].result == DType::f32);
  CHECK(g.foreign[0].loc.line == axpy_line);
  const Node& n = call(g);
  REQUIRE(n.args.size() == 3);
  CHECK(g.nodes[size_t(n.args[0])].integer == 3);
  CHECK(n.shape.size() == 2);
  CHECK(text(g).find("= foreign 3:i32, %0, %1 by `axpy` : f32[4, 8]") != std::string::npos);
}

TEST_CASE("functions come back from bytes, and their sources are part of the hash") {
  auto twice = [](auto x, auto b) { return axpy(1, axpy(2, x, b), nt::cuda_function<float(float)>("n::g<4>", "...")(b)); };
  Graph g = calling(twice);
  CHECK(g.foreign.size() == 2);
  Graph h = deserialize(serialize(g));
  CHECK(serialize(h) == serialize(g));
  CHECK(hash(h) == hash(g));
  CHECK(text(h, true) == text(g, true));
  h.foreign[0].source += " ";
  CHECK(hash(h) != hash(g));
  // The order in which a compiler evaluates operands does not show.
  Graph other = calling([](auto x, auto b) {
    auto last = nt::cuda_function<float(float)>("n::g<4>", "...")(b);
    return axpy(1, axpy(2, x, b), last);
  });
  CHECK(hash(other) == hash(g));
  std::vector<std::byte> bytes = serialize(g);
  for (std::size_t n = 0; n < bytes.size(); ++n) CHECK_THROWS_AS(deserialize(std::span(bytes).first(n)), std::runtime_error);
}

TEST_CASE("any number of arguments; scalars too") {
  auto none = nt::cuda_function<float()>("none", "");
  auto eight = nt::cuda_function<float(float, float, float, float, float, float, float, nt::i64)>("eight", "");
  Graph g = calling([=](auto x, auto b) { return eight(x, b, none(), 1, 2, 3, 4, nt::size(x, 0)); });
  CHECK(g.foreign.size() == 2);
  CHECK(call(g).args.size() + 8 == 8);  // the first call met is none()
}

TEST_CASE("shapes that do not broadcast name the function") {
  CHECK_THROWS_WITH(calling([](auto x, auto) { return axpy(3, x, nt::zeros<float>({3})); }),
                    Catch::Contains("`axpy`") && Catch::Contains("shapes (4, 8) and (3) do not broadcast together"));
}

TEST_CASE("the reference evaluator says that it runs no CUDA") {
  Graph g = calling([](auto x, auto b) { return axpy(3, x, b); });
  std::vector<Buffer> buffers{buffer<float>({4, 8}, std::vector<float>(32, 1.0f)), buffer<float>({8}, std::vector<float>(8, 1.0f)),
                              buffer<float>({4, 8}, std::vector<float>(32, 0.0f))};
  CHECK_THROWS_WITH(run(g, buffers), Catch::Contains("`axpy` is a CUDA function, which runs on NVIDIA targets only"));
}
