// Every complaint of the run time, provoked: its text, its place, its kind.
#include <catch2/catch.hpp>
#include <fstream>

#include "environment.hpp"
#include "errors.hpp"
#include "graphs.hpp"
#include "runtime/jit/compiler_library.hpp"
#include "runtime/jit/kernel.hpp"
#include "runtime/jit/reproducer.hpp"
#include "runtime/launch/tile_unit.hpp"

using namespace tine;
using graph::DType;
using test::caught;
using test::TestTensor;

namespace {

jit::Kernel kernel(graph::Graph g) {
  return jit::Kernel([g = std::move(g)](const jit::Config&) { return g; });
}

test::Caught call(const jit::Kernel& k, const std::vector<TestTensor>& tensors) {
  std::vector<Argument> args;
  for (const TestTensor& t : tensors) args.push_back(t.argument());
  return caught([&] { k.checked_call(args); });
}

float memory[1024];
TestTensor vec(int64_t n) { return {memory, DType::f32, {n}}; }
TestTensor apart(int which, int64_t n) { return {memory + 64 * which, DType::f32, {n}}; }

// The add kernel with one more check.
jit::Kernel with_check(graph::Check::Kind kind, const char* what, int64_t b) {
  graph::Graph g = test::add_graph();
  g.checks.insert(g.checks.begin(), {kind, g.pool.sym(graph::Sym::size, 1, 0), g.pool.num(b), what, 1, 0, {0, 33}});
  return kernel(std::move(g));
}

}  // namespace

TEST_CASE("wrong arguments", "[errors]") {
  const jit::Kernel k = kernel(test::add_graph());
  test::Caught e = call(k, {vec(5), vec(5)});
  CHECK(e.kind == "user");
  CHECK(e.message == "kernel `Add` takes 3 arguments (`a`, `b`, `c`), but was called with 2");
  e = call(k, {vec(5), {memory, DType::i32, {5}}, vec(5)});
  CHECK(e.message == "kernel `Add`: parameter `b` has elements of type `f32`, but the argument has `i32`");
  CHECK(e.file == "user/add.hpp");
  CHECK(e.line == 11);
  e = call(k, {{memory, DType::f32, {5, 2}}, vec(5), vec(5)});
  CHECK(e.message == "kernel `Add`: parameter `a` has rank 1, but the argument has rank 2 (shape 5x2)");
  e = call(k, {vec(-5), vec(5), vec(5)});
  CHECK(e.message == "kernel `Add`: parameter `a` has shape -5; sizes cannot be negative");
  e = call(k, {vec(5), {nullptr, DType::f32, {5}}, vec(5)});
  CHECK(e.message ==
        "kernel `Add`: the data of parameter `b` (shape 5) is null; only a tensor without elements may have none");
  e = call(k, {vec(5), {memory, DType::f32, {5}, {INT64_MAX}}, vec(5)});
  CHECK(
      e.message ==
      "kernel `Add`: parameter `b` with shape 5 and strides 9223372036854775807 reaches beyond a 64-bit address space");
  TestTensor input = vec(5);
  input.is_const = true;
  CHECK(call(k, {input, vec(5), apart(1, 5)}).kind.empty());
  e = call(k, {vec(5), vec(5), input});
  CHECK(e.message ==
        "kernel `Add` stores to parameter `c`, but the argument is a view of const elements; pass a view of elements "
        "that may be written");
  // After a good call with the same sizes too.
  const TestTensor out = apart(1, 5);
  CHECK(call(k, {vec(5), vec(5), out}).kind.empty());
  CHECK(call(k, {vec(5), {nullptr, DType::f32, {5}}, out}).kind == "user");
  TestTensor locked = out;
  locked.is_const = true;
  CHECK(call(k, {vec(5), vec(5), locked}).kind == "user");
}

TEST_CASE("sizes that do not fit the arrangement", "[errors]") {
  const jit::Kernel k = kernel(test::add_graph());
  const test::Caught e = call(k, {vec(5), vec(9), vec(5)});
  CHECK(e.kind == "user");
  CHECK(e.message ==
        "kernel `Add`: the outermost shapes of the parameters differ: `a` has 2, `b` has 3, `c` has 2 "
        "(`a` 5, `b` 9, `c` 5); arrange them so that all have the same number of programs along each dim");
  CHECK(e.file == "user/add.hpp");
  CHECK(e.line == 7);
  using graph::Check;
  const auto message = [](Check::Kind kind, const char* what, int64_t b) {
    const test::Caught c = call(with_check(kind, what, b), {vec(5), vec(5), vec(5)});
    CHECK(c.line == 33);
    return c.message;
  };
  const std::string tail = "; called with `a` 5, `b` 5, `c` 5";
  CHECK(message(Check::equal, "add", 7) ==
        "kernel `Add`: `add` of dim 0 of parameter `b` needs `b.size(0)` and `7` to be equal, but they are 5 and 7" +
            tail);
  CHECK(message(Check::equal, "squeeze", 1) ==
        "kernel `Add`: `squeeze` of dim 0 of parameter `b` needs `b.size(0)` to be 1, but it is 5" + tail);
  CHECK(message(Check::one_or_equal, "expand", 7) ==
        "kernel `Add`: `expand` of dim 0 of parameter `b` needs `b.size(0)` to be 1 or equal to `7`, but they are 5 "
        "and 7" +
            tail);
  CHECK(message(Check::in_range, "slice", 3) ==
        "kernel `Add`: `slice` of dim 0 of parameter `b` needs `b.size(0)` to lie in [0, `3`), but it is 5 and the end "
        "is 3" +
            tail);
  CHECK(message(Check::less, "slice", 3) ==
        "kernel `Add`: `slice` of dim 0 of parameter `b` needs `b.size(0)` < `3`, but they are 5 and 3" + tail);
  CHECK(message(Check::equal, "require", 7) ==
        "kernel `Add`: requirement `b.size(0)` == `7` does not hold: `b.size(0)` is 5 and `7` is 7" + tail);
}

TEST_CASE("sizes that must be positive, or are too large", "[errors]") {
  graph::Graph g = test::add_graph();
  auto& p = g.pool;
  const graph::Ex below = p.sub(p.sym(graph::Sym::size, 0, 0), p.num(9));
  const auto with = [&](graph::Check::Kind kind) {
    graph::Graph h = g;
    h.checks.insert(h.checks.begin(), {kind, below, {}, "tile", 0, 0, {0, 21}});
    return call(kernel(h), {vec(5), vec(5), vec(5)});
  };
  CHECK(with(graph::Check::positive).message ==
        "kernel `Add`: `tile` of dim 0 of parameter `a` needs `a.size(0) - 9` to be positive, but it is -4; called "
        "with `a` 5, `b` 5, `c` 5");
  CHECK(with(graph::Check::nonneg).message ==
        "kernel `Add`: `tile` of dim 0 of parameter `a` needs `a.size(0) - 9` not to be negative, but it is -4; called "
        "with `a` 5, `b` 5, `c` 5");
  const TestTensor wide(memory, DType::f32, {int64_t{1} << 62}, {0});
  graph::Graph product = test::add_graph();
  product.grid = {product.pool.mul(product.pool.sym(graph::Sym::size, 0, 0), product.pool.sym(graph::Sym::size, 1, 0))};
  product.checks.clear();
  CHECK(call(kernel(product), {wide, wide, wide}).message ==
        "kernel `Add`: the sizes are too large: `a.size(0)*b.size(0)` does not fit in 64 bits; called with "
        "`a` 4611686018427387904, `b` 4611686018427387904, `c` 4611686018427387904");
  graph::Graph grid = test::add_graph();
  grid.checks.clear();
  grid.grid = {grid.pool.sym(graph::Sym::size, 0, 0), grid.pool.sym(graph::Sym::size, 1, 0)};
  CHECK(call(kernel(grid), {wide, wide, wide}).message ==
        "kernel `Add`: a grid of 4611686018427387904x4611686018427387904 has more programs than 64 bits can count; "
        "called with "
        "`a` 4611686018427387904, `b` 4611686018427387904, `c` 4611686018427387904");
}

TEST_CASE("options that are none", "[errors]") {
  jit::Kernel k = kernel(test::add_graph());
  CHECK(caught([&] { k.set_meta("bn", 4); }).message == "kernel `Add` has no meta-parameter `bn`; it has `bm`");
  CHECK(caught([&] { k.set_meta("bm", -7); }).message ==
        "kernel `Add`: meta-parameter `bm` cannot be -7; it must be positive");
  CHECK(caught([&] { k.set_option("a=b", "c"); }).message ==
        "`a=b=c` is not a compile option; options are `key=value` without `;`");
  CHECK(caught([&] { k.set_threads(-1); }).kind == "user");
  const test::Caught e = caught([&] { k.set_device("emulated:sm_75"); });
  CHECK(e.kind == "runtime");
  CHECK(e.message ==
        "device `emulated:sm_75` is unknown; there are `cpu`, `cuda`, `cuda:0`, `emulated:sm_80`, `emulated:sm_89`, "
        "`emulated:sm_90`");
}

TEST_CASE("surroundings", "[errors]") {
  const test::Caught e = caught([] { const test::Environment env({{"TINE_NUM_THREADS", "many"}}); });
  CHECK(e.kind == "runtime");
  CHECK(e.message == "environment variable `TINE_NUM_THREADS` is `many`, which is not a non-negative integer");
  unsetenv("TINE_NUM_THREADS");
  knobs::reload();
  const test::Environment off({{"TINE_CACHE", "off"}});
  const test::Caught big = call(kernel(test::plain_graph("Huge", 1)), {{memory, DType::f32, {2, 2}}});
  CHECK(big.kind == "runtime");
  CHECK(big.message ==
        "kernel `Huge` needs 1152921504606846976 bytes of scratch memory for each thread, which the system does not "
        "give");
  const test::Caught bad = call(kernel(test::plain_graph("NotElf", 1)), {{memory, DType::f32, {2, 2}}});
  CHECK(bad.kind == "runtime");
  CHECK(bad.message.find("the code of kernel `NotElf` could not be loaded (") == 0);
}

TEST_CASE("a compiler that is missing, or is none", "[errors]") {
  test::Caught e = caught([] { jit::open_compiler(""); });
  CHECK(e.kind == "runtime");
  CHECK(e.message ==
        "the compiler could not be opened (no such file); it is looked for beside `libtine.so` as "
        "`libtine-compiler.so`, or set `TINE_COMPILER_LIBRARY` to its file");
  CHECK(caught([] {
          jit::open_compiler("missing.so");
        }).message.find("the compiler could not be opened (./missing.so: ") == 0);
  const std::string artefact = std::string(STANDIN_ARTEFACTS) + "/Add.so";
  e = caught([&] { jit::open_compiler(artefact); });
  CHECK(e.message ==
        "`" + artefact + "` is not a compiler for this version of Tine: it does not export `tine_compiler_compile`");
}

TEST_CASE("the compiler's complaints", "[errors]") {
  const test::TemporaryFolder folder;
  const test::Environment env({{"TINE_CACHE", "off"}, {"TINE_REPRODUCER_DIR", folder.path()}});
  test::Caught e = call(kernel(test::plain_graph("RefusedByCompiler", 1)), {{memory, DType::f32, {2, 2}}});
  CHECK(e.kind == "user");
  CHECK(e.message == "kernel `RefusedByCompiler`: tiles of 7 bytes are beyond this target");
  CHECK(e.file == "user.hpp");
  CHECK(e.line == 42);
  e = call(kernel(test::plain_graph("TooLarge", 1)), {{memory, DType::f32, {2, 2}}});
  CHECK(e.kind == "user");
  CHECK(e.message == "`TooLarge`: a program needs more than there is; choose smaller block sizes");
  CHECK(e.line == 43);
  for (const char* name : {"CompilerBug", "NoScratch"}) {
    const graph::Graph g = test::plain_graph(name, 1);
    e = call(kernel(g), {{memory, DType::f32, {2, 2}}});
    CHECK(e.kind == "internal");
    CHECK(e.message.find("this is a bug in Tine, not in your program: please report it with the file `" +
                         folder.path()) != std::string::npos);
    std::string path = e.message.substr(e.message.rfind(folder.path()));
    path.pop_back();
    const jit::Reproducer r = jit::read_reproducer(path);
    CHECK(r.graph == graph::serialize(g));
    CHECK(r.target == "cpu");
    CHECK(r.compiler == "standin-1");
    CHECK(graph::deserialize_specialization(r.specialization).sources.size() == 1);
    std::ofstream(path, std::ios::trunc) << "tine reproducer 1\n5\nab";
    CHECK_THROWS_AS(jit::read_reproducer(path), std::runtime_error);
  }
  const test::Environment nowhere({{"TINE_REPRODUCER_DIR", folder.path() + "/missing"}});
  e = call(kernel(test::plain_graph("CompilerBug", 1)), {{memory, DType::f32, {2, 2}}});
  CHECK(e.message.find("that could not be written to") != std::string::npos);
}

TEST_CASE("errors: the tile unit", "[errors]") {
  using tine::launch::TileUnit;
  for (const TileUnit unit : {TileUnit::absent, TileUnit::refused}) {
    const test::Caught e = caught([&] { tine::launch::runnable_target("cpu:amx", unit); });
    CHECK(e.kind == "runtime");
    CHECK(e.message ==
          "target `cpu:amx` needs a processor with AMX, and a system that lets this process use it; `cpu` is this machine as it is");
  }
  CHECK(tine::launch::runnable_target("cpu:amx", TileUnit::allowed) == "cpu:amx");
  // A machine whose system refuses has the rest of its processor.
  CHECK(tine::launch::runnable_target("cpu", TileUnit::refused) == "cpu:no-amx");
  CHECK(tine::launch::runnable_target("cpu:native", TileUnit::refused) == "cpu:no-amx");
  CHECK(tine::launch::runnable_target("cpu", TileUnit::allowed) == "cpu");
  CHECK(tine::launch::runnable_target("cpu", TileUnit::absent) == "cpu");
  CHECK(tine::launch::runnable_target("cpu:no-amx", TileUnit::refused) == "cpu:no-amx");
}

TEST_CASE("errors: a target that is not this processor's", "[errors]") {
  using tine::launch::TileUnit;
#if defined(__x86_64__)
  const std::vector<std::string> foreign{"nvptx:sm_80", "emulated:sm_80", "cuda", "gpu", "cpu:aarch64"};
#else
  const std::vector<std::string> foreign{"nvptx:sm_80", "emulated:sm_80", "cuda", "gpu"};
#endif
  for (const std::string& target : foreign) {
    const test::Caught e = caught([&] { tine::launch::runnable_target(target, TileUnit::absent); });
    CHECK(e.kind == "runtime");
    CHECK(e.message == "code for target `" + target +
                           "` does not run on this processor; `TINE_TARGET` takes `cpu`, which is this machine, or a lesser one such as "
                           "`cpu:x86-64-v3`; for GPUs there is `TINE_DEVICE`");
  }
}
