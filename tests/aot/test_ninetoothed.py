"""`--abi ninetoothed`: callers that were compiled with NineToothed's own headers link our library in its place."""

import os
import re

from harness import HERE, TARGET, Case, main, run

FIXTURES = os.path.join(HERE, "ninetoothed")
KERNELS = os.path.join(HERE, "kernels", "ninetoothed.hpp")


def fixture(name):
    with open(os.path.join(FIXTURES, name), encoding="utf-8") as f:
        return f.read()


def without_names(text):
    """Parameters' names are NineToothed's own numbering, and differ from run to run."""
    return re.sub(r"(NineToothedTensor) \w+", r"\1", text)


class NineToothed(Case):
    def library(self, *kernels, **more):
        self.write("lib.json", {"name": "lib", "header": KERNELS, "targets": [TARGET], "abi": "ninetoothed", "kernels": kernels, **more})
        return ("--description", "lib.json", "-o", "out")

    def build_all(self):
        self.build(*self.library({"kernel": "Add"}, {"kernel": "Scaled"}, {"kernel": "Shifted<7>", "arguments": ["x", "shift", "y"]}))

    def test_headers_are_those_of_ninetoothed(self):
        self.build_all()
        for name in ("add.h", "scaled.h", "shifted.h"):
            self.assertEqual(without_names(self.read("out", name).decode()), without_names(fixture(name)))
        # Of its common header the part that C sees; the rest serves its own launchers.
        theirs, ours = re.sub(r"#ifdef __cplusplus.*?#endif\n\n", "", fixture("ninetoothed.h"), flags=re.S), self.read("out", "ninetoothed.h").decode()
        self.assertEqual(ours.split(), theirs.split())

    def test_scalars_are_read_as_its_launchers_read_them(self):
        reads = fixture("scaled.reads.txt").split("\n")
        self.assertEqual([re.sub(r"tensor_\d+", "tensor", r) for r in reads if r],
                         ["*(double *)ninetoothed_tensor.data", "*(int32_t *)ninetoothed_tensor.data"])

    def test_callers_compiled_with_its_headers(self):
        self.build_all()
        for compiler in ("gcc", "clang-22"):
            for headers in (FIXTURES, self.path("out")):
                with self.subTest(compiler=compiler, headers=headers):
                    self.run_program(self.compile(compiler, "ninetoothed.c", "out", [self.path("out", "liblib.a")], "-I" + headers, "-isystem", headers))

    def test_values_as_arguments(self):
        # As `ninetoothed.build` does: what a kernel was built for comes last, element types by their number.
        self.build(*self.library({"kernel": "Fill<{dtype}>", "for": {"dtype": ["float", "nt::i64", "nt::f16"]}}))
        self.assertIn("launch_fill(NineToothedStream stream, NineToothedTensor y, int dtype_)", self.read("out", "fill.h").decode())
        source = self.write("program.c", r"""
#include <stdio.h>
#include "fill.h"
#include "lib.h"
int main(void) {
  uint64_t shape = 3;
  int64_t stride = 1, i[3] = {9, 9, 9};
  float f[3] = {9, 9, 9};
  uint16_t h[3] = {9, 9, 9};
  NineToothedTensor tf = {f, &shape, &stride}, ti = {i, &shape, &stride}, th = {h, &shape, &stride};
  if (launch_fill(0, tf, NINETOOTHED_FLOAT32) || launch_fill(0, ti, NINETOOTHED_INT64) || launch_fill(0, th, NINETOOTHED_FLOAT16)) return puts(lib_error()), 1;
  for (int k = 0; k < 3; ++k)
    if (f[k] != k || i[k] != k) return 1;
  if (h[0] != 0 || h[1] != 0x3c00 || h[2] != 0x4000) return 1;
  if (launch_fill(0, tf, NINETOOTHED_INT8) != 1) return 1;
  puts(lib_error());
  puts("all right");
  return 0;
}
""")
        done = run(["gcc", "-Iout", source, "out/liblib.a", "-o", "program"], cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("launch_fill was not built for these values", self.run_program(self.path("program")).stdout)

    def test_refused(self):
        self.refuse(1, "must name the parameter `y` once; it names `x`", *self.library({"kernel": "Add", "arguments": ["x"]}))
        self.refuse(1, "has the value `tine::f8e5m2`, which NineToothed's calls cannot say", *self.library({"kernel": "Fill<{T}>", "for": {"T": ["tine::f8e5m2"]}}))
        self.refuse(1, "cannot be told apart by a call of `launch_add`", *self.library({"kernel": "Add"}, {"kernel": "Add{}"}))
        self.refuse(1, "the library and its kernel cannot both be named `add`", *self.library({"kernel": "Add"}, name="add"))


if __name__ == "__main__":
    main()
