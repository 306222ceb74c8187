"""tinec list."""

import json
import os

from harness import BASIC, KERNELS, Case, main


class List(Case):
    def test_text(self):
        self.assertEqual(
            self.succeed("list", BASIC),
            "\n".join(
                [
                    "Add<float>",
                    "  a      f32, rank 1",
                    "  b      f32, rank 1",
                    "  c      f32, rank 1",
                    "  block  meta-parameter: 64, 16",
                    "Add<nt::f16>",
                    "  a      f16, rank 1",
                    "  b      f16, rank 1",
                    "  c      f16, rank 1",
                    "  block  meta-parameter: 64, 16",
                    "Copy<nt::i32>",
                    "  x   i32, rank 2",
                    "  y   i32, rank 2",
                    "  bm  meta-parameter: 4",
                    "  bn  meta-parameter: 8",
                    "Widen",
                    "  p0  bf16, rank 1",
                    "  p1  f32, rank 1",
                    "",
                ]
            ),
        )

    def test_json(self):
        kernels = json.loads(self.succeed("list", BASIC, "--json"))["kernels"]
        self.assertEqual([k["name"] for k in kernels], ["Add<float>", "Add<nt::f16>", "Copy<nt::i32>", "Widen"])
        self.assertEqual(
            kernels[2],
            {
                "name": "Copy<nt::i32>",
                "parameters": [{"name": "x", "dtype": "i32", "rank": 2}, {"name": "y", "dtype": "i32", "rank": 2}],
                "meta_parameters": [
                    {"name": "bm", "default": 4, "candidates": [4]},
                    {"name": "bn", "default": 8, "candidates": [8]},
                ],
            },
        )

    def test_names_can_be_given_to_kernel(self):
        for k in json.loads(self.succeed("list", BASIC, "--json"))["kernels"]:
            self.assertIn("tine.graph", self.succeed("emit", BASIC, "--kernel", k["name"], "--stage", "graph"))

    def test_nothing_exported(self):
        nothing = os.path.join(KERNELS, "nothing.hpp")
        self.refuse(
            1, "exports no kernels; a kernel is exported by a line such as `TINE_EXPORT(Add, float);`", "list", nothing
        )
        self.assertEqual(json.loads(self.succeed("list", nothing, "--json")), {"kernels": []})

    def test_headers_that_cannot_be_read(self):
        self.refuse(1, "`none.hpp` cannot be read: No such file or directory", "list", "none.hpp")
        self.refuse(1, "`.` cannot be read: Is a directory", "list", ".")
        self.refuse(1, "`` cannot be read", "list", "")

    def test_a_closed_pipe(self):
        with open("/dev/full", "w") as full:
            import subprocess
            import harness

            done = subprocess.run([harness.TOOL, "list", BASIC], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(
            (done.returncode, done.stderr),
            (1, "tinec: error: standard output cannot be written: No space left on device\n"),
        )


if __name__ == "__main__":
    main()
