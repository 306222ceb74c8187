"""What the PTX machine counts of example kernels on `emulated:sm_80`, beside Triton's code for the same tile sizes.

Shapes are rows of 4096 elements, with a few rows, tiles or heads instead of 4096: the same code and the same tiles as at
4096 x 4096, in fewer blocks."""

import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile

from . import ptx

DEVICE = "emulated:sm_80"
# (case of workers/tine.cpp, block sizes; "": those that Tine chooses)
CASES = [
    ("add f32 64 4096", ""),
    ("add f16 64 4096", ""),
    ("silu f16 64 4096", ""),
    ("swiglu bf16 64 4096", ""),
    ("softmax f32 16 4096", ""),
    ("rms_norm f16 16 4096", ""),
    ("rope f16 64 8 128", ""),
    ("transpose f32 128 4096", ""),
    ("transpose f16 128 4096", ""),
    ("matmul f16 256 256 1024", ""),
    ("matmul f16 256 256 1024", "bm=128 bn=128 bk=32"),
    ("matmul bf16 256 256 1024", "bm=128 bn=128 bk=32"),
    ("matmul i8 256 256 1024", "bm=128 bn=128 bk=64"),
    ("matmul f32 128 128 512", ""),
    ("addmm f16 256 256 1024", ""),
    ("bmm f16 2 128 128 1024", ""),
    ("attention f16 1 512 128", ""),
    ("attention f16 1 512 128", "bm=64 bn=64"),
    ("attention_causal f16 1 512 128", "bm=64 bn=64"),
    ("conv2d f16 1 64 16 56 64 3 3", ""),
]
# Of these, Triton has the same: its name, its tile sizes.
TRITON = {
    ("matmul f16 256 256 1024", "bm=128 bn=128 bk=32"): ("matmul", 128, 128, 32),
    ("attention f16 1 512 128", "bm=64 bn=64"): ("attention", 64, 64, 128),
}
COMPILE = ("matmul f16 128 128 64", "bm=128 bn=128 bk=32")


class Failed(Exception):
    pass


def ask(build, case, settings, reports, log=False, cache=None):
    """Runs a case once (being ready takes a run) in a process of its own; returns its block sizes and what it wrote to stderr.
    `cache`: a folder, or none."""
    environment = {
        **os.environ,
        "TINE_DEVICE": DEVICE,
        "TINE_CACHE": "on" if cache else "off",
        "TINE_CACHE_DIR": cache or "",
        "BENCH_SET": settings,
        "TINE_EMULATED_REPORTS": reports,
        "TINE_LOG": "on" if log else "off",
    }
    done = subprocess.run(
        [build / "bin/bench_tine"], input=f"case {case}\n", env=environment, capture_output=True, text=True
    )
    if done.returncode or "ready" not in done.stdout:
        raise Failed((done.stderr or done.stdout).strip().split("\n")[-1])
    return done.stdout.strip().removeprefix("ready").strip(), done.stderr


def read(folder):
    """(report, PTX) of the first launch that left them."""
    first = min(pathlib.Path(folder).glob("*.json"), key=lambda p: p.name)
    return json.loads(first.read_text()), first.with_suffix(".ptx").read_text()


class Figures:
    """The figures of one kernel's code and of one launch of it."""

    def __init__(self, code, launch=None):
        self.code, self.launch = code, launch
        self.loop = ptx.main_loop(code)
        self.resources = ptx.resources(code)
        self.classes = ptx.by_class(code, self.loop) if self.loop else {}
        self.in_flight = ptx.groups_in_flight(code, self.loop) if self.loop else 0

    def resource(self, name):
        return "no ptxas" if self.resources is None else self.resources[name]

    def lines(self, key, everywhere=True):
        for line in self.launch["report"]["memory_lines"]:
            if key in line and (everywhere or (self.loop and line["line"] in self.loop)):
                yield line

    def conflicts(self, everywhere):
        """Passes of shared memory beyond those that no conflict would need, of all its passes."""
        lines = list(self.lines("shared_requests", everywhere))
        extra = sum(l["shared_wavefronts"] - l["shared_ideal"] for l in lines)
        return f"{extra} of {sum(l['shared_wavefronts'] for l in lines)}" if lines else "-"

    def sectors(self, kind):
        """32 bytes times the sectors of loads or stores, by the bytes that they used: of all, and the worst line."""
        text = self.code.split("\n")
        found = []
        for line in self.lines("global_requests"):
            is_store = "st.global" in text[line["line"] - 1]
            if (kind == "stores") == is_store and line["global_bytes"]:
                found.append((32 * line["global_sectors"], line["global_bytes"], line.get("source_line")))
        if not found:
            return "-", None
        worst = max(found, key=lambda f: f[0] / f[1])
        return f"{sum(f[0] for f in found) / sum(f[1] for f in found):.2f}", worst


CLASS_ORDER = [name for name, _ in ptx.CLASSES]


def measure(build):
    """(case, settings, block sizes, Figures or the reason why there are none), one after the other."""
    for case, settings in CASES:
        with tempfile.TemporaryDirectory() as folder:
            try:
                used, _ = ask(build, case, settings, folder)
                launch, code = read(folder)
                found = used, Figures(code, launch)
            except (Failed, ValueError) as e:
                found = settings, str(e)
        yield case, settings, *found


def machine_rows(measured):
    head = [
        "case",
        "tiles",
        "threads",
        "registers",
        "spilled bytes",
        "shared bytes",
        "conflicts, main loop",
        "conflicts, all",
    ]
    head += ["sectors/bytes, loads", "stores", "worst line", "stages"]
    rows = []
    for case, settings, used, f in measured:
        used += "" if settings else " (default)"
        if isinstance(f, str):
            rows.append([case, used, f, *[""] * (len(head) - 3)])
            continue
        loads, worst_load = f.sectors("loads")
        stores, worst_store = f.sectors("stores")
        worst = max((w for w in (worst_load, worst_store) if w), key=lambda w: w[0] / w[1], default=None)
        shared = f.launch["dynamic_shared"] + (f.resources["shared"] if f.resources else 0)
        rows.append(
            [
                case,
                used,
                f.launch["threads"],
                f.resource("registers"),
                f.resource("spills"),
                shared,
                f.conflicts(False),
                f.conflicts(True),
                loads,
                stores,
                (
                    f"{worst[0] / worst[1]:.2f}"
                    + (f" (line {worst[2]})" if worst[2] and worst[0] > 1.1 * worst[1] else "")
                    if worst
                    else "-"
                ),
                f.in_flight + 1 if f.in_flight else "-",
            ]
        )
    return head, rows


def triton_rows(measured, peers):
    """Ours and Triton's main loops; a reason instead where Triton is not there."""
    python = peers / "bin/python"
    head = [
        "kernel",
        "who",
        "threads",
        "stages",
        "registers",
        "spilled bytes",
        "shared bytes",
        "in the main loop",
        *CLASS_ORDER,
    ]
    if not python.exists() or subprocess.run([python, "-c", "import triton"], capture_output=True).returncode:
        return head, [], "Triton: missing (tools/bench/run --install-peers)"
    script = pathlib.Path(__file__).resolve().parent.parent / "workers/triton_kernels.py"
    rows, version = [], ""

    def row(kernel, who, threads, stages, shared, f):
        counts = [f.classes.get(c, 0) for c in CLASS_ORDER]
        rows.append(
            [kernel, who, threads, stages, f.resource("registers"), f.resource("spills"), shared, sum(counts), *counts]
        )

    for case, settings, _, f in measured:
        if (case, settings) not in TRITON or isinstance(f, str):
            continue
        name, *tiles = TRITON[case, settings]
        threads, stages = f.launch["threads"], f.in_flight + 1
        row(f"{name} {'x'.join(map(str, tiles))}", "Tine", threads, stages, f.launch["dynamic_shared"], f)
        for warps in sorted({threads // 32, 4}):
            with tempfile.TemporaryDirectory() as folder:
                command = [python, script, name, *tiles, warps, stages, f"{folder}/k.ptx"]
                done = subprocess.run(
                    list(map(str, command)),
                    capture_output=True,
                    text=True,
                    env={**os.environ, "TRITON_CACHE_DIR": folder},
                )
                if done.returncode:
                    rows.append(
                        ["", "Triton", 32 * warps, stages, done.stderr.strip().split("\n")[-1], *[""] * (len(head) - 5)]
                    )
                    continue
                version, shared = done.stdout.split()
                row("", "Triton", 32 * warps, stages, shared, Figures(pathlib.Path(folder, "k.ptx").read_text()))
    return head, rows, f"Triton: {version}, for sm_80, with the same tile sizes, warps and stages, and with 4 warps"


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_times(build, rounds):
    """Milliseconds from the graph to PTX in fresh processes, the least: of the clock, and of processor time, which is that of
    a process that compiles less that of one that finds the code on disk."""
    wall, with_compile, without = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        ask(build, *COMPILE, "", cache=folder)
        for _ in range(rounds):
            start = children_cpu()
            _, said = ask(build, *COMPILE, "", log=True)
            middle = children_cpu()
            ask(build, *COMPILE, "", cache=folder)
            wall.append(float(re.search(r"compiled .* in ([\d.]+) ms", said).group(1)))
            with_compile.append(middle - start)
            without.append(children_cpu() - middle)
    return min(wall), 1e3 * (min(with_compile) - min(without))
