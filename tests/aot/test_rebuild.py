"""What a second build does: nothing where nothing has changed, and just what depends on what has."""

import os
import shutil

from harness import HERE, TARGET, Case, main


class Rebuild(Case):
    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(HERE, "kernels"), self.path("kernels"))

    def again(self, *words, **options):
        return self.counts(self.build("kernels/kernels.hpp", "--kernel", "Scaled<float>", "--kernel", "RowSum<float>", "--target", TARGET,
                                      "--name", "lib", "-o", "out", *words, **options))

    def change(self, file, old, new):
        with open(self.path("kernels", file)) as f:
            text = f.read()
        self.assertIn(old, text)
        with open(self.path("kernels", file), "w") as f:
            f.write(text.replace(old, new))

    def test_nothing_changed(self):
        self.assertEqual(self.again(), (1, 8, 0, True))
        before = os.stat(self.path("out", "liblib.so")).st_mtime_ns
        self.assertEqual(self.again(), (0, 0, 8, False))
        os.utime(self.path("kernels", "helper.hpp"))  # touched, but the same
        self.assertEqual(self.again(), (0, 0, 8, False))
        self.assertEqual(os.stat(self.path("out", "liblib.so")).st_mtime_ns, before)

    def test_application(self):
        self.again()
        self.change("kernels.hpp", "nt::sum(nt::cast<float>(x), nt::axis(1))", "nt::sum(nt::cast<float>(x), nt::axis(1)) * 2")
        self.assertEqual(self.again(), (1, 4, 4, True))  # Scaled is as it was

    def test_helper(self):
        self.again()
        self.change("helper.hpp", "x * s", "x * s + s")
        self.assertEqual(self.again(), (1, 4, 4, True))  # RowSum does not use it

    def test_words_that_mean_nothing(self):
        self.again()
        self.change("helper.hpp", "#pragma once", "#pragma once  // the product")
        self.assertEqual(self.again(), (1, 0, 8, False))

    def test_block_size(self):
        self.again()
        self.assertEqual(self.again("--option", "fast_math=1"), (0, 8, 0, True))
        self.change("kernels.hpp", "nt::BlockSize rows{4};", "nt::BlockSize rows{8};")
        self.assertEqual(self.again("--option", "fast_math=1"), (1, 4, 4, True))

    def test_macro_and_compiler(self):
        self.again()
        self.assertEqual(self.again("-D", "UNUSED=1"), (1, 0, 8, False))
        self.assertEqual(self.again("--cxx", "clang++-22")[:3], (1, 0, 8))

    def test_lost_outputs_come_back(self):
        self.again()
        os.remove(self.path("out", "lib.h"))
        self.assertEqual(self.again(), (0, 0, 8, True))
        os.remove(self.path("out", "liblib.a"))
        self.assertEqual(self.again(), (0, 0, 8, True))
        code = self.path("out", "lib.build", "code")
        os.remove(os.path.join(code, os.listdir(code)[0]))
        self.assertEqual(self.again(), (0, 1, 7, False))

    def test_depfile(self):
        self.again("--depfile", "lib.d")
        rule = self.read("lib.d").decode().replace("\\\n", "").split()
        self.assertEqual(rule[0], "out/liblib.so:")
        for name in ("kernels/kernels.hpp", "kernels/helper.hpp"):
            self.assertIn(name, [r.removeprefix("./") for r in rule])
        self.assertTrue(any(r.endswith("tine/tile.hpp") for r in rule))


if __name__ == "__main__":
    main()
