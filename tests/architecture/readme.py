#!/usr/bin/env python3
"""Compiles the C++ of README.md: its first block is a kernel's header, its second stands in a host program.

Usage: readme.py ROOT COMPILER
"""
import os
import re
import subprocess
import sys

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, compiler = sys.argv[1:]
    with open(os.path.join(root, "README.md"), encoding="utf-8") as f:
        kernel, host = re.findall(r"```cpp\n(.*?)```", f.read(), re.S)
    source = f"#include <vector>\n{kernel}\nint main() {{\n{host}}}\n"
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
               f"-I{root}/dsl/include", f"-I{root}/runtime/include", "-x", "c++", "-"]
    sys.exit(subprocess.run(command, input=source, text=True, check=False).returncode)
