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
    """[(line, label or None, opcode or None, target of a branch or None, whether it has a predicate)] of the kernel."""
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
            found.append((number, label.group(1), None, None, False))
            continue
        opcode = OPCODE.match(text)
        if opcode:
            branch = BRANCH.match(text)
            found.append((number, None, opcode.group(1), branch.group(1) if branch else None, text[0] == "@"))
    return found


def blocks_of(code):
    """Basic blocks: [(first, one past the last)] of the instructions' positions, and {block: its successors}."""
    starts = {0} | {i for i, (_, label, _, _, _) in enumerate(code) if label}
    starts |= {
        i + 1
        for i, (_, _, opcode, _, _) in enumerate(code)
        if opcode and opcode.split(".")[0] in ("bra", "ret", "exit")
    }
    starts = sorted(s for s in starts if s < len(code))
    blocks = list(zip(starts, [*starts[1:], len(code)]))
    at = {code[a][1]: k for k, (a, _) in enumerate(blocks) if code[a][1]}
    follows = {}
    for k, (_, end) in enumerate(blocks):
        _, _, opcode, target, predicate = code[end - 1]
        last = opcode.split(".")[0] if opcode else ""
        follows[k] = {at[target]} if target in at else set()
        always = last in ("ret", "exit") or (last == "bra" and not predicate)
        if not always and k + 1 < len(blocks):
            follows[k].add(k + 1)
    return blocks, follows


def loops_of(follows):
    """[blocks of a natural loop], from the back edges: those to a block that every way to the edge goes through."""
    every = set(follows)
    before = {k: {p for p in follows if k in follows[p]} for k in follows}
    dominators = {k: set(every) for k in follows}
    dominators[0] = {0}
    changed = True
    while changed:
        changed = False
        for k in sorted(every - {0}):
            if not before[k]:
                continue
            new = {k} | set.intersection(*(dominators[p] for p in before[k]))
            changed |= new != dominators[k]
            dominators[k] = new
    loops = {}
    for end in follows:
        for header in follows[end] & dominators[end]:
            inside, pending = loops.setdefault(header, {header}), [end]
            while pending:
                k = pending.pop()
                if k not in inside:
                    inside.add(k)
                    pending += before[k]
    return list(loops.values())


def all_loops(ptx):
    """[instructions of a loop]"""
    code = instructions(ptx)
    blocks, follows = blocks_of(code) if code else ([], {})
    return [[code[i] for k in sorted(l) for i in range(*blocks[k])] for l in (loops_of(follows) if blocks else [])]


def lines_of(loop):
    return {c[0] for c in loop}


def main_loop(ptx):
    """The lines of the innermost loop with the most matrix products or, without any, the most instructions."""
    loops = all_loops(ptx)
    inner = [l for l in loops if not any(lines_of(other) < lines_of(l) for other in loops)]
    if not inner:
        return None
    products = lambda loop: sum(1 for c in loop if c[2] and c[2].startswith("mma."))
    return lines_of(max(inner, key=lambda l: (products(l), len(l))))


def by_class(ptx, loop):
    """{class: number of instructions} in these lines. Ways that exclude each other are all counted."""
    counts = {}
    for line, _, opcode, _, _ in instructions(ptx):
        if opcode and line in loop:
            counts[class_of(opcode)] = counts.get(class_of(opcode), 0) + 1
    return counts


def groups_in_flight(ptx, loop):
    """Groups of asynchronous copies under way while the loop computes: those that a wait leaves, and the one that is added after
    it. The wait stands in the loop or in one around it, whose rounds the copies are for."""
    text = ptx.split("\n")
    for lines in sorted((lines_of(l) for l in all_loops(ptx)), key=len):
        found = (re.search(r"cp\.async\.wait_group\s+(\d+)", text[n - 1]) for n in lines) if loop <= lines else []
        waits = [int(m.group(1)) for m in found if m]
        if waits:
            return min(waits) + 1
    return 0


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
