#!/usr/bin/env python3
"""Compiles each user-facing header alone, with the warnings that a strict user has on.

Usage: headers.py ROOT COMPILER

A header must include what it uses and must not warn in somebody else's build. Prints the compiler's messages; exit
code: 0 all clean, 1 not.
"""
import os
import subprocess
import sys

FOLDERS = ["dsl/include", "runtime/include", "runtime/emulator/include"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def headers(root):
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith((".h", ".hpp")):
                    yield os.path.relpath(os.path.join(place, name), os.path.join(root, folder))


def clean(root, compiler, header):
    command = [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, *(f"-I{os.path.join(root, f)}" for f in FOLDERS), "-x", "c++", "-"]
    # Twice: the second time finds a missing include guard.
    source = f'#include "{header}"\n#include "{header}"\n'
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if result.returncode or result.stderr:
        print(f"{header}:\n{result.stderr}")
    return not result.returncode and not result.stderr


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    results = [clean(sys.argv[1], sys.argv[2], h) for h in headers(sys.argv[1])]
    print(f"{sum(results)} of {len(results)} headers are clean with {os.path.basename(sys.argv[2])}")
    sys.exit(0 if results and all(results) else 1)
