"""tinec run: everything that can be wrong with its arguments, with exit code and sentence."""

import os

from harness import BASIC, WRONG, Case, header, main, npy


class RunErrors(Case):
    def setUp(self):
        super().setUp()
        self.write("a.npy", npy("f", [1.0, 2.0, 3.0, 4.0]))

    def add(self, code, sentence, *words):
        return self.refuse(code, sentence, "run", BASIC, "--kernel", "Add<float>", *words)

    def copy(self, code, sentence, *words):
        return self.refuse(code, sentence, "run", BASIC, "--kernel", "Copy<nt::i32>", *words)

    def test_what_is_missing(self):
        self.add(1, "parameter `a` (f32, rank 1) is not given; give `--arg a=FILE.npy` or `--out a=FILE.npy:SHAPE`")
        self.add(
            1,
            "the shape of parameter `c` (f32, rank 1) is unknown, for `c.npy` cannot be read: No such file or directory; "
            "give it, as in `--out c=c.npy:5x7`",
            "--arg",
            "a=a.npy",
            "--arg",
            "b=a.npy",
            "--out",
            "c=c.npy",
        )
        self.refuse(
            1,
            "parameter `factor` (f32, scalar) is not given; give `--arg factor=NUMBER`",
            "run",
            BASIC,
            "--kernel",
            "Scale<float>",
            "--arg",
            "x=a.npy",
            "--out",
            "x=x.npy",
        )

    def test_unknown_names(self):
        self.add(1, "kernel `Add<float>` has no parameter `B` for `--arg`; it has `b`, `a` and `c`", "--arg", "B=a.npy")
        self.add(1, "has no parameter `out` for `--out`; it has `a`, `b` and `c`", "--out", "out=a.npy")
        self.add(1, "kernel `Add<float>` has no meta-parameter `blok`; it has `block`", "--set", "blok=3")
        self.refuse(
            1,
            "kernel `Widen` has no meta-parameter `block`; it has nothing",
            "run",
            BASIC,
            "--kernel",
            "Widen",
            "--set",
            "block=3",
        )
        self.add(1, "device `gpu` is unknown; there are `cpu`, `cuda`, ", "--device", "gpu")

    def test_texts_of_another_form(self):
        self.add(2, "`--arg` takes `NAME=FILE.npy` or `NAME=NUMBER`, not `a`", "--arg", "a")
        self.add(2, "not `=a.npy`", "--arg", "=a.npy")
        self.add(2, "`--out` takes `NAME=FILE.npy` or `NAME=FILE.npy:SHAPE,DTYPE`, not `c=`", "--out", "c=")
        self.add(2, "`--set` takes `NAME=VALUE`, not `block`", "--set", "block")
        for value in ["0", "-1", "1.5", "x", "2147483648", "99999999999999999999", ""]:
            self.add(2, "", "--set", "block=" + value)
        self.add(
            2,
            "`5xx7` behind `c=c.npy` is not `SHAPE`, `SHAPE,DTYPE` or `DTYPE`".replace("c=c.npy", "c.npy"),
            "--out",
            "c=c.npy:5xx7",
        )
        for shape in ["-5", "5x", "x5", "5,", "5x7,f32,f32", "99999999999999999999"]:
            self.add(2, "", "--out", "c=c.npy:" + shape)
        self.add(2, "element type `f33` does not exist; there are `f32`,", "--out", "c=c.npy:5,f33")
        self.add(2, "parameter `a` is given twice with `--arg`", "--arg", "a=a.npy", "--arg", "a=a.npy")
        self.add(
            2,
            "two outputs go to `c.npy`",
            "--arg",
            "a=a.npy",
            "--arg",
            "b=a.npy",
            "--out",
            "c=c.npy:4",
            "--out",
            "a=c.npy",
        )
        self.add(2, "`--threads` takes a number that is not negative", "--threads", "-3")
        self.add(2, "`--option` takes `KEY=VALUE`, not `fast`", "--option", "fast")
        self.add(
            2, "has an `--arg` already, so that `--out` takes no slice", "--arg", "a=a.npy", "--out", "a=a.npy[1:]"
        )

    def test_wrong_arrays(self):
        self.write("d.npy", npy("d", [1.0]))
        self.add(
            1,
            "parameter `a` (f32, rank 1) cannot take `d.npy`, whose elements are float64; it takes float32",
            "--arg",
            "a=d.npy",
        )
        self.refuse(
            1,
            "parameter `p0` (bf16, rank 1) cannot take `a.npy`, whose elements are float32; it takes uint16 bits",
            "run",
            BASIC,
            "--kernel",
            "Widen",
            "--arg",
            "p0=a.npy",
        )
        self.write("m.npy", npy("f", [1.0] * 6, (2, 3)))
        self.add(1, "parameter `a` (f32, rank 1) cannot take `m.npy`, which has rank 2 (shape 2x3)", "--arg", "a=m.npy")
        self.add(
            1, "parameter `c` (f32, rank 1) cannot take `c.npy`, which has rank 2 (shape 2x3)", "--out", "c=c.npy:2x3"
        )
        self.add(1, "is a tensor; give it a .npy file, not the number `5`", "--arg", "a=5")
        self.add(
            1,
            "parameter `c` (f32, rank 1) cannot be written as f16; a kernel of that type is another kernel",
            "--out",
            "c=c.npy:4,f16",
        )
        self.add(
            1,
            "parameter `a` (f32, rank 1) has shape 4 by `--arg`, but 5 by `--out`",
            "--arg",
            "a=a.npy",
            "--out",
            "a=x.npy:5",
        )
        self.add(
            1,
            "the kernel does not store to parameter `a`; it stores to `c`",
            "--arg",
            "a=a.npy",
            "--arg",
            "b=a.npy",
            "--arg",
            "c=a.npy",
            "--out",
            "a=x.npy",
        )
        self.add(
            1,
            "the kernel stores to parameter `c`, which no `--out` takes; write `--out c=FILE`",
            "--arg",
            "a=a.npy",
            "--arg",
            "b=a.npy",
            "--arg",
            "c=a.npy",
        )
        self.refuse(
            1,
            "parameter `factor` (f32, scalar) is passed by value and cannot be an output",
            "run",
            BASIC,
            "--kernel",
            "Scale<float>",
            "--out",
            "factor=x.npy",
        )
        self.add(1, "of shape 4611686018427387904 is larger than any memory", "--out", "c=c.npy:4611686018427387904")

    # What a slice, a number or a file can have wrong with it is tried out in the C++ tests; here the way to the user.
    def test_wrong_slices(self):
        self.add(1, "`a.npy`: index 4 is outside dim 0 of size 4", "--arg", "a=a.npy[4]")
        self.add(
            1,
            "`a.npy`: `x` in `[x]` is not an index; there are integers, `start:stop:step`, `None` and `...`",
            "--arg",
            "a=a.npy[x]",
        )
        self.add(1, "which has rank 0 (shape scalar)", "--arg", "a=a.npy[0]")
        self.add(1, "`none.npy` cannot be read", "--out", "c=none.npy[1:]")

    def test_wrong_scalars(self):
        for text, sentence in [
            ("1e", "`1e` is not a number"),
            ("1e39", "`1e39` is beyond the largest number of type f32"),
            ("s.npy", "`s.npy` cannot be read"),
            ("a.npy", "which has rank 1 (shape 4)"),
        ]:
            with self.subTest(text):
                self.refuse(
                    1,
                    sentence,
                    "run",
                    BASIC,
                    "--kernel",
                    "Scale<float>",
                    "--arg",
                    "x=a.npy",
                    "--arg",
                    "factor=" + text,
                    "--out",
                    "x=x.npy",
                )

    def test_broken_files(self):
        good = npy("i", [1, 2, 3, 4], (2, 2))
        for sentence, data in [
            ("it does not begin with NumPy's magic string", b""),
            ("its shape 2x2 needs 16 bytes of data, but 15 follow", good[:-1]),
            ("is larger than any memory", header("<i4", (2**61, 2**61))),
        ]:
            self.write("x.npy", data)
            self.copy(1, sentence, "--arg", "x=x.npy")
        self.copy(1, "`none.npy` cannot be read: No such file or directory", "--arg", "x=none.npy")
        self.copy(1, "cannot be read: Is a directory", "--arg", "x=/")

    def test_outputs_that_cannot_be_written(self):
        self.add(1, "`none/c.npy` cannot be written: No such file or directory", "--out", "c=none/c.npy:4")
        self.add(1, "`.` cannot be written: Is a directory", "--out", "c=.:4")
        self.add(
            1,
            "`/dev/full` cannot be written: No space left on device",
            "--arg",
            "a=a.npy",
            "--arg",
            "b=a.npy",
            "--out",
            "c=/dev/full:4",
        )
        if os.getuid() != 0:
            os.chmod(self.folder.name, 0o500)
            self.add(1, "`c.npy` cannot be written: Permission denied", "--out", "c=c.npy:4")
            os.chmod(self.folder.name, 0o700)

    def test_a_failure_leaves_the_old_output(self):
        self.write("c.npy", b"old")
        self.write("b.npy", npy("f", [1.0] * 3))
        self.refuse(
            1,
            "basic.hpp:12: error: ",
            "run",
            BASIC,
            "--kernel",
            "Add<float>",
            "--arg",
            "a=a.npy",
            "--arg",
            "b=b.npy",
            "--out",
            "c=c.npy:4",
        )
        with open(self.path("c.npy"), "rb") as f:
            self.assertEqual(f.read(), b"old")

    def test_errors_of_the_language(self):
        def wrong(sentence, kernel, *words):
            return self.refuse(1, sentence, "run", WRONG, "--kernel", kernel, *words)

        wrong(
            "wrong.hpp:11: error: `StoresNothing`: `application`: the application stores to no parameter",
            "StoresNothing",
            "--arg",
            "x=a.npy",
        )
        wrong("wrong.hpp:17: error: `SqueezesWide`: `squeeze` of `x`: dim 1 has size 3, not 1", "SqueezesWide")
        self.write("b.npy", npy("f", [1.0] * 9))
        wrong("wrong.hpp:25: error: ", "UnequalGrids", "--arg", "x=a.npy", "--arg", "y=b.npy", "--out", "y=y.npy")
        wrong("tinec: error: the kernel's own words", "Throws")
        wrong("the kernel's C++ code threw something that is no std::exception", "ThrowsNumber")
        wrong("the compiled header cannot be opened: undefined symbol", "Unlinked")
        wrong("`true` wrote no shared object", "Throws", "--cxx", "true")


if __name__ == "__main__":
    main()
