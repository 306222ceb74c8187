#!/usr/bin/env python3
"""Writes the fixtures beside it: the headers that NineToothed's ahead-of-time builds give, for `--abi ninetoothed`.

Usage (no GPU is needed; the compiled kernels are thrown away):
  python3 -m venv venv && venv/bin/pip install ninetoothed==0.26.0
  PATH=$PWD/venv/bin:$PATH venv/bin/python generate.py

Kernels: `add`; `scaled`, with a scalar of rank 0 that is a float and one that is an integer; `shifted`, with a constexpr.
"""
import os
import re
import runpy
import subprocess
import sys
import types

import triton
from triton.backends.nvidia.driver import ty_to_cpp

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = 64


def stand_in_driver():
    """Answers as a driver with an A100 would; there need not be one."""
    utils = types.SimpleNamespace(get_device_properties=lambda device: {"max_num_regs": 65536, "max_shared_mem": 166912})
    triton.runtime.driver.set_active(types.SimpleNamespace(
        get_current_device=lambda: 0, utils=utils, map_python_to_cpp_type=ty_to_cpp,
        get_current_target=lambda: triton.backends.compiler.GPUTarget("cuda", 80, 32)))


stand_in_driver()
if sys.argv[1:2] == ["compile"]:  # in a process of its own, as NineToothed wants it
    sys.argv = sys.argv[1:]
    runpy.run_module("triton.tools.compile", run_name="__main__")
    sys.exit()

import ninetoothed  # noqa: E402
import ninetoothed.aot  # noqa: E402
from ninetoothed import Tensor  # noqa: E402


def with_driver(command, **options):
    if "triton.tools.compile" in command:
        command = [sys.executable, os.path.abspath(__file__), "compile", *command[3:]]
    return original(command, **options)


original, subprocess.run = subprocess.run, with_driver


def tiles(*tensors):
    return tuple(t.tile((BLOCK,)) if t.ndim else t for t in tensors)


def add(x, y, z):
    z = x + y  # noqa: F841


def scaled(x, s, n, y):
    y = x * s + n  # noqa: F841


def shifted(x, shift, y):
    y = x + shift  # noqa: F841


def generate(name, application, tensors):
    application.__annotations__ = dict(zip(application.__code__.co_varnames, tiles(*tensors)))
    contents = ninetoothed.aot._aot(application, "cuda", name, 4, 3)
    text = contents[name + ".h"].replace(str(ninetoothed.aot._HEADER_PATH), "ninetoothed.h")
    with open(os.path.join(HERE, name + ".h"), "w", encoding="utf-8") as f:
        f.write(text)
    launchers = [v for k, v in contents.items() if k.startswith(name + ".") and k.endswith(".cpp") and k != name + ".cpp"]
    # How a launcher reads its scalars, which no header says.
    reads = sorted(set(re.findall(r"\*\(\w+ \*\)\w+\.data", "\n".join(launchers))))
    with open(os.path.join(HERE, name + ".reads.txt"), "w", encoding="utf-8") as f:
        f.write("".join(r + "\n" for r in reads))


if __name__ == "__main__":
    f32, i32 = ninetoothed.float32, ninetoothed.int32
    generate("add", add, (Tensor(1, dtype=f32), Tensor(1, dtype=f32), Tensor(1, dtype=f32)))
    generate("scaled", scaled, (Tensor(1, dtype=f32), Tensor(0, dtype=f32), Tensor(0, dtype=i32), Tensor(1, dtype=f32)))
    generate("shifted", shifted, (Tensor(1, dtype=f32), Tensor(0, dtype=i32, constexpr=True, value=7), Tensor(1, dtype=f32)))
    with open(os.path.join(HERE, "ninetoothed.h"), "w", encoding="utf-8") as f:
        f.write(ninetoothed.aot._HEADER_CONTENT)
