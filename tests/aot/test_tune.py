"""Tuning: configs are measured on this machine, the file says which was the fastest, and libraries take it."""

import json
import os

from harness import KERNELS, TARGET, Case, main


class Tune(Case):
    kernel = {"kernel": "Scaled<float>", "set": {"block": [64, 1024]}, "tune": [{"x": [100], "y": [100]}, {"x": [100000], "y": [100000]}]}

    def describe(self, *kernels, **more):
        return self.write("library.json", {"name": "lib", "header": KERNELS, "targets": [TARGET], "kernels": list(kernels or [self.kernel]), **more})

    def test_measures_and_embeds(self):
        said = self.build("--description", self.describe(), "-o", "out", "--tune")
        self.assertEqual(said.count("tune Scaled<float> block="), 4)
        self.assertNotIn("no tuning", said)
        tuning = json.loads(self.read("out", "lib.tuning.json"))["tuning"]
        self.assertEqual([(e["kernel"], e["device"], e["shapes"]["x"]) for e in tuning], [("Scaled<float>", "cpu", [100]), ("Scaled<float>", "cpu", [100000])])
        for e in tuning:
            self.assertIn(e["config"]["block"], (64, 1024))
            self.assertGreater(e["ns"], 0)
        tuned = self.manifest("out")["kernels"][0]["instances"][0]["tuned"]
        self.assertEqual([t["size_bits"] for t in tuned], [[7, 7], [17, 17]])

    def test_the_file_decides(self):
        # The library is told to take other configs for two classes of sizes; which one ran shows in what it was built for.
        self.build("--description", self.describe(), "-o", "first", "--tune")
        tuning = json.loads(self.read("first", "lib.tuning.json"))
        tuning["tuning"][0]["config"] = {"block": 1024}
        tuning["tuning"][1]["config"] = {"block": 256}  # not among those of the description
        self.write("tuning.json", tuning)
        self.build("--description", self.describe(tuning="tuning.json"), "-o", "out")
        instance = self.manifest("out")["kernels"][0]["instances"][0]
        configs = {p["choice"]: p["config"]["block"] for p in instance["programs"]}
        self.assertEqual([configs[t["choice"]] for t in instance["tuned"]], [1024, 256])
        self.assertEqual(configs[0], 64)  # for all other sizes
        # Of two entries for one class of sizes the first counts, whichever config comes first in the description.
        twice = {"tuning": [{**tuning["tuning"][0], "config": {"block": b}} for b in (1024, 64)]}
        self.write("tuning.json", twice)
        self.build("--description", self.describe(tuning="tuning.json"), "-o", "out")
        instance = self.manifest("out")["kernels"][0]["instances"][0]
        configs = {p["choice"]: p["config"]["block"] for p in instance["programs"]}
        self.assertEqual([configs[t["choice"]] for t in instance["tuned"]], [1024, 64])
        # A kernel that has changed is not the one that was measured.
        tuning["tuning"][0]["identity"] = "0" * 32
        self.write("tuning.json", tuning)
        self.assertIn("is of another version of the kernel and is left out", self.build("--description", self.describe(tuning="tuning.json"), "-o", "out"))

    def test_refused(self):
        self.refuse(1, "`--tune` needs shapes", "--description", self.describe({"kernel": "Scaled<float>"}), "-o", "out", "--tune")
        self.refuse(1, "gives no shape of rank 1 for `y`", "--description", self.describe({**self.kernel, "tune": [{"x": [5]}]}), "-o", "out", "--tune")
        self.write("tuning.json", "[]")
        self.refuse(1, "is no tuning file", "--description", self.describe(tuning="tuning.json"), "-o", "out")
        self.assertFalse(os.path.exists(self.path("out", "lib.tuning.json")))


if __name__ == "__main__":
    main()
