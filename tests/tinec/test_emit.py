"""tinec emit."""

import os

from harness import BASIC, KERNELS, Case, main

MATMUL = os.path.join(os.environ["TINE_EXAMPLES"], "matmul.hpp")
WHOLE = os.path.join(KERNELS, "whole.hpp")


class Emit(Case):
    def emit(self, stage, *words, kernel="Add<float>"):
        return self.succeed("emit", BASIC, "--kernel", kernel, "--stage", stage, *words)

    def test_stages(self):
        for stage, mark in [
            ("graph", "source a : f32 rank 1 loaded"),
            ("tine", "tine.kernel @"),
            ("loops", "func.func @tine_entry"),
            ("llvm", "define void @tine_entry("),
            ("asm", "tine_entry:"),
        ]:
            with self.subTest(stage):
                self.assertIn(mark, self.emit(stage))

    def test_meta_parameters(self):
        self.assertIn("meta block = 64 of 64, 16", self.emit("graph"))
        self.assertIn("meta block = 48 of 64, 16", self.emit("graph", "--set", "block=48"))
        self.assertIn("meta block = 8 of 64, 16", self.emit("graph", "--set", "block=48", "--set", "block=8"))

    def test_facts(self):
        self.assertIn("contiguous = true, align = 64", self.emit("tine"))
        self.assertIn("contiguous = false, align = 4", self.emit("tine", "--strided", "--align", "4"))

    def test_targets(self):
        self.assertIn("zmm", self.emit("asm", "--target", "cpu:x86-64-v4"))
        text = self.emit("asm", "--target", "cpu:x86-64-v3")
        self.assertIn("ymm", text)
        self.assertNotIn("zmm", text)

    def test_gpu_stages(self):
        def gpu(stage, *words, kernel="Add<float>"):
            return self.emit(stage, "--target", "nvptx:sm_90", *words, kernel=kernel)

        self.assertIn("tine.kernel @", gpu("tine"))
        self.assertIn("#tine.layout", gpu("layouts"))
        self.assertIn("@tine_kernel(", gpu("llvm"))
        text = gpu("ptx")
        self.assertIn(".target sm_90", text)
        self.assertIn(".entry tine_kernel", text)
        self.assertNotIn(".loc", text)
        self.assertIn(".loc", gpu("ptx", "--option", "line_tables=1"))
        # As of a call with these shapes: 13 is no multiple of 16.
        shaped = gpu("tine", "--shape", "a=13", "--shape", "b=13", "--shape", "c=13")
        self.assertIn("narrow_index", shaped)
        self.refuse(
            2,
            "stage `asm` does not exist for `nvptx`; there are `llvm`, ",
            *("emit", BASIC, "--kernel", "Add<float>", "--target", "nvptx:sm_80", "--stage", "asm"),
        )
        self.refuse(
            1,
            "sm_80",
            *("emit", BASIC, "--kernel", "Add<float>", "--target", "nvptx", "--stage", "ptx"),
        )

    def test_too_large_for_a_gpu(self):
        # f32 operands of 128 x 128 and 128 x 128: 128 KiB, of which sm_89 has 99; with 64 of each in the middle 64 KiB.
        words = ("emit", MATMUL, "--kernel", "Matmul<float>", "--target", "nvptx:sm_89", "--stage", "ptx", "--set", "bm=128", "--set", "bn=128")
        self.refuse(
            1,
            "and sm_89 has 101376: the largest tile that goes through it has (128, 128) elements and takes 65536 bytes; the nearest config that fits is bm=128 bn=128 bk=64",
            *words,
            "--set",
            "bk=128",
        )
        # One memory for each operand is there, not two.
        self.refuse(1, "; the nearest config that fits is bm=128 bn=128 bk=64 stages=1", *words, "--set", "bk=64", "--option", "stages=2")

    def test_shapes(self):
        whole = ("emit", WHOLE, "--kernel", "RowSum", "--target", "nvptx:sm_80", "--stage", "ptx")
        self.refuse(
            1,
            "a tile's size is known only at the call; give the shapes of all tensors, as in `--shape x=5x7`",
            *whole,
        )
        self.assertIn(".entry tine_kernel", self.succeed(*whole, "--shape", "x=5x100", "--shape", "y=5"))
        self.refuse(1, "the shape of parameter `y` (rank 1) is not given", *whole, "--shape", "x=5x100")
        self.refuse(1, "the outermost shapes of the parameters differ", *whole, "--shape", "x=5x9", "--shape", "y=6")
        self.refuse(2, "`--shape` takes `NAME=SHAPE`, as in `a=5x7`, not `x`", *whole, "--shape", "x")
        self.refuse(2, "`--strided` and `--shape` contradict each other", *whole, "--strided", "--shape", "x=5x9")

    def test_locations_are_as_the_user_names_the_header(self):
        folder, name = os.path.split(BASIC)
        text = self.succeed("emit", name, "--kernel", "Add<float>", "--stage", "graph", "--locations", cwd=folder)
        self.assertIn("; basic.hpp:15\n", text)

    def test_same_graph_from_both_compilers(self):
        texts = [
            self.emit("graph", "--cxx", cxx, kernel="Scale<nt::f16, nt::bf16>")
            for cxx in ["g++", os.environ.get("TINE_CLANG", "clang++-22")]
        ]
        self.assertEqual(texts[0].replace("tine::", ""), texts[1].replace("tine::", ""))

    def test_output_file(self):
        self.assertEqual(self.emit("llvm", "-o", "add.ll"), "")
        with open(self.path("add.ll")) as f:
            self.assertIn("@tine_entry", f.read())
        for out, why in [
            ("none/add.ll", "No such file or directory"),
            (".", "Is a directory"),
            ("/dev/full", "No space left on device"),
        ]:
            self.refuse(
                1,
                "`%s` cannot be written: %s" % (out, why),
                "emit",
                BASIC,
                "--kernel",
                "Add<float>",
                "--stage",
                "graph",
                "-o",
                out,
            )

    def test_what_does_not_exist(self):
        def refuse(code, sentence, *words):
            return self.refuse(code, sentence, "emit", BASIC, *words)

        refuse(2, "stage `lvm` does not exist for `cpu`; there are `llvm`, ", "--kernel", "Add<float>", "--stage", "lvm")
        refuse(
            2,
            "target `cuda` does not exist; there are `cpu` (this machine), `cpu:x86-64-v3` and such, and `nvptx:sm_80` and",
            "--kernel",
            "Add<float>",
            "--stage",
            "asm",
            "--target",
            "cuda",
        )
        refuse(1, "x86-64-v9", "--kernel", "Add<float>", "--stage", "asm", "--target", "cpu:x86-64-v9")
        refuse(
            2,
            "`--align` takes 1, 2, 4, 8, 16, 32 or 64, not `3`",
            "--kernel",
            "Add<float>",
            "--stage",
            "asm",
            "--align",
            "3",
        )
        refuse(
            2, "`--option` takes `KEY=VALUE`, not `a;b`", "--kernel", "Add<float>", "--stage", "asm", "--option", "a;b"
        )
        refuse(2, "--stage is required", "--kernel", "Add<float>")
        refuse(2, "--kernel is required", "--stage", "asm")


if __name__ == "__main__":
    main()
