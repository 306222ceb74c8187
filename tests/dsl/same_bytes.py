#!/usr/bin/env python3
"""Builds dump_graphs.cpp with each compiler at two optimisation levels and compares what the programs print."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

args = argparse.ArgumentParser()
args.add_argument("--cxx", action="append", required=True)
args.add_argument("--root", type=pathlib.Path, required=True)
args.add_argument("--library", action="append", required=True)
args = args.parse_args()
outputs = {}
with tempfile.TemporaryDirectory() as folder:
    for cxx in args.cxx:
        for level in ("-O0", "-O2"):
            program = f"{folder}/dump"
            subprocess.run([cxx, "-std=c++20", level, f"-I{args.root}", f"-I{args.root}/dsl/include",
                            str(args.root / "tests/dsl/dump_graphs.cpp"), *args.library, "-o", program], check=True)
            outputs[cxx, level] = subprocess.run([program], check=True, capture_output=True, text=True).stdout
first = next(iter(outputs.values()))
if not first.strip():
    sys.exit("nothing was printed")
for key, output in outputs.items():
    if output != first:
        a, b = first.splitlines(), output.splitlines()
        line = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        sys.exit(f"{' '.join(key)} gives other graphs, from line {line}:\n{a[line:line + 1]}\n{b[line:line + 1]}")
print(f"{len(outputs)} programs print the same {len(first)} bytes")
