"""One library by many machines: shards, ninja, and several threads give the bytes of a build on one."""

import os
import shutil
import unittest

from harness import KERNELS, TARGET, Case, main, run

OUTPUTS = ("liblib.so", "liblib.a", "lib.h", "lib.hpp", "manifest.json")


class Distribute(Case):
    words = (KERNELS, "--all", "--target", TARGET + ",cpu:x86-64-v4", "--name", "lib")

    def same(self, folder):
        for name in OUTPUTS:
            self.assertEqual(self.read("local", name), self.read(folder, name), name)

    def test_shards(self):
        self.build(*self.words, "-o", "local", "-j", "2")
        files = []
        for i in (3, 1, 2):
            self.assertIn("shard %d/3" % i, self.build(*self.words, "-o", "part%d" % i, "--shard", "%d/3" % i))
            files.append(len(os.listdir(self.path("part%d" % i, "lib.build", "code"))))
            self.assertFalse(os.path.exists(self.path("part%d" % i, "liblib.so")))
        self.assertEqual(sum(files), len(os.listdir(self.path("local", "lib.build", "code"))))
        self.assertLessEqual(max(files) - min(files), 1)
        self.build("part1", "part2", "part3", "-o", "joined", command="link")
        self.same("joined")
        self.refuse(1, "is missing; was every shard built?", "part1", "part2", "-o", "incomplete", command="link")

    def test_shards_of_different_inputs(self):
        self.build(*self.words, "-o", "one", "--shard", "1/2")
        self.build(*self.words, "-o", "two", "--shard", "2/2", "--option", "fast_math=1")
        self.refuse(1, "were built from different headers, descriptions, targets or compilers", "one", "two", "-o", "joined", command="link")
        self.refuse(1, "holds no build of a library", "none", "-o", "joined", command="link")
        for wrong in ("3/2", "0/2", "x", "1"):
            self.refuse(2, "`--shard` takes `I/N`", *self.words, "-o", "three", "--shard", wrong)

    @unittest.skipUnless(shutil.which("ninja"), "ninja is not installed")
    def test_ninja(self):
        self.build(*self.words, "-o", "local")
        self.assertIn("build.ninja written", self.build(*self.words, "-o", "by ninja", "--emit-ninja"))
        self.assertFalse(os.path.exists(self.path("by ninja", "liblib.so")))
        done = run(["ninja", "-C", self.path("by ninja")])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.same("by ninja")
        self.assertIn("no work to do", run(["ninja", "-C", self.path("by ninja")]).stdout)


if __name__ == "__main__":
    main()
