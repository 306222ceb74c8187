"""tools/gpu-check: without a GPU it says so; on the stand-in for the driver it checks every kernel."""

import os
import shutil

from harness import TOOL, Case, main, run

SOURCE, STAND_IN = os.environ["TINE_SOURCE"], os.environ["TINE_STAND_IN_CUDA"]


class GpuCheck(Case):
    def test_made_here_and_run(self):
        script = os.path.join(SOURCE, "tools", "gpu-check")
        done = run([script, "make", self.path("check"), "--tinec", TOOL])
        self.assertEqual(done.returncode, 0, done.stderr)
        shutil.move(self.path("check"), self.path("elsewhere"))
        there = self.path("elsewhere", "gpu-check")
        done = run([there], env={"TINE_CUDA_LIBRARY": self.path("none.so")})
        self.assertEqual(done.returncode, 3)
        self.assertIn("there is no GPU to check here", done.stdout)
        done = run([there], env={"TINE_CUDA_LIBRARY": STAND_IN})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("(the stand-in for the driver)", done.stdout)
        self.assertEqual(done.stdout.count("matmul"), 6)
        self.assertTrue(done.stdout.endswith("all right\n"), done.stdout)

    def test_usage(self):
        done = run([os.path.join(SOURCE, "tools", "gpu-check"), "--wrong"])
        self.assertEqual(done.returncode, 2)
        self.assertIn("Usage: tools/gpu-check make FOLDER", done.stderr)
        done = run([os.path.join(SOURCE, "tools", "gpu-check")])
        self.assertEqual(done.returncode, 2)
        self.assertIn("there are no kernels beside this script", done.stderr)


if __name__ == "__main__":
    main()
