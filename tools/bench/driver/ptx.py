"""PTX as text: the main loop of a kernel, its instructions by class, and what ptxas says."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

LABEL = re.compile(r"^([$\w]+):")
BRANCH = re.compile(r"(?:@!?%\w+\s+)?bra(?:\.uni)?\s+([$\w]+)")
OPCODE = re.compile(r"^(?:@!?%\w+\s+)?([a-z][\w.]*)")

# Classes of instructions by the beginning of their opcode; the first that fits counts.
CLASSES = [
    ("mma", "mma."),
    ("ldmatrix", "ldmatrix"),
    ("cp.async", "cp.async"),
    ("shared", "ld.shared|st.shared"),
    ("global", "ld.global|st.global|ld.param|red.|atom."),
    ("barrier", "bar.|barrier."),
    ("shuffle", "shfl|vote|redux|prmt"),
    ("convert", "cvt"),
    ("compare", "setp|selp|slct"),
    ("move", "mov"),
    ("float", r"\w+(\.\w+)*\.(f16|f16x2|bf16|bf16x2|f32|f64)"),
    ("control", "bra|ret|exit"),
    ("integer", "."),
]
CLASSES = [(name, re.compile(pattern)) for name, pattern in CLASSES]


def class_of(opcode):
    return next(name for name, pattern in CLASSES if pattern.match(opcode))


def instructions(ptx):
    """[(line, label or None, opcode or None, target of a branch or None)] of the kernel."""
    found = []
    inside = False
    for number, text in enumerate(ptx.split("\n"), 1):
        text = text.split("//")[0].strip()
        if ".entry" in text:
            inside = True
        if not inside or not text or text[0] in ".(){}":
            continue
        label = LABEL.match(text)
        if label:
            found.append((number, label.group(1), None, None))
            continue
        opcode = OPCODE.match(text)
        if opcode:
            branch = BRANCH.match(text)
            found.append((number, None, opcode.group(1), branch.group(1) if branch else None))
    return found


def main_loop(ptx):
    """(first line, last line) of the innermost loop with the most matrix products or, without any, the most instructions."""
    code = instructions(ptx)
    place = {label: i for i, (_, label, _, _) in enumerate(code) if label}
    loops = [(place[to], i) for i, (_, _, _, to) in enumerate(code) if to in place and place[to] < i]
    inner = [(a, b) for a, b in loops if not any(a <= c and d <= b and (a, b) != (c, d) for c, d in loops)]
    if not inner:
        return None
    weight = lambda loop: (
        sum(1 for _, _, op, _ in code[loop[0] : loop[1] + 1] if op and op.startswith("mma.")),
        loop[1] - loop[0],
    )
    a, b = max(inner, key=weight)
    return code[a][0], code[b][0]


def by_class(ptx, loop):
    """{class: number of instructions} between two lines."""
    counts = {}
    for line, _, opcode, _ in instructions(ptx):
        if opcode and loop[0] <= line <= loop[1]:
            counts[class_of(opcode)] = counts.get(class_of(opcode), 0) + 1
    return counts


def groups_in_flight(ptx, loop):
    """Groups of asynchronous copies under way while the loop computes: those that its wait leaves, and the one it adds."""
    lines = ptx.split("\n")[loop[0] - 1 : loop[1]]
    waits = [int(m.group(1)) for m in (re.search(r"cp\.async\.wait_group\s+(\d+)", l) for l in lines) if m]
    return min(waits) + 1 if waits else 0


def find_ptxas():
    for home in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"):
        if home and (pathlib.Path(home) / "bin/ptxas").exists():
            return str(pathlib.Path(home) / "bin/ptxas")
    return shutil.which("ptxas")


def resources(ptx, arch="sm_80"):
    """{"registers", "spills", "shared"}, or None without ptxas. Raises ValueError with ptxas' words if it refuses."""
    program = find_ptxas()
    if not program:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "k.ptx"
        source.write_text(ptx)
        done = subprocess.run(
            [program, f"-arch={arch}", "-v", str(source), "-o", f"{folder}/k.cubin"], capture_output=True, text=True
        )
    said = done.stdout + done.stderr
    if done.returncode:
        raise ValueError(said)
    number = lambda pattern: sum(int(n) for n in re.findall(pattern, said))
    return {
        "registers": number(r"Used (\d+) registers"),
        "spills": number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads"),
        "shared": number(r"(\d+) bytes smem"),
    }
