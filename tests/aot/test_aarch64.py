"""A library for another machine, made here and run by qemu-user with a cross C library."""

import os
import shutil
import unittest

from harness import CONSUMERS, EXAMPLES, KERNELS, Case, main, run

CROSS = "aarch64-linux-gnu-g++"
EMULATOR = next((e for e in ("qemu-aarch64", "qemu-aarch64-static") if shutil.which(e)), None)
MISSING = [p for p, there in ((CROSS, shutil.which(CROSS)), ("qemu-user", EMULATOR)) if not there]


class AArch64(Case):
    def test_without_a_cross_compiler(self):
        empty = self.path("empty")
        os.mkdir(empty)
        for tool in ("g++", "sh"):
            os.symlink(shutil.which(tool), os.path.join(empty, tool))
        for tool in ("as", "ld"):
            os.symlink(shutil.which(tool), os.path.join(empty, tool))
        self.refuse(1, "no compiler for `aarch64` was found; install `aarch64-linux-gnu-g++`, or name one with `--linker`", KERNELS, "--kernel", "Scaled<float>",
                    "--target", "cpu:aarch64", "--name", "lib", "-o", "out", env={"PATH": empty})

    @unittest.skipIf(MISSING, "not run: %s is not installed" % " and ".join(MISSING))
    def test_programs(self):
        self.build(KERNELS, "--all", "--target", "cpu:aarch64", "--name", "lib", "-o", "out")
        self.build(os.path.join(EXAMPLES, "matmul.hpp"), "--kernel", "Matmul<float>", "--kernel", "Matmul<tine::f16>", "--target", "cpu:aarch64", "--name", "mm", "-o", "out")
        for source, standard, library in (("scaled.cpp", "-std=c++17", "lib"), ("matmul.c", None, "mm")):
            with self.subTest(source):
                words = [CROSS, standard] if standard else [CROSS.replace("g++", "gcc"), "-D_GNU_SOURCE"]
                done = run([*words, "-I" + self.path("out"), os.path.join(CONSUMERS, source), self.path("out", "lib%s.a" % library), "-lm", "-o", self.path("program")])
                self.assertEqual(done.returncode, 0, done.stderr)
                done = run([EMULATOR, "-L", "/usr/aarch64-linux-gnu", self.path("program")])
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("all right", done.stdout)


if __name__ == "__main__":
    main()
