"""Libraries with GPU code, run by the stand-in for NVIDIA's driver on the PTX machine."""

import os

from harness import EXAMPLES, KERNELS, TARGET, Case, main, run

STAND_IN = os.environ["TINE_STAND_IN_CUDA"]


class Gpu(Case):
    def library(self, *words, targets=TARGET + ",nvptx:sm_80,nvptx:sm_90"):
        return self.build(KERNELS, "--kernel", "Scaled<float>", "--kernel", "RowSum<float>", "--target", targets, "--name", "lib", "-o", "out", *words)

    def program(self, compiler="gcc", source="gpu.c"):
        return self.compile(compiler, source, "out", [self.path("out", "liblib.a")], "-lpthread", "-ldl", "-Wno-pedantic")

    def test_numbers(self):
        said = self.library()
        self.assertIn("`RowSum<float>` on `nvptx:sm_80` takes up to 1048576 elements along `x.size(1)`; calls with more are refused", said)
        for compiler, source in (("gcc", "gpu.c"), ("clang-22", "gpu.c"), ("g++", "gpu.cpp"), ("clang++-22", "gpu.cpp")):
            program = self.program(compiler, source)
            for capability in ("80", "89", "90"):
                with self.subTest((compiler, capability)):
                    self.run_program(program, env={"TINE_CUDA_LIBRARY": STAND_IN, "TINE_STAND_IN_CAPABILITY": capability})

    def test_manifest_has_resources(self):
        self.library()
        variants = [v for k in self.manifest("out")["kernels"] for i in k["instances"] for p in i["programs"] for v in p["variants"]]
        gpu = [v for v in variants if v["target"].startswith("nvptx")]
        self.assertTrue(gpu)
        for v in gpu:
            self.assertEqual(v["resources"]["code"], "ptx")
            self.assertGreaterEqual(v["resources"]["threads"], 32)
        self.assertIn([{"symbol": 1, "capacity": 256, "exact": False}], [v.get("capacities") for v in gpu])

    def test_too_large(self):
        # Operands of 128 x 128 f32 each are 128 KiB, of which sm_89 has 99; one memory for each of 64 is there, not two.
        def refusal(config, options, nearest):
            product = {"kernel": "Matmul<float>", "set": {"bm": [128], "bn": [128], "bk": [config]}, "options": options}
            self.write("library.json", {"name": "lib", "header": os.path.join(EXAMPLES, "matmul.hpp"), "targets": ["nvptx:sm_89"], "kernels": [product]})
            said = self.refuse(1, "`Matmul<float>` cannot be built for `nvptx:sm_89`: ", "--description", self.path("library.json"), "-o", "out")
            self.assertIn("a program needs 131072 bytes of shared memory, and sm_89 has 101376", said)
            self.assertTrue(said.endswith("; the nearest config that fits is %s\n" % nearest), said)

        refusal(128, {}, "bm=128 bn=128 bk=64")
        refusal(64, {"stages": [2]}, "bm=128 bn=128 bk=64 stages=1")

    def test_ptx_as_files(self):
        self.library("--artefacts")
        ptx = [n for n in os.listdir(self.path("out", "artefacts")) if n.endswith(".ptx")]
        self.assertTrue(ptx)
        self.assertIn(".visible .entry tine_kernel", self.read("out", "artefacts", ptx[0]).decode())

    def refusal(self, sentence, env):
        done = run([self.path("program")], env=env)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stdout)

    def test_what_can_be_missing(self):
        self.library(targets=TARGET + ",nvptx:sm_90")
        stand_in = {"TINE_CUDA_LIBRARY": STAND_IN}
        self.program()
        # A device that is older than the code.
        self.refusal("was not built for the device's architecture; it was built for `%s`, `nvptx:sm_90`" % TARGET, {**stand_in, "TINE_STAND_IN_CAPABILITY": "80"})
        source = self.write("call.c", r"""
#include <stdio.h>
#include "lib.h"
int main(void) {
  float x[4] = {1, 2, 3, 4}, y[4], s = 2;
  const int64_t n = 4;
  const tine_tensor tx = {x, &n, 0, 1, TINE_F32}, ts = {&s, 0, 0, 0, TINE_F32}, ty = {y, &n, 0, 1, TINE_F32};
  printf("%d: ", scaled_launch(NULL, &tx, &ts, &ty));
  puts(lib_error());
  if (scaled_launch(TINE_STREAM_CPU, &tx, &ts, &ty) || y[3] != 8) return 1;
  return 0;
}
""")
        done = run(["gcc", "-Iout", source, "out/liblib.a", "-o", "call"], cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        for env, sentence in (({"TINE_CUDA_LIBRARY": self.path("none.so")}, "2: the library of NVIDIA's driver could not be opened ("),
                              ({"TINE_CUDA_LIBRARY": self.path("out", "liblib.so")}, "has no function `cuInit`"),
                              ({**stand_in, "TINE_STAND_IN_DEVICES": "0"}, "2: NVIDIA's driver finds no GPU (CUDA_ERROR_NO_DEVICE)")):
            done = run([self.path("call")], env=env)
            self.assertEqual(done.returncode, 0, done.stdout)  # the processor still does its part
            self.assertIn(sentence, done.stdout)
        self.library(targets="nvptx:sm_90")
        self.program()
        self.refusal("scaled on the processor: status 2: kernel `scaled` was not built for cpu; it was built for `nvptx:sm_90`", {**stand_in, "TINE_STAND_IN_CAPABILITY": "90"})

    def test_capacity(self):
        self.write("lib.json", {"name": "lib", "header": KERNELS, "targets": [TARGET, "nvptx:sm_80"], "kernels": [{"kernel": "RowSum<float>", "capacities": [64, 128]}, {"kernel": "Scaled<float>"}]})
        self.build("--description", "lib.json", "-o", "out")
        program = self.program()
        done = run([program], env={"TINE_CUDA_LIBRARY": STAND_IN})
        self.assertIn("row_sum: status 1: kernel `row_sum`: no variant of `RowSum<float>` accepts this call: the nearest is `", done.stdout)
        self.assertIn("it is for tiles of at most 128 elements along a dim that has 300", done.stdout)


if __name__ == "__main__":
    main()
