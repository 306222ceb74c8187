"""Runs a test program whose sources SOURCE... count what is executed, and names the lines that no test reached.
   every_line.py LLVM_PROFDATA LLVM_COV PROGRAM ARGUMENT SOURCE..."""

import os
import pathlib
import subprocess
import sys
import tempfile


def never_run(lcov):
    """[(file, line)] of the lines of a coverage report with a count of 0; and the files that it speaks of."""
    missed, files = [], set()
    for line in lcov.splitlines():
        kind, _, value = line.partition(":")
        if kind == "SF":
            file = value
            files.add(file)
        elif kind == "DA" and value.split(",")[1] == "0":
            missed.append((file, int(value.split(",")[0])))
    return missed, files


def main():
    profdata, cov, program, argument, *sources = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        merged = f"{folder}/all.profdata"
        done = subprocess.run([program, argument], env={**os.environ, "LLVM_PROFILE_FILE": f"{folder}/%p.profraw"})
        if done.returncode:
            sys.exit(done.returncode)
        subprocess.run([profdata, "merge", "-o", merged, *pathlib.Path(folder).glob("*.profraw")], check=True)
        export = [cov, "export", "-format=lcov", "-instr-profile", merged, program, *sources]
        missed, files = never_run(subprocess.run(export, check=True, capture_output=True, text=True).stdout)
    if files != set(sources):
        sys.exit(f"lines were counted in {sorted(files)}, not in {sources}")
    for file, line in missed:
        print(f"{file}:{line}: no test runs `{pathlib.Path(file).read_text().splitlines()[line - 1].strip()}`")
    sys.exit(bool(missed))


main()
