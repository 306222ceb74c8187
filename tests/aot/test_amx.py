"""A library for processors with AMX, executed: by a processor that has it, else with its instructions trapped (tests/amx)."""

import os
import signal
import struct

from harness import EXAMPLES, Case, main, run

# What the library then no longer asks the processor for: AVX512-FP16 and the three of AMX (edx of leaf 7), and the system for: to save
# tiles (xcr0).
TRAPPED = {(7, 0, 3): 1 << 22 | 1 << 23 | 1 << 24 | 1 << 25, (0xffffffff, 0, 0): 3 << 17}


def without_amx(data):
    """The library with a description (runtime/aot/pack.hpp) whose targets need nothing of what the trap executes."""
    data = bytearray(data)
    pack = data.index(b"TINEAOT\0\1\0\0\0")
    targets, count = struct.unpack_from("<II", data, pack + 32)
    for target in range(pack + targets, pack + targets + 32 * count, 32):
        amx, features, many = struct.unpack_from("<III", data, target + 20)
        assert amx == 1 and many > 5, (amx, many)
        struct.pack_into("<I", data, target + 20, 0)
        for feature in range(pack + features, pack + features + 16 * many, 16):
            *register, bits = struct.unpack_from("<IIII", data, feature)
            struct.pack_into("<I", data, feature + 12, bits & ~TRAPPED.get(tuple(register), 0))
    return data


REFUSED = "kernel `matmul` was built for `cpu:amx`, and this processor has not all that any of them needs; build it for a lower level too\n"


class Amx(Case):
    def test_numbers(self):
        self.build(os.path.join(EXAMPLES, "matmul.hpp"), "--kernel", "Matmul<tine::bf16, float>", "--kernel", "Matmul<tine::i8, int>", "--target", "cpu:amx",
                   "--name", "mm", "-o", "out")
        program = self.compile("g++", "amx.cpp", "out", ["-I" + os.environ["TINE_SOURCE"], "-L" + self.path("out"), "-lmm", "-Wl,-rpath," + self.path("out"),
                                                         os.environ["TINE_AMX"], "-ldl"])
        own = run([program])
        if own.returncode == 0:
            print("AMX: this processor's own")
            self.assertIn("all right", own.stdout)
            return
        self.assertIn(REFUSED, own.stdout)
        with open(self.path("out", "libmm.so"), "rb") as f:
            data = without_amx(f.read())
        with open(self.path("out", "libmm.so"), "wb") as f:
            f.write(data)
        trapped = run([program, "trap"])
        if REFUSED in trapped.stdout:
            self.skipTest("not run: beside AMX, this processor lacks other instructions that `cpu:amx` needs")
        self.assertEqual((trapped.returncode, trapped.stdout), (0, "all right\n"), trapped.stderr)
        # And these were the instructions of AMX: without the trap they are illegal.
        self.assertEqual(run([program]).returncode, -signal.SIGILL)


if __name__ == "__main__":
    main()
