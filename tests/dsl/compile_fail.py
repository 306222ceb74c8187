#!/usr/bin/env python3
"""Compiles each kernel under mistakes/ and asserts: the compiler fails, says the sentence that the file expects, and says
little else. Every sentence in the headers must have a mistake that provokes it."""
import argparse
import pathlib
import re
import subprocess
import sys

MOST_LINES = 28  # the sentence itself takes 3: the error, the line and its marks


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--cxx", required=True)
    args.add_argument("--root", required=True, type=pathlib.Path)
    args.add_argument("--show", action="store_true", help="print what the compiler says")
    args.add_argument("names", nargs="*", help="only these mistakes")
    args = args.parse_args()
    headers = args.root / "dsl" / "include"
    sentences = set()
    for header in headers.rglob("*.hpp"):
        sentences |= set(re.findall(r'"(tine: [^"]*)"', header.read_text()))
    failures = []
    provoked = set()
    for source in sorted((args.root / "tests/dsl/mistakes").glob("*.cpp")):
        expect = re.match(r"// expect: (.*)", source.read_text()).group(1)
        provoked.add(expect)
        if args.names and source.stem not in args.names:
            continue
        run = subprocess.run([args.cxx, "-std=c++20", "-fsyntax-only", "-Wall", "-fno-diagnostics-color", f"-I{headers}", str(source)],
                             capture_output=True, text=True)
        said = run.stdout + run.stderr
        lines = said.count("\n")
        if args.show:
            print(f"== {source.stem}: {lines} lines\n{said}")
        if run.returncode == 0:
            failures.append(f"{source.stem}: compiles")
        elif expect not in said:
            failures.append(f"{source.stem}: the sentence is missing:\n{said}")
        elif lines > MOST_LINES:
            failures.append(f"{source.stem}: {lines} lines, at most {MOST_LINES} are allowed")
    if not args.names:
        failures += [f"no mistake provokes: {s}" for s in sorted(sentences - provoked)]
        failures += [f"no header says: {s}" for s in sorted(provoked - sentences)]
    for f in failures:
        print(f)
    print(f"{len(provoked)} sentences, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
