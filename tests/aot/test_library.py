"""A library by one command: programs in C and C++ that use it, and what it consists of."""

import os
import re
import subprocess

from harness import EXAMPLES, KERNELS, TARGET, Case, main, run

CLANG = {"c": "clang-22", "cpp": "clang++-22"}
GNU = {"c": "gcc", "cpp": "g++"}

REFUSED = [  # the wrong calls at the end of matmul.c
    "refused 1: %s:%d: kernel `Matmul<float>`: requirement `a.size(1)` == `b.size(0)` does not hold: `a.size(1)` is 2 and `b.size(0)` is 3; called with `a` 2x2, `b` 3x2, `c` 2x2",
    "refused 1: kernel `matmul` was not built for `a` f32 of rank 2, `b` f32 of rank 2, `c` i8 of rank 2: it differs in `c`; it was built for "
    "`Matmul<float>` (`a` f32 of rank 2, `b` f32 of rank 2, `c` f32 of rank 2); `Matmul<tine::f16>` (`a` f16 of rank 2, `b` f16 of rank 2, `c` f16 of rank 2)",
    "refused 1: kernel `matmul`: the data of parameter `a` (shape 2x2) is null; only a tensor without elements may have none",
    "refused 1: kernel `matmul`: argument `a` is a null pointer, not a tensor",
]


def symbols(file, *options):
    return subprocess.run(["nm", *options, file], capture_output=True, text=True, check=True).stdout


class Library(Case):
    def matmul(self):
        matmul = os.path.join(EXAMPLES, "matmul.hpp")
        self.build(matmul, "--kernel", "Matmul<float>", "--kernel", "Matmul<tine::f16>", "--target", TARGET + ",cpu", "--name", "mm", "-o", "out")

    def test_c_programs(self):
        self.matmul()
        matmul = os.path.join(EXAMPLES, "matmul.hpp")
        with open(matmul, encoding="utf-8") as f:
            place = 1 + next(i for i, line in enumerate(f) if "nt::require(a.size(1) == b.size(0))" in line)
        for compiler in (GNU["c"], CLANG["c"]):
            for kind, library in (("static", [self.path("out", "libmm.a")]), ("shared", ["-L" + self.path("out"), "-lmm", "-Wl,-rpath," + self.path("out")])):
                with self.subTest(compiler=compiler, kind=kind):
                    done = self.run_program(self.compile(compiler, "matmul.c", "out", library))
                    refused = [line for line in done.stdout.splitlines() if line.startswith("refused")]
                    self.assertEqual(refused, [REFUSED[0] % (matmul, place), *REFUSED[1:]])

    def test_cpp_programs(self):
        self.build(KERNELS, "--all", "--target", TARGET, "--name", "lib", "-o", "out")
        for compiler in (GNU["cpp"], CLANG["cpp"]):
            with self.subTest(compiler):
                self.run_program(self.compile(compiler, "scaled.cpp", "out", [self.path("out", "liblib.a")]))

    def test_what_it_needs(self):
        self.matmul()
        shared = self.path("out", "libmm.so")
        dynamic = subprocess.run(["readelf", "-d", "-W", shared], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
        self.assertTrue(needed <= {"libc.so.6", "ld-linux-x86-64.so.2"}, needed)
        self.assertNotRegex(dynamic, r"INIT")  # no constructors, not even those of start files
        self.assertEqual(re.findall(r" [A-Z] (\w+)$", symbols(shared, "-D", "--defined-only"), re.M), ["matmul_launch", "mm_error", "mm_set_threads"])
        exported = re.findall(r"^\w+ [A-Z] (\w+)$", symbols(self.path("out", "libmm.a"), "--defined-only", "--extern-only"), re.M)
        self.assertEqual(sorted(exported), ["matmul_launch", "mm_error", "mm_set_threads"])
        code = sum(v["artefact"]["bytes"] for k in self.manifest("out")["kernels"] for i in k["instances"] for p in i["programs"] for v in p["variants"])
        self.assertLess(os.path.getsize(shared) - code, 1 << 20)

    def test_nothing_of_llvm_is_opened(self):
        self.matmul()
        program = self.compile("gcc", "matmul.c", "out", ["-L" + self.path("out"), "-lmm", "-Wl,-rpath," + self.path("out")])
        done = self.run_program(program, env={"LD_DEBUG": "files"})
        opened = re.findall(r"calling init: (\S+)|file=(\S+) ", done.stderr)
        self.assertTrue(any("libmm.so" in "".join(o) for o in opened), done.stderr[:2000])
        self.assertNotRegex(done.stderr, r"(?i)llvm|mlir|libtine|libstdc\+\+")

    def test_reproducible(self):
        words = [KERNELS, "--all", "--target", TARGET, "--name", "lib"]
        self.build(*words, "-o", "one")
        os.makedirs(self.path("elsewhere", "deep"))
        self.build(*words, "-o", self.path("elsewhere", "deep", "two"), cwd="/")
        for name in ("liblib.so", "liblib.a", "lib.h", "lib.hpp", "manifest.json"):
            self.assertEqual(self.read("one", name), self.read("elsewhere", "deep", "two", name), name)

    def test_two_libraries_in_one_program(self):
        self.build(KERNELS, "--kernel", "first=Scaled<float>", "--target", TARGET, "--name", "one", "-o", "one")
        self.build(KERNELS, "--kernel", "second=Scaled<float>", "--target", TARGET, "--name", "two", "-o", "two")
        source = self.write("both.c", """
#include <stdio.h>
#include "one/one.h"
#include "two/two.h"
int main(void) {
  float x[3] = {1, 2, 3}, y[3], z[3], s = 4;
  const int64_t n = 3;
  const tine_tensor tx = {x, &n, 0, 1, TINE_F32}, ts = {&s, 0, 0, 0, TINE_F32}, ty = {y, &n, 0, 1, TINE_F32}, tz = {z, &n, 0, 1, TINE_F32};
  if (first_launch(TINE_STREAM_CPU, &tx, &ts, &ty) || second_launch(TINE_STREAM_CPU, &ty, &ts, &tz)) return puts(one_error()), 1;
  if (z[0] != 16 || z[1] != 32 || z[2] != 48) return 1;
  puts("all right");
  return 0;
}
""")
        done = run(["gcc", "-I.", source, "one/libone.a", "two/libtwo.a", "-o", "both"], cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_program(self.path("both"))

    def test_headers_are_clean(self):
        self.build(KERNELS, "--all", "--target", TARGET, "--name", "lib", "-o", "out")
        strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-fsyntax-only", "-I" + self.path("out")]
        c, cpp = self.write("c.c", '#include "lib.h"\n#include "lib.h"\n'), self.write("cpp.cpp", '#include "lib.hpp"\n#include "lib.hpp"\n')
        for words in (["gcc", "-std=c99", c], ["clang-22", "-std=c99", c], ["g++", "-std=c++11", "-x", "c++", c],
                      ["g++", "-std=c++17", cpp], ["clang++-22", "-std=c++17", cpp]):
            done = run([words[0], *strict, *words[1:]])
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)

    def test_artefacts_on_request(self):
        self.build(KERNELS, "--kernel", "Scaled<float>", "--target", TARGET, "--name", "lib", "-o", "out", "--artefacts")
        names = sorted(os.listdir(self.path("out", "artefacts")))
        self.assertEqual([re.sub(r"-\w{8}\.so$", "", n) for n in names],
                         ["scaled-contiguous-cpu_x86-64-v3", "scaled-generic-cpu_x86-64-v3", "scaled-rows-cpu_x86-64-v3", "scaled-unaligned-cpu_x86-64-v3"])
        self.assertIn("tine_entry", symbols(self.path("out", "artefacts", names[0]), "-D"))

    def test_manifest(self):
        words = ["--target", TARGET, "--name", "lib", "-o", "out", "--set", "block=64"]
        self.build(KERNELS, "--kernel", "Scaled<float>", *words)
        m = self.manifest("out")
        self.assertEqual((m["library"], m["abi"], m["targets"]), ("lib", "tine", [TARGET]))
        kernel = m["kernels"][0]
        self.assertEqual((kernel["name"], kernel["function"]), ("scaled", "scaled_launch"))
        instance = kernel["instances"][0]
        self.assertEqual([(p["name"], p["dtype"], p["rank"], p["stored"]) for p in instance["parameters"]],
                         [("x", "f32", 1, False), ("s", "f32", 0, False), ("y", "f32", 1, True)])
        self.assertEqual(instance["programs"][0]["config"], {"block": 64})
        variants = {v["name"]: v for v in instance["programs"][0]["variants"]}
        self.assertEqual(variants["contiguous"]["tensors"]["x"], {"contiguous": True, "alignment": 64})
        self.assertEqual(variants["generic"]["overlaps"], [["y", "x"], ["y", "y"]])
        self.assertEqual({f["name"] for f in m["files"]}, {"lib.h", "lib.hpp", "liblib.so", "liblib.a"})


if __name__ == "__main__":
    main()
