#!/usr/bin/env python3
"""User headers compile without warnings: the umbrella, each header by itself, and kernels of several kinds."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

args = argparse.ArgumentParser()
args.add_argument("--cxx", required=True)
args.add_argument("--root", type=pathlib.Path, required=True)
args = args.parse_args()
headers = args.root / "dsl" / "include"
units = {"kernels": '#include "kernels.hpp"\nvoid f(tine::core::Definition* (*use)(tine::core::Definition*)) {\n' + "".join(
    f"  use(tine::define({k}));\n" for k in ("Add<float>{}", "Matmul<nt::f16>{}", "Conv2d<nt::bf16>{}", "Softmax<float>{}", "RmsNorm<nt::f16>{}",
                                              "Attention<nt::f16>{}", "Order{}", "Bits{}")) + "}\n"}
units["exports"] = ('#define TINE_EXPORTS\n#include "kernels.hpp"\nTINE_EXPORT(Add, float, tine::f16);\nTINE_EXPORT(Order);\n')
units["no_exports"] = '#include "kernels.hpp"\nTINE_EXPORT(Add, float, tine::f16);\nTINE_EXPORT(Order);\n'
for header in sorted(headers.rglob("*.hpp")):
    name = header.relative_to(headers)
    units[str(name)] = f"#include <{name}>\n"
failed = False
with tempfile.TemporaryDirectory() as folder:
    for name, text in units.items():
        unit = pathlib.Path(folder) / "unit.cpp"
        unit.write_text(text)
        run = subprocess.run([args.cxx, "-std=c++20", *WARNINGS, "-fsyntax-only", f"-I{headers}", f"-I{args.root / 'tests/dsl'}", str(unit)],
                             capture_output=True, text=True)
        if run.returncode:
            failed = True
            print(f"== {name}\n{run.stderr}")
print(f"{len(units)} units")
sys.exit(failed)
