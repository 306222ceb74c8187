"""tinec arrange: of kernels, and of operations in neutral form, where every case of the files must come out."""

import json
import os

from harness import BASIC, WRONG, Case, main

CASES = os.environ["TINE_CASES"]


class ArrangeKernel(Case):
    def arrange(self, kernel, *words):
        return json.loads(self.succeed("arrange", BASIC, "--kernel", kernel, *words))

    def test_levels_and_indices(self):
        got = self.arrange("Copy<nt::i32>", "--shape", "x=3x5", "--shape", "y=3x5", "--set", "bm=2", "--set", "bn=3")
        self.assertEqual(
            {k: got[k] for k in ("config", "grid", "num_programs")},
            {"config": {"bm": 2, "bn": 3}, "grid": [2, 2], "num_programs": 4},
        )
        self.assertIn("Copy<", got["kernel"])
        x, y = got["parameters"]
        self.assertEqual(
            x,
            {
                "name": "x",
                "dtype": "i32",
                "source_shape": [3, 5],
                "level_shapes": [[2, 2], [2, 3]],
                "num_programs": 4,
                "indices": [
                    [[[0, 1, 2], [5, 6, 7]], [[3, 4, -1], [8, 9, -1]]],
                    [[[10, 11, 12], [-1, -1, -1]], [[13, 14, -1], [-1, -1, -1]]],
                ],
            },
        )
        self.assertEqual(dict(x, name="y"), y)

    def test_scalars_have_no_shape(self):
        got = self.arrange("Scale<float>", "--shape", "x=3", "--set", "block=2")
        self.assertEqual([p["name"] for p in got["parameters"]], ["x"])
        self.assertEqual(got["parameters"][0]["indices"], [[0, 1], [2, -1]])
        self.refuse(
            1,
            "parameter `factor` is a scalar and has no shape",
            "arrange",
            BASIC,
            "--kernel",
            "Scale<float>",
            "--shape",
            "factor=1",
        )

    def test_no_programs(self):
        got = self.arrange("Add<float>", "--shape", "a=0", "--shape", "b=0", "--shape", "c=0")
        self.assertEqual((got["num_programs"], got["parameters"][0]["indices"]), (0, []))

    def test_errors(self):
        def refuse(code, sentence, *words, kernel="Add<float>", header=BASIC):
            return self.refuse(code, sentence, "arrange", header, "--kernel", kernel, *words)

        refuse(
            1,
            "the shape of parameter `b` (rank 1) is not given; give it, as in `--shape b=5x7`",
            "--shape",
            "a=1",
            "--shape",
            "c=1",
        )
        refuse(1, "parameter `a` has rank 1, but `5x7` has rank 2", "--shape", "a=5x7")
        refuse(1, "kernel `Add<float>` has no parameter `d` for `--shape`; it has `a`, `b` and `c`", "--shape", "d=5")
        refuse(2, "`--shape` takes `NAME=SHAPE`, as in `a=5x7`, not `a=5y7`", "--shape", "a=5y7")
        refuse(1, "basic.hpp:12: error: kernel `Add<float>`", "--shape", "a=3", "--shape", "b=4", "--shape", "c=3")
        refuse(
            1,
            "wrong.hpp:25: error: kernel `UnequalGrids`: the outermost shapes of the parameters differ",
            "--shape",
            "x=3",
            "--shape",
            "y=9",
            kernel="UnequalGrids",
            header=WRONG,
        )
        refuse(
            1,
            "has more than 4194304 elements, too many to list; try smaller sizes",
            "--shape",
            "a=99999999",
            "--shape",
            "b=99999999",
            "--shape",
            "c=99999999",
        )
        refuse(
            1,
            "",
            "--shape",
            "a=9223372036854775807",
            "--shape",
            "b=9223372036854775807",
            "--shape",
            "c=9223372036854775807",
        )

    def test_usage(self):
        self.refuse(2, "`arrange` needs a header and `--kernel`, or `--ops FILE.json`", "arrange")
        self.refuse(2, "`arrange` needs a header and `--kernel`, or `--ops FILE.json`", "arrange", BASIC)
        self.refuse(
            2, "`--ops` stands alone; a header comes with `--kernel` and `--shape`", "arrange", BASIC, "--ops", "x.json"
        )


class ArrangeOps(Case):
    def ops(self, text, *words):
        return json.loads(
            self.succeed("arrange", "--ops", "-", *words, stdin=text if isinstance(text, str) else json.dumps(text))
        )["arrangements"]

    def error(self, source_shape, *ops, **more):
        (one,) = self.ops(
            {"arrangements": [dict({"name": "x", "source_shape": source_shape, "ops": list(ops)}, **more)]}
        )
        self.assertEqual(set(one), {"name", "error"})
        self.assertNotRegex(one["error"], r"\.$|\n")
        return one["error"]

    def check_file(self, name):
        with open(os.path.join(CASES, name)) as f:
            cases = json.load(f)["arrangements"]
        got = json.loads(self.succeed("arrange", "--ops", os.path.join(CASES, name)))["arrangements"]
        self.assertEqual(len(got), len(cases))
        for case, answer in zip(cases, got):
            with self.subTest(case["name"]):
                programs = 1
                for n in case["level_shapes"][0]:
                    programs *= n
                self.assertEqual(
                    answer,
                    {
                        "name": case["name"],
                        "level_shapes": case["level_shapes"],
                        "num_programs": case.get("num_programs", programs),
                        "indices": case["expected"],
                    },
                )
        return len(cases)

    def test_cases(self):
        self.assertGreaterEqual(self.check_file("arrangements.json"), 61)

    def test_fuzz_cases(self):
        self.assertGreaterEqual(self.check_file("arrangements_fuzz.json"), 96)

    def test_rejected_cases(self):
        with open(os.path.join(CASES, "arrangements.json")) as f:
            rejected = json.load(f)["rejected"]
        for case, answer in zip(rejected, self.ops({"arrangements": rejected})):
            with self.subTest(case["name"]):
                self.assertEqual(set(answer), {"name", "error"}, case["must_reject"])

    def test_output_file(self):
        self.write("x.json", '{"arrangements": []}')
        self.assertEqual(self.succeed("arrange", "--ops", "x.json", "-o", "y.json"), "")
        with open(self.path("y.json")) as f:
            self.assertEqual(json.load(f), {"arrangements": []})
        self.refuse(1, "`none/y.json` cannot be written", "arrange", "--ops", "x.json", "-o", "none/y.json")

    def test_files_of_another_form(self):
        for text in [
            "",
            "{",
            "[1, 2",
            '{"arrangements": [}',
            "\x00",
            "nul",
            '{"a": 1e999}',
            '"\\ud800"',
            "[" * 100000,
            '{"a":' * 50000,
        ]:
            self.write("x.json", text)
            self.refuse(1, "`x.json` is not JSON: ", "arrange", "--ops", "x.json")
        self.write("x.json", b'{"arrangements": [{"name": "\xff"}]}')
        self.refuse(1, "`x.json` is not JSON: ", "arrange", "--ops", "x.json")
        for text in ["[]", "{}", "3", "null", '{"arrangements": 3}', '{"arrangements": {}}', "[" * 50000 + "]" * 50000]:
            self.write("x.json", text)
            self.refuse(1, '`x.json` is not of the form `{"arrangements": [', "arrange", "--ops", "x.json")
        self.refuse(1, "`none.json` cannot be read: No such file or directory", "arrange", "--ops", "none.json")

    def test_arrangements_of_another_form(self):
        got = self.ops(
            {
                "arrangements": [
                    3,
                    {},
                    {"name": ["x"], "source_shape": [2]},
                    {"name": 7, "source_shape": 5, "ops": []},
                    {"name": 'é"', "source_shape": [2], "ops": []},
                ]
            }
        )
        self.assertEqual(got[0], {"error": "an arrangement must be an object, not `3`"})
        self.assertEqual(got[1], {"error": "the key `source_shape` is missing"})
        self.assertEqual(got[2], {"error": "the key `ops` is missing"})
        self.assertEqual(got[3], {"name": 7, "error": "`source_shape` must be a list, not `5`"})
        self.assertEqual(got[4], {"name": 'é"', "level_shapes": [[2]], "num_programs": 2, "indices": [0, 1]})

    def test_operations_of_another_form(self):
        tile = {"op": "tile", "level": 0, "tile_shape": [2]}
        for op, sentence in [
            (3, "an operation must be an object, not `3`"),
            ({}, "an operation must have its name as the string `op`"),
            ({"op": 1}, "an operation must have its name as the string `op`"),
            ({"op": "tyle"}, "operation `tyle` does not exist; there are `tile`,"),
            ({"op": "tile"}, "`tile` needs the key `tile_shape`"),
            (dict(tile, stride=[1]), "`tile` has no key `stride`; it has `strides`,"),
            (dict(tile, tile_shape=2), "`tile_shape` of `tile` must be a list, not `2`"),
            (dict(tile, tile_shape=["2"]), 'an item of `tile_shape` of `tile` must be an integer, not `"2"`'),
            (dict(tile, tile_shape=[2.0]), "must be an integer, not `2.0`"),
            (dict(tile, tile_shape=[10**19]), "beyond the 4194304"),
            (dict(tile, tile_shape=[-(2**63)]), "beyond the 4194304"),
            (dict(tile, tile_shape=[2] * 99), "has more than 32 items"),
            (dict(tile, floor_mode=1), "`floor_mode` of `tile` must be true or false, not `1`"),
            (dict(tile, dilation=[-1]), "is -1, not positive"),
            (dict(tile, strides=[0]), "not positive"),
            (dict(tile, level="0"), "`level` of `tile` must be an integer"),
            (dict(tile, level=9), "there is no level 9"),
            (dict(tile, tile_shape=[2, 2]), "2 sizes are given for 1 dims"),
            ({"op": "pad", "pad": [[1]]}, "must be a pair"),
            ({"op": "pad", "pad": [[-9, 0]]}, "would have size -4"),
            ({"op": "getitem", "index": [{}]}, "an item of `index` is"),
            ({"op": "getitem", "index": ["x"]}, "an item of `index` is"),
            ({"op": "getitem", "index": [{"slice": [1, 2, 3, 4]}]}, "an item of `index` is"),
            ({"op": "getitem", "index": [{"slice": ["a"]}]}, "an item of `index` is"),
            ({"op": "getitem", "index": [{"int": None}]}, "an index must be an integer"),
            ({"op": "getitem", "index": [{"int": 2**70}]}, "an index must be an integer"),
            ({"op": "squeeze"}, "`squeeze` needs the key `dim`"),
            ({"op": "unsqueeze", "dim": [0]}, "must be an integer"),
            ({"op": "permute", "dims": [0, 0]}, ""),
            ({"op": "expand", "shape": [-2]}, "negative"),
            ({"op": "flatten", "start_dim": 5}, "dim 5 does not exist"),
        ]:
            with self.subTest(str(op)):
                self.assertIn(sentence, self.error([5], op))

    def test_ends_of_slices_may_be_far_away(self):
        index = [{"slice": [-(2**63), 2**63 - 1, None]}]
        (one,) = self.ops({"arrangements": [{"source_shape": [3], "ops": [{"op": "getitem", "index": index}]}]})
        self.assertEqual(one, {"level_shapes": [[3]], "num_programs": 3, "indices": [0, 1, 2]})

    def test_what_is_too_large(self):
        big = 4194304
        self.assertIn("beyond", self.error([big + 1]))
        self.assertIn("more elements than can be evaluated here", self.error([big, big, big]))
        self.assertIn("more elements than can be evaluated here", self.error([big, 2], {"op": "flatten"}))
        self.assertIn("too many to list", self.error([2000, 3000]))
        self.assertIn(
            "too many to list",
            self.error(
                [0, 2],
                {"op": "tile", "tile_shape": [-1, 1]},
                {"op": "permute", "dims": [0, 1]},
                {"op": "expand", "shape": [big, -1]},
            ),
        )
        self.assertIn("has more than 32 items", self.error([1], *[{"op": "ravel"}] * 33))
        self.assertIn("dims together", self.error([2] * 17, {"op": "tile", "tile_shape": [1] * 17}))
        self.assertIn("negative", self.error([-1]))


if __name__ == "__main__":
    main()
