#!/usr/bin/env python3
"""Time that a translation unit with kernels takes to compile: none, one, five and fifteen definitions. Prints a table of the
best of several rounds, in seconds of processor time."""
import argparse
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIFTEEN = ["Add<float>{}", "Softmax<float>{}", "RmsNorm<float>{}", "Matmul<float>{}", "Conv2d<float>{}", "Attention<float>{}", "Order{}", "Bits{}",
           "Add<nt::f16>{}", "Softmax<nt::f16>{}", "RmsNorm<nt::bf16>{}", "Matmul<nt::f16>{}", "Conv2d<nt::f16>{}", "Attention<nt::bf16>{}", "Add<nt::i32>{}"]
UNITS = {
    "headers alone": ("#include <tine/dsl.hpp>\n", []),
    "Add<float>": (None, FIFTEEN[:1]),
    "Matmul<float>": (None, FIFTEEN[3:4]),
    "five kernels": (None, FIFTEEN[:5]),
    "fifteen kernels": (None, FIFTEEN),
}

args = argparse.ArgumentParser()
args.add_argument("--cxx", action="append", help="compilers; default: g++ and clang++-22")
args.add_argument("--flags", default="-O2")
args.add_argument("--rounds", type=int, default=5)
args = args.parse_args()


def seconds(cxx, source):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([cxx, "-std=c++20", *args.flags.split(), f"-I{ROOT}/dsl/include", f"-I{ROOT}/tests/dsl", "-c", source, "-o", source + ".o"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


compilers = args.cxx or ["g++", "clang++-22"]
print(f"{'unit (' + args.flags + ')':24}" + "".join(f"{c:>14}" for c in compilers))
with tempfile.TemporaryDirectory() as folder:
    for name, (text, kernels) in UNITS.items():
        source = folder + "/unit.cpp"
        body = text or '#include "kernels.hpp"\n'
        for i, k in enumerate(kernels):
            body += f"tine::core::Definition* make_{i}() {{ return tine::define({k}); }}\n"
        pathlib.Path(source).write_text(body)
        print(f"{name:24}" + "".join(f"{min(seconds(c, source) for _ in range(args.rounds)):12.2f} s" for c in compilers), flush=True)
