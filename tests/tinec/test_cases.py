"""Cases with expected values, computed through `tinec run` by the kernels of examples/kernels."""

import json
import math
import os

from harness import Case, load, main

CASES = os.path.join(os.environ["TINE_CASES"], "kernels")
EXAMPLES = os.environ["TINE_EXAMPLES"]


def close(got, want, tolerance):
    if math.isnan(got) or math.isnan(want):
        return math.isnan(got) and math.isnan(want)
    if got == want:
        return True
    if tolerance["kind"] == "abs_rel":
        return abs(got - want) <= tolerance["atol"] + tolerance["rtol"] * abs(want)
    if tolerance["kind"] == "ulp":  # of f16
        return abs(got - want) <= max(
            tolerance["max_ulp"] * 2.0 ** max(math.frexp(want)[1] - 11, -24), tolerance.get("atol", 0)
        )
    return False


class KernelCases(Case):
    def check(self, case, variant, header, kernel, parameters, *words):
        """`parameters`: the case's name of each of the kernel's."""
        folder = os.path.join(CASES, case)
        with open(os.path.join(folder, "meta.json")) as f:
            (v,) = [v for v in json.load(f)["variants"] if v["id"] == variant]
        arguments = []
        for ours, theirs in parameters.items():
            p = v["params"][theirs]
            if p.get("out"):
                shape = "x".join(map(str, p["shape"]))
                arguments += ["--out", "%s=%s.npy:%s,%s" % (ours, theirs, shape, p["dtype"])]
            elif p.get("scalar"):
                arguments += ["--arg", "%s=%r" % (ours, p["value"])]
            else:
                arguments += ["--arg", "%s=%s" % (ours, os.path.join(folder, p["file"]))]
        self.succeed("run", os.path.join(EXAMPLES, header), "--kernel", kernel, *arguments, *words)
        for name, expected in v["expected"].items():
            _, _, shape, want = load(os.path.join(folder, expected["file"]))
            _, _, got_shape, got = load(self.path(name + ".npy"))
            self.assertEqual(got_shape, shape)
            wrong = [i for i, (g, w) in enumerate(zip(got, want)) if not close(g, w, v["tolerance"])]
            self.assertEqual(wrong, [], [(got[i], want[i]) for i in wrong[:3]])

    def test_add(self):
        for variant, kernel in [("f32", "Add<float>"), ("f16", "Add<tine::f16>")]:
            self.check("add_349", variant, "add.hpp", kernel, {"a": "x", "b": "y", "c": "out"}, "--set", "block=100")

    def test_silu(self):
        for variant, kernel in [("f32", "Silu<float>"), ("f16", "Silu<tine::f16>")]:
            self.check("silu", variant, "silu.hpp", kernel, {"x": "x", "y": "out"})

    def test_softmax(self):
        self.check("softmax_7x781", "f32", "softmax.hpp", "Softmax<float>", {"x": "x", "y": "out"})
        self.check("softmax_7x781", "nonfinite", "softmax.hpp", "Softmax<float>{.rows{2}}", {"x": "x", "y": "out"})

    def test_rms_norm(self):
        names = {"x": "x", "w": "w", "eps": "eps", "y": "out"}
        self.check("rms_norm", "f32", "rms_norm.hpp", "RmsNorm<float>", names, "--set", "block=256")
        self.check("rms_norm", "f16_in_f32_out", "rms_norm.hpp", "RmsNorm<tine::f16, float, float>", names)


if __name__ == "__main__":
    main()
