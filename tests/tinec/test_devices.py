"""tinec devices, tinec doctor, and tinec run on devices: the emulated ones, and the driver's stand-in in place of a GPU."""

import os

from harness import BASIC, Case, load, main, npy

NO_GPU = {"TINE_CUDA_LIBRARY": "/nowhere/libcuda.so.1"}
STAND_IN = {"TINE_CUDA_LIBRARY": os.environ["TINE_STAND_IN_DRIVER"]}


class Devices(Case):
    def test_devices(self):
        lines = self.succeed("devices", env=NO_GPU).splitlines()
        self.assertRegex(lines[0], r"^cpu +[1-9][0-9]* CPUs? that this process may use$")
        self.assertRegex(lines[1], r"^cuda +none: the library of NVIDIA's driver could not be opened \(/nowhere/libcuda")
        self.assertEqual([line.split()[0] for line in lines[2:]], ["emulated:sm_80", "emulated:sm_89", "emulated:sm_90"])
        lines = self.succeed("devices", env=dict(STAND_IN, TINE_STAND_IN_DEVICES="2")).splitlines()
        for i in range(2):
            self.assertRegex(lines[1 + i], r"^cuda:%d +Tine PTX machine, sm_89, 132 multiprocessors, 8 GiB$" % i)
        lines = self.succeed("devices", env=dict(STAND_IN, TINE_STAND_IN_DEVICES="0")).splitlines()
        self.assertRegex(lines[1], r"^cuda +none: NVIDIA's driver finds no GPU")

    def test_doctor(self):
        text = self.succeed("doctor", env=dict(NO_GPU, TINE_CACHE_DIR=self.folder.name, TINE_CACHE="on"))
        for line in [
            r"(?m)^yes  tine +tinec \d+\.\d+",
            r"(?m)^yes  compiler +\S+libtine-compiler.so, build [0-9a-f]{16,}-llvm-22",
            r"(?m)^ +`cpu` is \w+",
            r"(?m)^yes  C\+\+ compiler +\S+",
            r"(?m)^no   cuda +the library of NVIDIA's driver could not be opened",
            *(
                r"(?m)^(yes  %s +/\S+, \d+\.[\d.]+, for |no   %s +not found; only for .*: install NVIDIA's CUDA toolkit, or set `CUDA_HOME`$)"
                % (part, part)
                for part in ("ptxas", "nvJitLink", "nvrtc")
            ),
            r"(?m)^yes  disk cache +\S+, 0 files, 0 MiB of at most 1024",
            r"(?m)^ +TINE_CUDA_LIBRARY=/nowhere/libcuda.so.1",
        ]:
            self.assertRegex(text, line)
        text = self.succeed("doctor", env=dict(STAND_IN, TINE_COMPILER_LIBRARY="/none.so", CXX="", PATH="/nowhere"))
        for line in [
            r"(?m)^no   compiler +the compiler could not be opened",
            r"(?m)^no   C\+\+ compiler +no C\+\+ compiler was found",
            r"(?m)^yes  NVIDIA driver +NVIDIA driver for CUDA 13\.0$",
            r"(?m)^yes  cuda:0 +Tine PTX machine, sm_89",
            r"(?m)^no   disk cache +off",
        ]:
            self.assertRegex(text, line)
        self.assertNotIn("ptxas", text)

    def run_copy(self, device, env=None):
        self.write("x.npy", npy("f", [float(i) for i in range(30)], (5, 6)))
        words = ["--arg", "x=x.npy[::-2, 1:]", "--out", "y=y.npy:3x5"]
        self.succeed("run", BASIC, "--kernel", "Copy<float>", *words, *device, env=env)
        want = [float(6 * row + column) for row in (4, 2, 0) for column in range(1, 6)]
        self.assertEqual(load(self.path("y.npy")), ("<f4", False, (3, 5), want))

    def test_run(self):
        for device in ["emulated:sm_80", "emulated:sm_90"]:
            self.run_copy(["--device", device])
            self.run_copy([], env={"TINE_DEVICE": device})
        for device in ["cuda", "cuda:0"]:
            self.run_copy(["--device", device], env=STAND_IN)

    def test_devices_that_are_not_there(self):
        words = ["run", BASIC, "--kernel", "Add<float>", "--device"]
        self.refuse(1, "the library of NVIDIA's driver could not be opened", *words, "cuda", env=NO_GPU)
        self.refuse(1, "there is no device `cuda:3`: NVIDIA's driver has 1", *words, "cuda:3", env=STAND_IN)
        self.refuse(1, "device `emulated:sm_100` is unknown; there are `cpu`, ", *words, "emulated:sm_100")


if __name__ == "__main__":
    main()
