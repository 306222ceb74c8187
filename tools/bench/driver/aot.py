"""What libraries of kernels cost: building many variants, a call, the library's start, a build in which nothing changes."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
TILES = [(m, n, k) for m in (32, 64, 128) for n in (64, 128) for k in (32, 64)]  # 12 configs
EMPTY = """#include <tine/tine.hpp>
struct Empty {  // six tensors, one program that stores one element
  tine::BlockSize bm{8};
  using T = tine::Tensor<float, 2>;
  auto arrangement(T a, T b, T c, T d, T e, T f) const {
    return std::tuple{a.tile({bm, bm}), b.tile({bm, bm}), c.tile({bm, bm}), d.tile({bm, bm}), e.tile({bm, bm}), f.tile({bm, bm})};
  }
  void application(auto, auto, auto, auto, auto, auto f) const { f = 0.0f; }
};
"""
CALL = r"""#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "empty.h"
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
typedef int Launch(tine_stream, const tine_tensor*, const tine_tensor*, const tine_tensor*, const tine_tensor*, const tine_tensor*, const tine_tensor*);
int main(int argc, char** argv) {
  double start = now();
  void* library = dlopen(argv[argc - 1], RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  Launch* launch = (Launch*)dlsym(library, "empty_launch");
  const double opened = now() - start;
  const int64_t shape[2] = {1, 1};
  tine_tensor t[6];
  for (int i = 0; i < 6; ++i) t[i] = (tine_tensor){aligned_alloc(64, 64), shape, NULL, 2, TINE_F32};
  start = now();
  if (launch(TINE_STREAM_CPU, t, t + 1, t + 2, t + 3, t + 4, t + 5)) return 1;
  const double first = now() - start;
  double best = 1e30;
  for (int round = 0; round < 200; ++round) {
    start = now();
    for (int i = 0; i < 1000; ++i) launch(TINE_STREAM_CPU, t, t + 1, t + 2, t + 3, t + 4, t + 5);
    const double ns = (now() - start) / 1000;
    if (ns < best) best = ns;
  }
  printf("%.0f %.0f %.1f\n", opened, first, best);
  return 0;
}
"""


def timed(command, **options):
    """(seconds, processor seconds of the children, the process)."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def many_variants(build, peers, rows):
    description = {"name": "many", "header": str(ROOT / "examples/kernels/matmul.hpp"), "targets": ["cpu", "nvptx:sm_80"],
                   "kernels": [{"kernel": "Matmul<tine::f16>", "set": {"bm": [32, 64, 128], "bn": [64, 128], "bk": [32, 64]}},
                               {"name": "mixed", "kernel": "Matmul<tine::bf16>", "set": {"bm": [64, 128], "bn": [64], "bk": [32, 64]}}]}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "many.json")
        file.write_text(json.dumps(description))
        command = [build / "bin/tinec", "build", "--description", file, "-o", folder, "-j", "2"]
        wall, cpu, done = timed(command)
        said = done.stderr.strip().split("\n")[-1]
        rows.append([f"build of matmul for cpu and sm_80, two threads: {said}", f"{wall:.1f} s", f"{cpu:.1f} s", "<= 60 s", "yes" if wall <= 60 else "NO"])
        wall, cpu, done = timed(command)
        rows.append(["the same again, nothing changed", f"{wall:.2f} s", f"{cpu:.2f} s", "", ""])
    python = peers / "bin/python"
    if not python.exists() or subprocess.run([python, "-c", "import triton"], capture_output=True, check=False).returncode:
        rows.append(["Triton: missing (tools/bench/run --install-peers=triton)", "", "", "", ""])
        return
    with tempfile.TemporaryDirectory() as folder:
        worker = ROOT / "tools/bench/workers/triton_matmuls.py"
        tiles = ["x".join(map(str, t)) for t in TILES]
        env = {**os.environ, "TRITON_CACHE_DIR": folder}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        halves = [subprocess.Popen([python, worker, *tiles[i::2]], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in (0, 1)]
        failed = any([h.wait() for h in halves])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        rows.append([f"Triton, {3 * len(tiles)} f16 matmuls for sm_80 (to cubin), two processes", "failed" if failed else f"{time.monotonic() - start:.1f} s", f"{cpu:.1f} s", "", ""])


def calls(build, rows):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "empty.hpp").write_text(EMPTY)
        pathlib.Path(folder, "call.c").write_text(CALL)
        command = [build / "bin/tinec", "build", f"{folder}/empty.hpp", "--kernel", "Empty", "--target", "cpu", "--name", "empty", "-o", folder, "--quiet"]
        wall, cpu, done = timed(command)
        _, header, _ = timed([build / "bin/tinec", "emit", f"{folder}/empty.hpp", "--kernel", "Empty", "--stage", "graph"])
        subprocess.run(["gcc", "-O2", f"-I{folder}", f"{folder}/call.c", "-o", f"{folder}/call"], check=True)
        opened, first, warm = map(float, subprocess.run([f"{folder}/call", f"{folder}/libempty.so"], capture_output=True, text=True, check=True).stdout.split())
        rows.append(["start of a library (dlopen)", f"{opened / 1000:.0f} us", "", "<= 1 ms", "yes" if opened <= 1e6 else "NO"])
        rows.append(["first call: checks, choice, code loaded", f"{first / 1000:.0f} us", "", "", ""])
        rows.append(["call of six tensors, one program of an empty kernel", f"{warm:.0f} ns", "", "<= 100 ns", "yes" if warm <= 100 else "NO"])
        subprocess.run(["rm", "-f", f"{folder}/libempty.so"], check=True)
        _, link, _ = timed(command)
        rows.append([f"build of one header: {cpu:.2f} s of processor time, of which the C++ compiler {header:.2f} s; all but compiling (plan, pack, link)", f"{link:.2f} s", f"{link:.2f} s", "<= 0.5 s", "yes" if link <= 0.5 else "NO"])


def measure(build, peers):
    rows = []
    calls(build, rows)
    many_variants(build, peers, rows)
    return ["what", "time", "CPU time", "target", "met"], rows
