"""The contestants of a benchmark: who they are, how they are started, and the protocol that they speak.

It is told in workers/worker.hpp."""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent.parent


class Worker:
    """A contestant's process. It stays alive between cases, so that runs of several can alternate."""

    def __init__(self, name, command, environment, cpus):
        # Libraries that spin between parallel regions would slow the next contestant down: let them sleep soon.
        quiet = {"KMP_BLOCKTIME": "1", "OMP_WAIT_POLICY": "passive"}
        self.name = name
        self.process = subprocess.Popen(
            ["taskset", "-c", cpus, *map(str, command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **quiet, **environment},
        )
        self.version = self.ask("version")

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            while answer.startswith("onednn_verbose"):
                answer = self.process.stdout.readline()
        except OSError:
            answer = ""
        return answer.strip() or "missing it ended"

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def cpu_list(threads):
    available = sorted(os.sched_getaffinity(0))
    return ",".join(map(str, available[-threads:]))


def candidates(build, peers, threads, one_dnn):
    """(name, command, environment, reason why not) of everyone who could take part."""
    n = str(threads)
    lib = peers / "lib"
    openblas = os.environ.get("BENCH_OPENBLAS", "libopenblas.so.0")
    core_type = os.environ.get("BENCH_OPENBLAS_CORETYPE") or best_core_type()
    with_peers = {"LD_LIBRARY_PATH": str(lib)}
    yield "Tine", [build / "bin/bench_tine"], {"TINE_NUM_THREADS": n}, None
    yield "C loops", [build / "bin/bench_loops"], {"BENCH_THREADS": n}, None
    yield (
        "OpenBLAS",
        [build / "bin/bench_blas", openblas],
        {"OPENBLAS_NUM_THREADS": n, "OPENBLAS_CORETYPE": core_type, "OPENBLAS_L2_SIZE": ""},
        None,
    )
    mkl = next(iter(sorted(lib.glob("libmkl_rt.so.*"))), None)
    yield (
        "MKL",
        [build / "bin/bench_blas", mkl],
        {"MKL_NUM_THREADS": n, "MKL_THREADING_LAYER": "INTEL", **with_peers},
        None if mkl else "not installed",
    )
    one = {"DPCPP_CPU_NUM_CUS": n, "OCL_ICD_FILENAMES": str(lib / "libintelocl.so"), **with_peers}
    yield "oneDNN", [one_dnn], one, None if one_dnn else "not installed"
    yield "oneDNN, own layouts", [one_dnn], {**one, "BENCH_LAYOUT": "any"}, None if one_dnn else "not installed"
    torch = next(iter(lib.glob("python*/site-packages/torch")), None)
    yield (
        "PyTorch",
        [peers / "bin/python", HERE / "workers/torch_worker.py", n],
        {"OMP_NUM_THREADS": n, "MKL_NUM_THREADS": n},
        None if torch else "not installed",
    )


def best_core_type():
    """OpenBLAS of Debian does not know processors newer than itself, and would fall back to its slowest kernels."""
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    return "SkylakeX" if " avx512f " in flags else "Haswell" if " avx2 " in flags else "Nehalem"


def start(build, peers, threads, one_dnn, only):
    """Workers that started, and (name, reason) of those that did not."""
    workers, missing = [], []
    for name, command, environment, reason in candidates(build, peers, threads, one_dnn):
        if only and name not in only:
            continue
        if reason is None:
            worker = Worker(name, command, environment, cpu_list(threads))
            if not worker.version.startswith("missing"):
                workers.append(worker)
                continue
            reason = worker.version[8:]
            worker.close()
        missing.append((name, reason))
    return workers, missing
