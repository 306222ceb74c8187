"""Descriptions: combinations, configs, constant sizes, variants; and everything that is refused."""


from harness import KERNELS, TARGET, Case, main, run


class Description(Case):
    def describe(self, kernel, **more):
        return self.write("library.json", {"name": "lib", "header": KERNELS, "targets": [TARGET], "kernels": [kernel], **more})

    def built(self, kernel, *words, **more):
        return self.build("--description", self.describe(kernel, **more), "-o", "out", *words)

    def wrong(self, sentence, kernel, code=1, **more):
        return self.refuse(code, sentence, "--description", self.describe(kernel, **more), "-o", "out")

    def test_product_with_exclusions(self):
        self.built({"kernel": "Scaled<{T}>", "for": {"T": ["float", "nt::f16", "nt::i32"]}, "set": {"block": [64, 256]}, "options": {"fast_math": [0, 1]},
                    "variants": [{"name": "any", "tensors": {"*": {"alignment": 1}}, "overlaps": "all"}],
                    "exclude": [{"T": "nt::i32", "fast_math": 1}, {"T": ["nt::f16", "nt::i32"], "block": 256}]})
        kernels = self.manifest("out")["kernels"]
        self.assertEqual(len(kernels), 1)
        found = [(i["variables"]["T"], p["config"]["block"], p["options"]) for i in kernels[0]["instances"] for p in i["programs"]]
        self.assertEqual(found, [("float", 64, "fast_math=0"), ("float", 64, "fast_math=1"), ("float", 256, "fast_math=0"), ("float", 256, "fast_math=1"),
                                 ("nt::f16", 64, "fast_math=0"), ("nt::f16", 64, "fast_math=1"), ("nt::i32", 64, "fast_math=0")])

    def test_notes(self):
        said = self.built({"kernel": "Scaled<float>", "set": {"block": [64, 256]}, "sizes": [{"x": [1000]}],
                           "variants": [{"name": "fresh", "tensors": {"*": {"contiguous": True, "alignment": 64}}}]})
        self.assertIn("has 2 configs and no tuning: calls take the first, `block=64", said)
        self.assertIn("has no generic variant: calls that none of its variants accepts are refused", said)
        self.assertIn("is built for constant sizes only: calls with other sizes are refused", said)

    def test_constant_sizes_and_refused_calls(self):
        self.built({"kernel": "RowSum<float>", "sizes": [{"x": [None, 100]}],
                    "variants": [{"name": "fresh", "tensors": {"x": {"contiguous": True, "alignment": 64}, "y": {"alignment": 4}}}]})
        source = self.write("program.c", r"""
#include <stdio.h>
#include <stdlib.h>
#include "lib.h"
static int call(const float* x, int64_t rows, int64_t columns, int64_t stride, float* y) {
  const int64_t shape[2] = {rows, columns}, strides[2] = {stride, 1};
  const tine_tensor tx = {(void*)x, shape, strides, 2, TINE_F32}, ty = {y, shape, 0, 1, TINE_F32};
  const int status = row_sum_launch(TINE_STREAM_CPU, &tx, &ty);
  if (status) printf("%d: %s\n", status, lib_error());
  return status;
}
int main(void) {
  float* x = aligned_alloc(64, 40960);
  float y[16];
  for (int i = 0; i < 10240; ++i) x[i] = (float)(i % 100 + 1 + i / 1000);
  if (call(x, 7, 100, 100, y)) return 1;
  for (int i = 0; i < 7; ++i)
    if (y[i] != 5050) return printf("%g\n", y[i]), 1;
  call(x, 7, 99, 99, y);
  call(x, 7, 100, 101, y);
  call(x + 1, 7, 100, 100, y);
  puts("all right");
  return 0;
}
""")
        done = run(["gcc", "-Iout", source, "out/liblib.a", "-o", "program"], cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.run_program(self.path("program")).stdout
        none, rest = "1: kernel `row_sum`: no variant of `RowSum<float>` accepts this call: ", "; the variants are `fresh`; called with `x` 7x100, `y` 7"
        self.assertEqual(out.splitlines(), [
            "1: kernel `row_sum`: no variant of `RowSum<float>` accepts this call: no variant is for tensors of these sizes; the variants are `fresh`; called with `x` 7x99, `y` 7",
            none + "the nearest is `fresh`, but it needs `x` to be row-major without gaps" + rest,
            none + "the nearest is `fresh`, but it needs the data of `x` at a multiple of 64 bytes" + rest,
            "all right"])

    def test_several_headers(self):
        for name, factor in (("two", 2), ("three", 3)):
            self.write(name + ".hpp", """#include <tine/tine.hpp>
struct Times { tine::BlockSize block{64};
  auto arrangement(tine::Tensor<float, 1> x, tine::Tensor<float, 1> y) const { return std::tuple{x.tile({block}), y.tile({block})}; }
  void application(auto x, auto& y) const { y = x * %d; } };
""" % factor)
        self.write("library.json", {"name": "lib", "targets": [TARGET], "kernels": [{"name": n, "header": n + ".hpp", "kernel": "Times"} for n in ("two", "three")]})
        self.assertIn("2 headers compiled, 8 variants compiled", self.build("--description", "library.json", "-o", "out"))
        self.assertEqual([k["function"] for k in self.manifest("out")["kernels"]], ["two_launch", "three_launch"])

    def test_names(self):
        self.built({"name": "scale_{T}", "kernel": "Scaled<{T}>", "for": {"T": ["float", "int"]}})
        self.assertEqual([k["function"] for k in self.manifest("out")["kernels"]], ["scale_float_launch", "scale_int_launch"])

    def test_contradictions(self):
        good = {"kernel": "Scaled<float>"}
        self.wrong("has the key `kernals`, which it cannot have; there are `kernel`", {"kernals": "Scaled<float>"})
        self.wrong("needs a `kernel` to stand in", {"for": {"T": ["float"]}})
        self.wrong("has the variable `U`, but `kernel` does not mention `{U}`", {"kernel": "Scaled<{T}>", "for": {"T": ["float"], "U": [1]}})
        self.wrong("excludes by `blok`, which is not among the kernel's `block`", {**good, "set": {"block": [64]}, "exclude": [{"blok": 64}]})
        self.wrong("excludes `block` = `128`, which is not asked for; there are `64`", {**good, "set": {"block": [64]}, "exclude": [{"block": 128}]})
        self.wrong("leave nothing to build", {**good, "set": {"block": [64]}, "exclude": [{"block": 64}]})
        self.wrong("take the same element types and ranks, so that a call could mean either", {"kernel": "Scaled<{T}>", "for": {"T": ["float", "nt::f32"]}})
        self.wrong("has no meta-parameter `blok`; it has `block`", {**good, "set": {"blok": [64]}})
        self.wrong("has the value 0, not a positive integer", {**good, "set": {"block": [0]}})
        self.wrong("names the parameter `z`, but kernel `Scaled<float>` has", {**good, "variants": [{"name": "v", "tensors": {"z": {"contiguous": True}}}]})
        self.wrong("names dim 1 of a tensor of rank 1", {**good, "variants": [{"name": "v", "tensors": {"x": {"unit_stride": [1]}}}]})
        self.wrong("has two variants named `v`", {**good, "variants": [{"name": "v"}, {"name": "v"}]})
        self.wrong("has a variant without a name", {**good, "variants": [{}]})
        self.wrong("is 3; there are 1, 2, 4", {**good, "variants": [{"name": "v", "tensors": {"x": {"alignment": 3}}}]})
        self.wrong("is `some`; there are `all`, `none` and lists of pairs", {**good, "variants": [{"name": "v", "overlaps": "some"}]})
        self.wrong("overlap, but the kernel stores to neither", {**good, "variants": [{"name": "v", "overlaps": [["x", "x"]]}]})
        self.wrong("contradict what it demands by `require`", {**good, "sizes": [{"x": [3], "y": [4]}]})
        self.wrong("gives `x` more than its 1 dims", {**good, "sizes": [{"x": [3, 4]}]})
        self.wrong("which is no power of two", {**good, "capacities": [100]})
        self.wrong("target `cpu:x86-64-v9` does not exist or is not built in; there are", good, code=2, targets=["cpu:x86-64-v9"])
        self.wrong("are of different machines and cannot stand in one library", good, code=2, targets=[TARGET, "cpu:aarch64"])
        self.wrong("is named twice", good, code=2, targets=[TARGET, TARGET])
        self.wrong("ABI `c` does not exist", good, code=2, abi="c")
        self.wrong("`--name` takes letters, digits and `_`", good, code=2, name="my-lib")
        self.wrong("names no kernels", good, kernels=[])
        self.write("broken.json", "{")
        self.refuse(1, "is no JSON", "--description", "broken.json", "-o", "out")
        self.refuse(1, "missing.json", "--description", "missing.json", "-o", "out")

    def test_command_line(self):
        words = ("--target", TARGET, "--name", "lib", "-o", "out")
        self.refuse(1, "kernel `Skaled<float>` does not exist; `%s` has `Scaled<float>`" % KERNELS, KERNELS, "--kernel", "Skaled<float>", *words)
        self.refuse(2, "name kernels with `--kernel`", KERNELS, *words)
        self.refuse(2, "name a header", *words)
        self.refuse(2, "`--jobs` takes a number that is not negative", KERNELS, "--all", *words, "-j", "-1")
        self.refuse(2, "name the library with `--name`", KERNELS, "--all", "-o", "out")
        self.refuse(1, "No such file or directory", "missing.hpp", "--all", *words)
        broken = self.write("broken.hpp", "#include <tine/tine.hpp>\nstruct Broken { int x }\n")
        self.assertIn("error:", self.refuse(1, "broken.hpp:2", broken, "--all", *words))
        empty = self.write("empty.hpp", "#include <tine/tine.hpp>\n")
        self.refuse(1, "exports no kernels", empty, "--all", *words)
        self.write("file", "")
        self.refuse(1, "the output directory `file/out` cannot be made", KERNELS, "--all", "--target", TARGET, "--name", "lib", "-o", "file/out")
        for keyword in ("double", "new", "namespace", "std"):  # of C, of C++, and what the headers need
            self.refuse(1, "needs another name than `%s`" % keyword, KERNELS, "--kernel", keyword + "=Scaled<float>", *words)
            self.refuse(2, "`--name` takes no keyword of C or C++, such as `%s`" % keyword, KERNELS, "--all", "--target", TARGET, "--name", keyword, "-o", "out")
        self.refuse(1, "take the same element types and ranks", KERNELS, "--kernel", "Scaled<float>", "--kernel", "Scaled<float>{}", *words)


if __name__ == "__main__":
    main()
