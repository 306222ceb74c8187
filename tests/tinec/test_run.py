"""tinec run: kernels on .npy files."""

import itertools
import os

from harness import BASIC, Case, load, main, npy


class Run(Case):
    def kernel(self, name, *words):
        return self.succeed("run", BASIC, "--kernel", name, *words)

    def test_new_output(self):
        a, b = [i * 0.5 for i in range(100)], [3.0 - i for i in range(100)]
        self.write("a.npy", npy("f", a))
        self.write("b.npy", npy("f", b))
        out = self.kernel("Add<float>", "--arg", "a=a.npy", "--arg", "b=b.npy", "--out", "c=c.npy:100,f32")
        self.assertEqual(out, "")
        self.assertEqual(load(self.path("c.npy")), ("<f4", False, (100,), [x + y for x, y in zip(a, b)]))

    def test_shape_of_existing_file(self):
        self.write("a.npy", npy("f", [1.0, 2.0, 3.0]))
        self.write("c.npy", npy("d", [9.0, 9.0, 9.0]))  # its shape counts, not its type
        self.kernel("Add<float>", "--arg", "a=a.npy", "--arg", "b=a.npy", "--out", "c=c.npy")
        self.assertEqual(load(self.path("c.npy")), ("<f4", False, (3,), [2.0, 4.0, 6.0]))

    def test_meta_parameters_change_no_result(self):
        self.write("a.npy", npy("f", [float(i) for i in range(37)]))
        for block in ["1", "5", "64", "100"]:
            self.kernel(
                "Add<float>", "--arg", "a=a.npy", "--arg", "b=a.npy", "--out", "c=c.npy:37", "--set", "block=" + block
            )
            self.assertEqual(load(self.path("c.npy"))[3], [2.0 * i for i in range(37)])

    def test_every_element_type(self):
        for code, kernel in zip(
            "bhiqBHIQefd",
            "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t nt::f16 float double".split(),
        ):
            with self.subTest(kernel):
                values = [0, 1, 2, 3, 100, 7]
                self.write("x.npy", npy(code, values, (2, 3)))
                self.kernel("Copy<%s>" % kernel, "--arg", "x=x.npy", "--out", "y=y.npy:2x3")
                descr, _, shape, got = load(self.path("y.npy"))
                self.assertEqual((shape, got), ((2, 3), values))

    def test_bool(self):
        self.write("x.npy", npy("?", [True, False, False]))
        self.kernel("Not", "--arg", "x=x.npy", "--out", "y=y.npy:3")
        self.assertEqual(load(self.path("y.npy")), ("|b1", False, (3,), [False, True, True]))
        self.write("x.npy", npy("B", [0, 255, 1]))  # bytes that are no bools become bools
        self.kernel("Not", "--arg", "x=x.npy", "--out", "y=y.npy:3")
        self.assertEqual(load(self.path("y.npy"))[3], [True, False, False])

    def test_bf16_as_bits(self):
        bits = [0x3F80, 0xC000, 0x7F80, 0x0000]
        for descr in ["<u2", "<V2", "|V2"]:
            self.write("x.npy", npy("H", bits, descr=descr))
            self.kernel("Widen", "--arg", "p0=x.npy", "--out", "p1=y.npy:4")
            self.assertEqual(load(self.path("y.npy"))[3], [1.0, -2.0, float("inf"), 0.0])
        self.write("x.npy", npy("H", bits, (2, 2)))
        self.kernel("Copy<nt::bf16>", "--arg", "x=x.npy", "--out", "y=y.npy:2x2,u16")
        self.assertEqual(load(self.path("y.npy")), ("<u2", False, (2, 2), bits))

    def test_fp8_as_bits(self):
        self.write("x.npy", npy("B", [0x38, 0xB8, 0x7E, 0x01]))
        self.kernel("Decode<nt::f8e4m3fn>", "--arg", "x=x.npy", "--out", "y=y.npy:4")
        self.assertEqual(load(self.path("y.npy"))[3], [1.0, -1.0, 448.0, 2.0**-9])
        self.write("x.npy", npy("B", [0x38, 0x7B]))
        self.kernel("Decode<nt::f8e5m2>", "--arg", "x=x.npy", "--out", "y=y.npy:2")
        self.assertEqual(load(self.path("y.npy"))[3], [0.5, 57344.0])

    def test_fortran_order(self):
        values = list(range(15))
        self.write("x.npy", npy("i", values, (5, 3), fortran=True))  # column by column
        self.kernel("Copy<nt::i32>", "--arg", "x=x.npy", "--out", "y=y.npy:5x3")
        rows = [c * 5 + r for r in range(5) for c in range(3)]
        self.assertEqual(load(self.path("y.npy")), ("<i4", False, (5, 3), rows))

    def test_fortran_order_stays_in_place(self):
        self.write("x.npy", npy("i", [7] * 6, (2, 3)))
        self.write("y.npy", npy("i", [0] * 6, (2, 3), fortran=True))
        self.kernel("Copy<nt::i32>", "--arg", "x=x.npy[::-1, 0:3]", "--arg", "y=y.npy", "--out", "y=z.npy")
        self.assertEqual(load(self.path("z.npy")), ("<i4", True, (2, 3), [7] * 6))

    def test_big_endian(self):
        self.write("x.npy", npy("i", [1, -2, 300000, 4], (2, 2), order=">"))
        self.kernel("Copy<nt::i32>", "--arg", "x=x.npy", "--out", "y=y.npy:2x2")
        self.assertEqual(load(self.path("y.npy")), ("<i4", False, (2, 2), [1, -2, 300000, 4]))

    def test_header_versions(self):
        for version in [(1, 0), (2, 0), (3, 0)]:
            self.write("x.npy", npy("i", [1, 2], (1, 2), version=version))
            self.kernel("Copy<nt::i32>", "--arg", "x=x.npy", "--out", "y=y.npy:1x2")
            self.assertEqual(load(self.path("y.npy"))[3], [1, 2])

    def test_sliced_inputs(self):
        values = list(range(60))
        self.write("x.npy", npy("i", values, (6, 10)))
        rows = [values[r * 10 : r * 10 + 10] for r in range(6)]
        for text, part in [
            ("[1:4, ::3]", [r[::3] for r in rows[1:4]]),
            ("[::-1]", rows[::-1]),
            ("[-2:, -1:0:-4]", [r[-1:0:-4] for r in rows[-2:]]),
            ("[2, None, :]", [rows[2]]),
            ("[..., 4:5]", [r[4:5] for r in rows]),
            ("[3:1]", []),
        ]:
            with self.subTest(text):
                shape = "%dx%d" % (len(part), len(part[0]) if part else 10)
                self.kernel("Copy<nt::i32>", "--arg", "x=x.npy" + text, "--out", "y=y.npy:" + shape)
                self.assertEqual(load(self.path("y.npy"))[3], list(itertools.chain(*part)))

    def test_sliced_output(self):
        self.write("x.npy", npy("i", [1, 2, 3, 4], (2, 2)))
        self.write("y.npy", npy("i", [-7] * 20, (4, 5)))
        self.kernel("Copy<nt::i32>", "--arg", "x=x.npy", "--out", "y=y.npy[1:3, 4:0:-2]")
        want = [-7] * 20
        want[9], want[7], want[14], want[12] = 1, 2, 3, 4
        self.assertEqual(load(self.path("y.npy"))[3], want)

    def test_in_place(self):
        self.write("x.npy", npy("f", [1.0, 2.0, 3.0]))
        self.kernel("Scale<float>", "--arg", "x=x.npy", "--arg", "factor=-0.5", "--out", "x=x.npy")
        self.assertEqual(load(self.path("x.npy")), ("<f4", False, (3,), [-0.5, -1.0, -1.5]))
        self.kernel("Scale<float>", "--arg", "x=x.npy[::2]", "--arg", "factor=2", "--out", "x=other.npy")
        self.assertEqual(load(self.path("other.npy")), ("<f4", False, (2,), [-1.0, -3.0]))
        self.assertEqual(load(self.path("x.npy"))[3], [-0.5, -1.0, -1.5])

    def test_kernel_expressions(self):
        self.write("x.npy", npy("f", [1.0, 2.0]))
        for kernel in [
            "Scale<float>{.negate = true}",
            "negated()",
            "Scale<float>{{16}, true}",
            "[] { return negated(); }()",
        ]:
            with self.subTest(kernel):
                self.kernel(kernel, "--arg", "x=x.npy", "--arg", "factor=3", "--out", "x=y.npy")
                self.assertEqual(load(self.path("y.npy"))[3], [-3.0, -6.0])
        self.write("x.npy", npy("d", [1.0, 2.0]))
        for kernel in ["as_constant", "Scale<double>()", "decltype(as_constant)", "Scale<double, float>"]:
            with self.subTest(kernel):
                self.kernel(kernel, "--arg", "x=x.npy", "--arg", "factor=3", "--out", "x=y.npy")
                self.assertEqual(load(self.path("y.npy"))[3], [3.0, 6.0])

    def test_scalars(self):
        for kernel, code, text, value in [
            ("Scale<float>", "f", "1e1", 10.0),
            ("Scale<int32_t, int32_t>", "i", "-3", -3),
            ("Scale<float, nt::f16>", "f", "0.1", 0.0999755859375),
            ("Scale<float, nt::bf16>", "f", "0.1", 0.10009765625),
            ("Scale<float, uint8_t>", "f", "255", 255.0),
            ("Scale<double, double>", "d", "0x1p-1", 0.5),
            ("Scale<float, bool>", "f", "true", 1.0),
            ("Scale<float>", "f", "inf", float("inf")),
        ]:
            with self.subTest(kernel + " " + text):
                self.write("x.npy", npy(code, [1]))
                self.kernel(kernel, "--arg", "x=x.npy", "--arg", "factor=" + text, "--out", "x=y.npy")
                self.assertEqual(load(self.path("y.npy"))[3], [value])
        self.write("x.npy", npy("f", [1.0]))
        self.write("s.npy", npy("f", [2.5], ()))
        self.kernel("Scale<float>", "--arg", "x=x.npy", "--arg", "factor=s.npy", "--out", "x=y.npy")
        self.assertEqual(load(self.path("y.npy"))[3], [2.5])

    def test_no_programs(self):
        self.write("a.npy", npy("f", []))
        self.kernel("Add<float>", "--arg", "a=a.npy", "--arg", "b=a.npy", "--out", "c=c.npy:0")
        self.assertEqual(load(self.path("c.npy")), ("<f4", False, (0,), []))

    def test_pipes(self):
        self.write("a.npy", npy("f", [1.0]))
        self.kernel("Add<float>", "--arg", "a=a.npy", "--arg", "b=a.npy", "--out", "c=/dev/null:1")

    def test_output_keeps_mode_and_link(self):
        self.write("a.npy", npy("f", [1.0]))
        self.write("real.npy", b"")
        os.chmod(self.path("real.npy"), 0o640)
        os.symlink("real.npy", self.path("c.npy"))
        self.kernel("Add<float>", "--arg", "a=a.npy", "--arg", "b=a.npy", "--out", "c=c.npy:1")
        self.assertTrue(os.path.islink(self.path("c.npy")))
        self.assertEqual(os.stat(self.path("real.npy")).st_mode & 0o777, 0o640)
        self.assertEqual(load(self.path("c.npy"))[3], [2.0])
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["a.npy", "c.npy", "real.npy"])


if __name__ == "__main__":
    main()
