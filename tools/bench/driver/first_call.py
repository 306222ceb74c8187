"""Time of the first call of `add` in a fresh process: compiled, and served by the disk cache."""

import os
import statistics
import subprocess
import tempfile

TARGETS = {"cold": 60.0, "disk cache": 3.0}


def once(program, environment, cpus):
    words = subprocess.run(
        ["taskset", "-c", cpus, str(program)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return float(words[0]), float(words[1]), int(words[2]), int(words[3])


def measure(build, cpus, repetitions):
    """{what: (median ms, least ms, median CPU ms)}"""
    program = build / "bin/bench_first_call"
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        cold = [once(program, {"TINE_CACHE": "off"}, cpus) for _ in range(repetitions)]
        once(program, {"TINE_CACHE_DIR": folder}, cpus)
        warm = [once(program, {"TINE_CACHE_DIR": folder}, cpus) for _ in range(repetitions)]
    assert all(r[2] == 1 for r in cold) and all(r[3] == 1 for r in warm), "the cache did not do what it was told"
    for name, runs in (("cold", cold), ("disk cache", warm)):
        results[name] = (
            statistics.median(r[0] for r in runs),
            min(r[0] for r in runs),
            statistics.median(r[1] for r in runs),
        )
    return results
