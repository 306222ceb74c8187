// Calls through the stand-in compiler: results, what is compiled anew, config, threads, caches.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <numeric>
#include <thread>

#include "environment.hpp"
#include "errors.hpp"
#include "graphs.hpp"
#include "runtime/jit/code_cache.hpp"
#include "runtime/jit/kernel.hpp"

using namespace tine;
using test::TestTensor;

namespace {

int64_t compiles() { return jit::statistics().compiled; }

jit::Kernel add() {
  return jit::Kernel([](const jit::Config& config) { return test::add_graph(config.empty() ? 4 : config[0].second); });
}

struct Vectors {
  explicit Vectors(int64_t n) : a(static_cast<std::size_t>(n)), b(a.size()), c(a.size()) {
    std::iota(a.begin(), a.end(), 1.0f);
    std::iota(b.begin(), b.end(), 100.0f);
  }
  std::vector<float> a, b, c;
  void call(const jit::Kernel& k) {
    const auto n = static_cast<int64_t>(a.size());
    const TestTensor x(a.data(), graph::DType::f32, {n}), y(b.data(), graph::DType::f32, {n}),
        z(c.data(), graph::DType::f32, {n});
    const Argument args[] = {x.argument(), y.argument(), z.argument()};
    k.checked_call(args);
  }
  bool right() const {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (c[i] != a[i] + b[i]) return false;
    return true;
  }
};

}  // namespace

TEST_CASE("a call computes, and later calls reuse its code", "[call]") {
  const test::Environment off({{"TINE_CACHE", "off"}});
  jit::forget_code();
  const jit::Kernel k = add();
  const int64_t before = compiles();
  for (int64_t n : {5, 5, 17, 1, 5}) {
    Vectors v(n);
    v.call(k);
    CHECK(v.right());
  }
  CHECK(compiles() - before <= 3);  // for the classes of alignment
  const int64_t now = compiles();
  const jit::Kernel copy = k, again = add();
  Vectors v(5);
  v.call(copy);
  v.call(again);
  CHECK(v.right());
  CHECK(compiles() - now <= 1);
}

TEST_CASE("BR-55: a grid of no programs runs nothing, and no error sticks", "[call]") {
  const test::Environment off({{"TINE_CACHE", "off"}});
  const jit::Kernel k = add();
  for (int64_t n : {5, 0, 5}) {
    Vectors v(n);
    v.call(k);
    CHECK(v.right());
  }
  const TestTensor none(nullptr, graph::DType::f32, {0});
  const Argument args[] = {none.argument(), none.argument(), none.argument()};
  const int64_t before = compiles();
  CHECK(test::caught([&] { k.checked_call(args); }).kind.empty());
  CHECK(k.programs(args) == 0);
  CHECK(compiles() == before);
}

TEST_CASE("strides of any sign, and sizes of 1, are passed on", "[call]") {
  const test::Environment off({{"TINE_CACHE", "off"}});
  const jit::Kernel k = add();
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {10}, c(12);
  const TestTensor x(a.data() + 5, graph::DType::f32, {6}, {-1}), y(b.data(), graph::DType::f32, {6}, {0}),
      z(c.data(), graph::DType::f32, {6}, {2});
  const Argument args[] = {x.argument(), y.argument(), z.argument()};
  k.checked_call(args);
  CHECK(c == std::vector<float>{16, 0, 15, 0, 14, 0, 13, 0, 12, 0, 11, 0});
  CHECK(k.programs(args) == 2);
}

TEST_CASE("overlap is found anew at each call and only then asks for other code", "[call]") {
  const test::Environment off({{"TINE_CACHE", "off"}});
  jit::forget_code();
  const jit::Kernel k = add();
  alignas(64) float memory[256] = {};
  const auto call = [&](int a, int b, int c) {
    const TestTensor x(memory + a, graph::DType::f32, {16}), y(memory + b, graph::DType::f32, {16}),
        z(memory + c, graph::DType::f32, {16});
    const Argument args[] = {x.argument(), y.argument(), z.argument()};
    k.checked_call(args);
  };
  const auto cost = [&](int a, int b, int c) {
    const int64_t before = compiles();
    call(a, b, c);
    return compiles() - before;
  };
  CHECK(cost(0, 64, 128) == 1);
  CHECK(cost(0, 64, 192) == 0);
  CHECK(cost(0, 64, 0) == 1);   // c is a
  CHECK(cost(0, 64, 64) == 1);  // c is b
  CHECK(cost(128, 64, 128) == 0);
  CHECK(cost(0, 64, 128) == 0);
  CHECK(cost(0, 0, 128) == 0);  // inputs may share
}

TEST_CASE("config: values of meta-parameters trace and compile anew", "[call]") {
  const test::Environment off({{"TINE_CACHE", "off"}});
  jit::Kernel k = add();
  CHECK(k.config_text() == "bm=4");
  Vectors v(8);
  const TestTensor x(v.a.data(), graph::DType::f32, {8});
  const Argument args[] = {x.argument(), x.argument(), x.argument()};
  CHECK(k.programs(args) == 2);
  jit::Kernel other = k;
  other.set_meta("bm", 8);
  CHECK(other.config_text() == "bm=8");
  CHECK(other.programs(args) == 1);
  CHECK(k.programs(args) == 2);
  CHECK(k.traced().hash != other.traced().hash);
}

TEST_CASE("options enter the request sorted, those of the callable before the knob's", "[call]") {
  const test::Environment env(
      {{"TINE_CACHE", "off"}, {"TINE_OPTIONS", "z=1;fast_math=0"}, {"TINE_TARGET", "cpu:x86-64-v3"}, {"TINE_L2", "1024"}});
  jit::Kernel k = add();
  CHECK(k.request().options == "fast_math=0;z=1");
  k.set_option("fast_math", "1");
  k.set_option("a", "b");
  CHECK(k.request().options == "a=b;fast_math=1;z=1");
  k.set_option("a", "");
  CHECK(k.request().options == "fast_math=1;z=1");
  CHECK(k.request().target == "cpu:x86-64-v3");
}

TEST_CASE("the second cache is an option of the request where it is not what the compiler assumes", "[call]") {
  const auto options = [](const char* kib, const char* knob = "") {
    const test::Environment env({{"TINE_CACHE", "off"}, {"TINE_L2", kib}, {"TINE_OPTIONS", knob}});
    return add().request().options;
  };
  CHECK(options("1024") == "");
  CHECK(options("2048") == "l2=2048");
  CHECK(options("1") == "l2=64");  // the least that the compiler takes
  CHECK(options("512", "l2=256") == "l2=256");
}

TEST_CASE("programs run once each on any number of threads, with scratch of their own", "[call][threads]") {
  const test::Environment off({{"TINE_CACHE", "off"}});
  for (int threads : {1, 2, 4, 0}) {
    jit::Kernel k([](const jit::Config&) { return test::count_graph(); });
    k.set_threads(threads);
    std::vector<std::thread> callers;
    std::atomic<bool> right{true};
    for (int caller = 0; caller < 3; ++caller)
      callers.emplace_back([&] {
        for (int64_t n : {1, 2, 7, 300, 300, 5000}) {
          std::vector<int32_t> out(static_cast<std::size_t>(n));
          const TestTensor t(out.data(), graph::DType::i32, {n});
          const Argument args[] = {t.argument()};
          k.checked_call(args);
          k.call(args);
          if (out != std::vector<int32_t>(out.size(), 2)) right = false;
        }
      });
    for (auto& t : callers) t.join();
    CHECK(right);
  }
}

TEST_CASE("threads that ask for the same code wait for one compile", "[call][threads]") {
  const test::Environment env({{"TINE_CACHE", "off"}, {"STANDIN_DELAY_MS", "50"}});
  jit::forget_code();
  const int64_t before = compiles();
  const jit::Kernel k = add();
  std::vector<std::thread> callers;
  std::atomic<bool> right{true};
  alignas(64) static float memory[8][3][64];
  for (int caller = 0; caller < 8; ++caller)
    callers.emplace_back([&, caller] {
      auto& m = memory[caller];
      m[0][0] = static_cast<float>(caller);
      m[1][0] = 1;
      const TestTensor x(m[0], graph::DType::f32, {64}), y(m[1], graph::DType::f32, {64}),
          z(m[2], graph::DType::f32, {64});
      const Argument args[] = {x.argument(), y.argument(), z.argument()};
      k.checked_call(args);
      if (m[2][0] != static_cast<float>(caller + 1)) right = false;
    });
  for (auto& t : callers) t.join();
  CHECK(right);
  CHECK(compiles() - before == 1);
}

TEST_CASE("code comes from disk without the compiler, and damage is repaired", "[call][cache]") {
  const test::TemporaryFolder folder;
  const test::Environment env({{"TINE_CACHE", "on"}, {"TINE_CACHE_DIR", folder.path()}});
  jit::forget_code();
  const auto run = [] {
    alignas(64) static float m[3][8];
    m[0][3] = 5;
    m[1][3] = 6;
    m[2][3] = 0;
    const TestTensor x(m[0], graph::DType::f32, {8}), y(m[1], graph::DType::f32, {8}), z(m[2], graph::DType::f32, {8});
    const Argument args[] = {x.argument(), y.argument(), z.argument()};
    add().checked_call(args);
    return m[2][3];
  };
  const auto difference = [&] {
    const jit::Statistics before = jit::statistics();
    CHECK(run() == 11);
    const jit::Statistics after = jit::statistics();
    return std::pair(after.compiled - before.compiled, after.from_disk - before.from_disk);
  };
  CHECK(difference() == std::pair<int64_t, int64_t>(1, 0));
  CHECK(difference() == std::pair<int64_t, int64_t>(0, 0));
  jit::forget_code();
  CHECK(difference() == std::pair<int64_t, int64_t>(0, 1));
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    std::ofstream(file.path(), std::ios::in | std::ios::out).seekp(20) << "damage";
  jit::forget_code();
  CHECK(difference() == std::pair<int64_t, int64_t>(1, 0));
  jit::forget_code();
  CHECK(difference() == std::pair<int64_t, int64_t>(0, 1));
}

TEST_CASE("BR-27, BR-29: constants and targets are part of the key, in memory and on disk", "[call][cache]") {
  const test::TemporaryFolder folder;
  const auto constant = [](int64_t c) {
    int32_t out = 10;
    const TestTensor t(&out, graph::DType::i32, {1, 1});
    const Argument args[] = {t.argument()};
    jit::Kernel([c](const jit::Config&) { return test::constant_graph(c); }).checked_call(args);
    return out;
  };
  const auto target = [](const char* name) {
    const test::Environment env({{"TINE_TARGET", name}});
    int32_t out = 0;
    const TestTensor t(&out, graph::DType::i32, {1, 1});
    const Argument args[] = {t.argument()};
    jit::Kernel([](const jit::Config&) {
      return test::plain_graph("Target", 1, graph::DType::i32);
    }).checked_call(args);
    return out;
  };
  const test::Environment env({{"TINE_CACHE", "on"}, {"TINE_CACHE_DIR", folder.path()}});
  for (int round = 0; round < 2; ++round) {  // the second from disk
    CHECK(constant(1) == 11);
    CHECK(constant(2) == 12);
    CHECK(constant(1) == 11);
    CHECK(target("cpu") == 1);
    CHECK(target("cpu:x86-64-v3") == 3);
    jit::forget_code();
  }
}

TEST_CASE("stages give text", "[call]") {
  const jit::Kernel k = add();
  jit::Request r = k.request();
  r.stage = "llvm";
  CHECK(jit::compile(k.traced(), jit::general_specialization(k.traced().graph, true), r) == "text of stage llvm");
}

TEST_CASE("a child of fork calls on", "[call][threads]") {
  const test::Environment off({{"TINE_CACHE", "off"}});
  jit::Kernel k([](const jit::Config&) { return test::count_graph(); });
  k.set_threads(3);
  const auto run = [&] {
    std::vector<int32_t> out(3000);
    const TestTensor t(out.data(), graph::DType::i32, {3000});
    const Argument args[] = {t.argument()};
    k.checked_call(args);
    return out == std::vector<int32_t>(3000, 1);
  };
  CHECK(run());
  const pid_t child = fork();
  if (child == 0) _exit(run() && run() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(run());
}
