// What a call refuses, from the call down: the type of the error, its sentence, the place it names; and that nothing
// was written.
#include <string>

#include "check.hpp"
#include "examples/kernels/matmul.hpp"

using namespace tine;
using Catch::Matchers::Contains;

namespace {

struct Refusal {
  std::string message, file;
  int line = 0;
};
/// What f was refused with; fails if it was not.
template <class F>
Refusal refused(F&& f) {
  try {
    f();
  } catch (const UserError& e) {
    return {e.message(), e.file(), e.line()};
  }
  FAIL("was not refused");
  return {};
}
bool here(const Refusal& r, int line) { return r.line == line && r.file.find("test_refusals.cpp") != r.file.npos; }

// The lines of these are counted.
// clang-format off
struct AddOne {
  nt::BlockSize block{4};
  static constexpr auto names = nt::names("x", "out");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> out) const {
    return std::tuple{x.tile({block}), out.tile({block})};
  }
  void application(auto x, auto& out) const { out = x + 1; }
};
struct Expanded {
  static constexpr auto names = nt::names("x", "out");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> out) const {
    return std::tuple{x.expand({out.size(0)}).tile({4}), out.tile({4})};
  }
  void application(auto x, auto& out) const { out = x + 1; }
};
struct Shrinking {
  static constexpr auto names = nt::names("x");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 1> x) const {
    return std::tuple{x.tile({x.size(0) - 5})};
  }
  void application(auto& x) const { x = 1; }
};
struct Halves {
  static constexpr auto names = nt::names("x", "y");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const {
    nt::require(x.size(0) == nt::floordiv(x.size(0), 2) * 2);
    auto whole = [](auto t) { return t.tile({nt::whole}); };
    auto middle = nt::floordiv(x.size(0), 2);
    return std::tuple{whole(x(nt::slice(middle))), whole(x(nt::slice(middle, nt::none))), whole(y)};
  }
  void application(auto first, auto second, auto& y) const { y = first * second; }
};
struct ZeroTile {
  static constexpr auto names = nt::names("x");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 1> x) const {
    return std::tuple{x.tile({0})};
  }
  void application(auto& x) const { x = 1; }
};
struct Squeezed {
  static constexpr auto names = nt::names("x");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 2> x) const {
    return std::tuple{x.squeeze(1).tile({4})};
  }
  void application(auto& x) const { x = 1; }
};
struct Row {
  static constexpr auto names = nt::names("x");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 2> x) const {
    return std::tuple{x(3).tile({4})};
  }
  void application(auto& x) const { x = 1; }
};
struct WholeRows {
  static constexpr auto names = nt::names("x", "y");
  static constexpr int line = __LINE__ + 4;
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const {
    return std::tuple{x.tile({nt::whole}), y.tile({nt::whole})};
  }
  void application(auto& x, auto& y) const { y = x * y; }
};

// clang-format on

}  // namespace

TEST_CASE("refused: unequal outermost shapes", "[refusal]") {
  std::vector<float> x(10), out(20, -1);
  const Refusal r = refused([&] { make(AddOne{})(x, out); });
  CHECK_THAT(r.message, Contains("AddOne`") && Contains("outermost shapes") && Contains("`x` has 3") &&
                            Contains("`out` has 5") && Contains("`x` 10") && Contains("`out` 20"));
  CHECK(here(r, AddOne::line));
  CHECK(out == std::vector<float>(20, -1));
}

TEST_CASE("refused: tiles that are impossible at the call, or when the kernel is made", "[refusal]") {
  auto kernel = make(Shrinking{});
  std::vector<float> x(5, -1);
  const Refusal r = refused([&] { kernel(x); });
  CHECK_THAT(r.message, Contains("Shrinking`") && Contains("`tile` of dim 0 of parameter `x`") &&
                            Contains("positive") && Contains("it is 0") && Contains("`x` 5"));
  CHECK(here(r, Shrinking::line));
  CHECK(x == std::vector<float>(5, -1));
  const Refusal made = refused([] { make(ZeroTile{}); });
  CHECK_THAT(made.message, Contains("`tile` of `x`") && Contains("0, not positive"));
  CHECK(here(made, ZeroTile::line));
}

TEST_CASE("refused: expanded dims that are not 1", "[refusal]") {
  auto kernel = make(Expanded{});
  std::vector<float> x(2, 3), out(5, -1);
  const Refusal r = refused([&] { kernel(x, out); });
  CHECK_THAT(r.message, Contains("Expanded`") && Contains("`expand` of dim 0 of parameter `x`") &&
                            Contains("1 or equal to") && Contains("they are 2 and 5"));
  CHECK(here(r, Expanded::line));
  CHECK(out == std::vector<float>(5, -1));
  kernel(view(x.data(), {1}), out);
  CHECK(out == std::vector<float>(5, 4));
}

TEST_CASE("refused: squeezed dims that are not 1, indices beyond the end", "[refusal]") {
  std::vector<float> x(6, -1);
  const Refusal r = refused([&] { make(Squeezed{})(view(x, {3, 2})); });
  CHECK_THAT(r.message, Contains("`squeeze` of dim 1 of parameter `x`") && Contains("to be 1, but it is 2") &&
                            Contains("`x` 3x2"));
  CHECK(here(r, Squeezed::line));
  const Refusal s = refused([&] { make(Row{})(view(x, {3, 2})); });
  CHECK_THAT(s.message, Contains("`slice` of dim 0 of parameter `x`") && Contains("it is 3 and the end is 3") &&
                            Contains("`x` 3x2"));
  CHECK(here(s, Row::line));
  CHECK(x == std::vector<float>(6, -1));
}

TEST_CASE("refused: tiles of whole dims that differ", "[refusal]") {
  std::vector<float> x(3), y(4, -1);
  const Refusal r = refused([&] { make(WholeRows{})(x, y); });
  CHECK_THAT(r.message, Contains("WholeRows`") && Contains("equal") && Contains("3 and 4") && Contains("`x` 3"));
  CHECK(here(r, WholeRows::line));
  CHECK(y == std::vector<float>(4, -1));
}

TEST_CASE("refused: what the kernel requires comes before what its operations need", "[refusal]") {
  std::vector<float> x(7), y(3, -1);
  const Refusal r = refused([&] { make(Halves{})(x, y); });
  CHECK_THAT(r.message, Contains("requirement `x.size(0)` == ") && Contains("does not hold") && Contains("`x` 7"));
  CHECK(here(r, Halves::line));
  CHECK(y == std::vector<float>(3, -1));
}

TEST_CASE("refused: null data, unless there is nothing to read", "[refusal]") {
  auto kernel = make(AddOne{});
  std::vector<float> out(4, -1);
  const Refusal r = refused([&] { kernel(View<const float, 1>(nullptr, {4}), out); });
  CHECK_THAT(r.message, Contains("AddOne`") && Contains("parameter `x`") && Contains("shape 4") && Contains("null"));
  CHECK(here(r, AddOne::line));
  CHECK(out == std::vector<float>(4, -1));
  kernel(View<const float, 1>(nullptr, {0}), View<float, 1>(nullptr, {0}));
}

TEST_CASE("refused: a negative size, a view of const elements to store to", "[refusal]") {
  auto kernel = make(AddOne{});
  std::vector<float> x(4), out(4, -1);
  const Refusal r = refused([&] { kernel(view(x.data(), {-4}), out); });
  CHECK_THAT(r.message, Contains("parameter `x`") && Contains("-4") && Contains("negative"));
  const Refusal s = refused([&] { kernel(x, View<const float, 1>(out.data(), {4})); });
  CHECK_THAT(s.message, Contains("stores to parameter `out`") && Contains("const"));
  CHECK(here(s, AddOne::line));
  CHECK(out == std::vector<float>(4, -1));
}

TEST_CASE("refused: matrices that do not fit, with the three shapes", "[refusal]") {
  std::vector<float> a(21), b(24), c(12, -1);
  auto kernel = make(Matmul<float>{});
  const Refusal r = refused([&] { kernel(view(a, {3, 7}), view(b, {6, 4}), view(c, {3, 4})); });
  CHECK_THAT(r.message, Contains("`Matmul<float>`") && Contains("`a.size(1)` == `b.size(0)`") && Contains("7") &&
                            Contains("6") && Contains("`a` 3x7") && Contains("`b` 6x4") && Contains("`c` 3x4"));
  CHECK(r.file.find("matmul.hpp") != r.file.npos);
  CHECK(r.line > 0);
  const Refusal s = refused([&] { kernel(view(a, {3, 7}), view(b.data(), {3, 4}), view(c, {3, 4})); });
  CHECK_THAT(s.message, Contains("`a` 3x7") && Contains("`b` 3x4"));
  const Refusal t = refused([&] { kernel(view(a.data(), {2, 6}), view(b, {6, 4}), view(c, {3, 4})); });
  CHECK_THAT(t.message, Contains("`a` 2x6") && Contains("`c` 3x4"));
  CHECK(c == std::vector<float>(12, -1));
}

TEST_CASE("a grid of no programs runs nothing and is no error", "[refusal]") {
  auto kernel = make(Matmul<float>{});
  std::vector<float> a(8), b(8), c(4, -1);
  kernel(view(a.data(), {0, 3}), view(b.data(), {3, 2}), view(c.data(), {0, 2}));
  CHECK(kernel.programs(view(a.data(), {0, 3}), view(b.data(), {3, 2}), view(c.data(), {0, 2})) == 0);
  CHECK(c == std::vector<float>(4, -1));
  // No terms: the sum is 0, and it is stored.
  kernel(view(a.data(), {2, 0}), view(b.data(), {0, 2}), view(c, {2, 2}));
  CHECK(c == std::vector<float>(4, 0));
}

// Its parts lie in others, so that it is worked on as a whole.
struct Turned {
  nt::BlockSize block{4};
  static constexpr auto names = nt::names("x");
  static constexpr int line = __LINE__ + 2;
  auto arrangement(nt::Tensor<float, 2> x) const { return std::tuple{x.tile({block, block})}; }
  void application(auto& x) const { x = nt::trans(nt::load(x)); }
};
TEST_CASE("refused: more elements in a GPU's thread than code is made for", "[refusal]") {
  std::vector<float> x(4, -1);
  auto kernel = make(Turned{});
  kernel.device("emulated:sm_80").set("block", 256).option("warps", "1");
  const Refusal r = refused([&] { kernel(view(x, {2, 2})); });
  CHECK_THAT(r.message, Contains("Turned`") && Contains("2048 elements in each of 32 threads") && Contains("(256, 256)") &&
                            Contains("the most is 512"));
  CHECK(here(r, Turned::line));
  CHECK(x == std::vector<float>(4, -1));
}

TEST_CASE("BR-57: a nonsense tile is refused with its name and value", "[refusal][fault]") {
  auto kernel = make(AddOne{});
  const Refusal r = refused([&] { kernel.set("block", -7); });
  CHECK_THAT(r.message, Contains("AddOne`") && Contains("`block`") && Contains("-7"));
  const Refusal s = refused([&] { kernel.set("blok", 8); });
  CHECK_THAT(s.message, Contains("`blok`") && Contains("`block`"));
}

TEST_CASE("blocks beyond a GPU are refused with the numbers, and with the nearest config that fits") {
  std::vector<float> a(16, 1.f), c(16, 7.f);
  const auto call = [&](auto& kernel) { kernel(view(a.data(), {4, 4}), view(a.data(), {4, 4}), view(c.data(), {4, 4})); };
  const auto run = [&](auto& kernel) { return refused([&] { call(kernel); }); };
  auto kernel = make(Matmul<float>{});
  // (128, 512) and (512, 128) of f32 take 512 KiB of sm_80's 163. Halves and quarters of the config take 192 KiB and more; of the
  // eighths the one that changes a single size comes first.
  kernel.device("emulated:sm_80").set("bm", 128).set("bn", 128).set("bk", 512);
  const Refusal shared = run(kernel);
  CHECK_THAT(shared.message, Contains("`Matmul<float>`: a program needs 524288 bytes of shared memory, and sm_80 has 166912") &&
                                 Contains("(128, 512) elements") && Contains("; the nearest config that fits is bm=128 bn=128 bk=64"));
  CHECK(shared.file.find("matmul.hpp") != shared.file.npos);
  // What was set is kept where it can be, candidate or not: 32 x 1024 and 1024 x 32 take 256 KiB, 256 of each 64 KiB.
  kernel.set("bm", 32).set("bn", 32).set("bk", 4096);
  CHECK_THAT(run(kernel).message, Contains("; the nearest config that fits is bm=32 bn=32 bk=256"));
  CHECK(c == std::vector<float>(16, 7.f));
  kernel.set("bk", 256);
  call(kernel);
  CHECK(c == std::vector<float>(16, 4.f));  // four products of ones
  // One memory for each operand fits, 128 KiB, but not two: nothing is copied ahead then, unless that was asked for.
  c.assign(16, 7.f);
  kernel.set("bm", 64).set("bn", 64);
  call(kernel);
  CHECK(c == std::vector<float>(16, 4.f));
  c.assign(16, 7.f);
  kernel.option("stages", "2");
  CHECK_THAT(run(kernel).message, Contains("a program needs 262144 bytes of shared memory, and sm_80 has 166912"));
  kernel.option("stages", "");
  c.assign(16, 7.f);
  kernel.set("bm", 128).set("bn", 128).set("bk", 64).option("warps", "1");
  const Refusal registers = run(kernel);
  CHECK_THAT(registers.message, Contains("a program needs 512 registers in each of 32 threads for a tile of (128, 128) elements, and sm_80 has 255 "
                                         "(with the option `warps=4` it needs 128)") &&
                                    Contains("; the nearest config that fits is bm=32 bn=128 bk=64"));  // 128; (64, 128) needs 256
  auto turn = make(Turned{});
  turn.device("emulated:sm_80").set("block", 1 << 12);
  CHECK_THAT(refused([&] { turn(view(c, {4, 4})); }).message,
             Contains("a program needs code for 16384 elements in each of 1024 threads for a tile of (4096, 4096) elements, and the most is 512") &&
                 Contains("; the nearest config that fits is block=4"));
  Turned all_too_large;
  all_too_large.block = nt::BlockSize{1 << 12};
  auto none = make(all_too_large);
  none.device("emulated:sm_80");
  CHECK_THAT(refused([&] { none(view(c, {4, 4})); }).message, Contains("the most is 512; choose smaller block sizes"));
  CHECK(c == std::vector<float>(16, 7.f));
}
