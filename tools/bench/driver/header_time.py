"""Time that a user's C++ compiler takes for a translation unit with one kernel header, and with all of them."""

import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

TARGETS = {"one header": 0.5, "all headers": 2.0}


def compile_time(root, headers, repetitions, cpus):
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "unit.cpp"
        lines = [f'#include "{h}"\n' for h in headers]
        for i, h in enumerate(headers):
            export = next(x for x in h.read_text().splitlines() if x.startswith("TINE_EXPORT("))
            kernel = export[len("TINE_EXPORT(") :].split(",")[0]
            lines.append(f"tine::core::Definition* make_{i}() {{ return tine::define({kernel}<float>{{}}); }}\n")
        unit.write_text("".join(lines))
        command = [
            "taskset",
            "-c",
            cpus,
            "g++",
            "-std=c++20",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            f"-I{root}/dsl/include",
            f"-I{root}/runtime/include",
            "-c",
            str(unit),
            "-o",
            str(unit) + ".o",
        ]
        times, cpu = [], []
        for _ in range(repetitions):
            start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(time.monotonic() - start)
            cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times), statistics.median(cpu)


def measure(root, repetitions, cpus):
    """{header or "all headers": (seconds, CPU seconds)}"""
    headers = [h for h in sorted((root / "examples/kernels").glob("*.hpp")) if "TINE_EXPORT(" in h.read_text()]
    results = {h.name: compile_time(root, [h], repetitions, cpus) for h in headers}
    results[f"all {len(headers)} headers"] = compile_time(root, headers, repetitions, cpus)
    return results
