#!/usr/bin/env python3
"""ptxas accepts the PTX that Tine makes, for sm_80, 90, 100 and 120.

  ptx_accepted.py examples TINEC KERNELS      every example kernel, compiled for each of these targets
  ptx_accepted.py tests PROGRAM [ARGUMENT...] what a test program compiles for the emulated sm_80 and sm_90 ({arch} in an
                                              argument), found in a disk cache of its own; assembled for each of these

Exit code: 0 all accepted, 1 not, 77 there is no ptxas, or nothing that the program can compile here.
"""

import concurrent.futures
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ARCHITECTURES = [80, 90, 100, 120]
# A kernel of each header, at block sizes that fit a GPU; shapes where a tile's size is known only at the call.
EXAMPLES = {
    "accumulator.hpp": [],
    "add.hpp": [("Add<float>", [])],
    "addmm.hpp": [("Addmm<tine::f16>", ["bm=64", "bn=64", "bk=32"])],
    "attention.hpp": [("Attention<tine::f16>", ["bm=64", "bn=64", *(f"{p}:1x2x96x128" for p in "qkvo")])],
    "bmm.hpp": [("Bmm<tine::bf16>", ["bm=64", "bn=64", "bk=32"])],
    "conv2d.hpp": [("Conv2d<tine::f16>", ["bm=64", "bn=64", "bk=32"])],
    "matmul.hpp": [
        ("Matmul<tine::f16>", ["bm=128", "bn=128", "bk=32"]),
        ("Matmul<float>", ["bm=64", "bn=64", "bk=16"]),
    ],
    "rms_norm.hpp": [("RmsNorm<tine::f16>", ["rows=1", "block=1024"])],
    "rope.hpp": [("Rope<tine::f16>", ["x:1x64x4x128", "sin:64x64", "cos:64x64", "y:1x64x4x128"])],
    "silu.hpp": [("Silu<tine::bf16>", ["block=1024"])],
    "softmax.hpp": [("Softmax<float>", ["rows=1", "block=1024"])],
    "swiglu.hpp": [("Swiglu<tine::f16>", ["block=1024"])],
    "transpose.hpp": [("Transpose<float>", ["bm=32", "bn=32"])],
}


def find_ptxas():
    for home in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"):
        if home and (pathlib.Path(home) / "bin/ptxas").exists():
            return str(pathlib.Path(home) / "bin/ptxas")
    return shutil.which("ptxas")


def artefacts(folder):
    """PTX of the GPU artefacts in a disk cache, and the architecture that each is for (codegen/abi/gpu_artefact.h)."""
    for path in pathlib.Path(folder).rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        at = data.find(b"TINEGPU\0")
        if at < 0:
            continue
        code, arch = struct.unpack_from("<II", data, at + 12)
        offset, size = struct.unpack_from("<QQ", data, at + 48)
        if code == 1:
            yield arch, data[at + offset : at + offset + size].rstrip(b"\0").decode()


def refused(ptxas, work, number, arch):
    """ptxas' words, empty if it accepts."""
    source = work / f"{number}.ptx"
    target = work / f"{number}-{arch}.cubin"
    done = subprocess.run([ptxas, f"-arch=sm_{arch}", str(source), "-o", str(target)], capture_output=True, text=True)
    target.unlink(missing_ok=True)
    return (done.stdout + done.stderr).strip() if done.returncode else ""


def of_examples(tinec, kernels):
    """[(name, PTX, architectures)]"""

    def emit(header, kernel, settings, arch):
        command = [
            tinec,
            "emit",
            str(pathlib.Path(kernels) / header),
            "--kernel",
            kernel,
            "--target",
            f"nvptx:sm_{arch}",
            "--stage",
            "ptx",
            "--quiet",
        ]
        for s in settings:
            command += ["--set", s] if "=" in s else ["--shape", s.replace(":", "=")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return f"{kernel} for sm_{arch}", done.stdout, [arch]

    unknown = {p.name for p in pathlib.Path(kernels).glob("*.hpp")} - set(EXAMPLES)
    if unknown:
        sys.exit(f"no kernel of {', '.join(sorted(unknown))} is named in this script")
    work = [(h, k, s, a) for h, list_ in EXAMPLES.items() for k, s in list_ for a in ARCHITECTURES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda w: emit(*w), work))


def of_tests(command):
    found = {}
    for arch in (80, 90):
        with tempfile.TemporaryDirectory() as cache:
            environment = {
                **os.environ,
                "TINE_TARGET": f"emulated:sm_{arch}",
                "TINE_CACHE": "on",
                "TINE_CACHE_DIR": cache,
            }
            # Whether the tests pass is another test's affair.
            words = [word.replace("{arch}", str(arch)) for word in command]
            done = subprocess.run(words, capture_output=True, text=True, env=environment)
            number = 0
            for made_for, ptx in artefacts(cache):
                found[ptx] = (f"{made_for}/{number}", ptx, [a for a in ARCHITECTURES if a >= made_for])
                number += 1
            if not number and "skipped: " in done.stdout:
                return []
            if not number:
                sys.exit(
                    f"`{' '.join(command)}` compiled nothing for sm_{arch}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
                )
    return list(found.values())


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("examples", "tests"):
        sys.exit(__doc__)
    ptxas = find_ptxas()
    if not ptxas:
        print("skipped: there is no ptxas (CUDA toolkit 13, found by CUDA_HOME or PATH)")
        return 77
    made = of_examples(*sys.argv[2:]) if sys.argv[1] == "examples" else of_tests(sys.argv[2:])
    if not made:
        print(f"skipped: `{sys.argv[2]}` says that it has nothing to compile here")
        return 77
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(n, i, ptx, a) for i, (n, ptx, archs) in enumerate(made) for a in archs]
        for i, (_, ptx, _) in enumerate(made):  # all before ptxas reads any: several jobs read each
            pathlib.Path(folder, f"{i}.ptx").write_text(ptx)
        words = pool.map(lambda j: refused(ptxas, pathlib.Path(folder), j[1], j[3]), jobs)
        for (name, _, ptx, arch), said in zip(jobs, words):
            if said:
                wrong += 1
                print(f"{name}: refused for sm_{arch}: {said}\n{ptx if wrong == 1 else ''}")
    print(f"{len(jobs) - wrong} of {len(jobs)} accepted, from {len(made)} texts")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
