#!/usr/bin/env python3
"""Holds the arrows between the folders of the house (docs/architecture.md).

Usage: arrows.py ROOT

Reads every #include and every target_link_libraries under ROOT and prints one line for each that runs against an arrow.
Exit code: 0 none, 1 some.
"""
import os
import re
import sys

# The parts of the house: where each lies, which other parts it may know, and which outside headers: `std`, `system` (the
# C library's and the kernel's) and `llvm` (LLVM, MLIR, lld). A file belongs to the part with the longest matching path.
# What lies elsewhere (tools, tests, examples) may know everything.
STD = {"std"}
SYSTEM = {"std", "system"}
LLVM = {"std", "system", "llvm"}
LANGUAGE = {"light headers", "user headers", "graph", "front end"}
PARTS = {
    "light headers": (["dsl/include/tine/dtype.hpp", "dsl/include/tine/detail/op.hpp"], set(), STD),
    "user headers": (["dsl/include", "runtime/include"], {"light headers"}, STD),
    "graph": (["dsl/graph"], {"light headers"}, STD),
    "front end": (["dsl"], LANGUAGE, STD),
    "compiler": (["compiler"], {"light headers", "graph"}, LLVM),
    "compiler ABI": (["codegen/abi"], set(), STD),
    "codegen": (["codegen"], {"light headers", "graph", "compiler", "compiler ABI"}, LLVM),
    "launch half": (["runtime"], LANGUAGE | {"compiler ABI"}, SYSTEM),
    "CUDA driver": (["runtime/cuda"], set(), SYSTEM),
    "devices": (["runtime/device"], LANGUAGE | {"compiler ABI", "launch half", "CUDA driver", "emulator"}, SYSTEM),
    "JIT half": (["runtime/jit", "runtime/libtine.cpp"], LANGUAGE | {"compiler ABI", "launch half", "devices"}, SYSTEM),
    "AOT run time": (["runtime/aot"], {"light headers", "user headers", "graph", "compiler ABI", "launch half", "CUDA driver"}, SYSTEM),
    "reference evaluator": (["runtime/reference"], {"light headers", "user headers", "graph"}, SYSTEM),
    "emulator": (["runtime/emulator"], set(), SYSTEM),
}
# The names that the parts' own folders add to the include path, tried in this order after the including file's folder.
INCLUDE_PATH = ["", "dsl/include", "runtime/include", "runtime/aot/include", "runtime/emulator/include", "runtime/emulator/src"]
GENERATED = {"TineDialect", "TineTypes", "TineAttrs", "TineOps"}  # by TableGen, from the compiler's folder
LLVM_FOLDERS = {"llvm", "llvm-c", "mlir", "mlir-c", "lld", "clang", "clang-c"}
LLVM_TARGETS = re.compile(r"^(LLVM|MLIR|lld|tine_mlir)")
C_HEADERS = set("assert ctype errno fenv float inttypes limits locale math setjmp signal stdarg stdatomic stdbool stddef "
                "stdint stdio stdlib string time uchar wchar wctype".split())
SOURCES = (".h", ".hpp", ".c", ".cpp", ".td", ".inc")


def part_of(path):
    """The part that a file or folder belongs to; none if it lies outside the parts."""
    best, longest = None, -1
    for name, (places, _, _) in PARTS.items():
        for place in places:
            if (path == place or path.startswith(place + "/")) and len(place) > longest:
                best, longest = name, len(place)
    return best


def may_know(part, other):
    return other == part or other in PARTS[part][1]


def includes(text):
    for number, line in enumerate(text.split("\n"), 1):
        m = re.match(r'\s*#\s*include\s*(<[^>]+>|"[^"]+")', line) or re.match(r'\s*include\s+("[^"]+")', line)
        if m:
            yield number, m.group(1)[1:-1], m.group(1)[0] == "<"


def outside(name, angled):
    """Which outside library a header belongs to that is no file of ours."""
    if name.split("/")[0] in LLVM_FOLDERS:
        return "llvm"
    if angled and "/" not in name and ("." not in name or name.removesuffix(".h") in C_HEADERS and name.endswith(".h")):
        return "std"
    return "system"


def check_includes(root, files):
    known = set(files)
    for path in files:
        part = part_of(path)
        if not part or not path.endswith(SOURCES):
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
            text = f.read()
        for line, name, angled in includes(text):
            place = f"{path}:{line}: the {part} includes {name}"
            candidates = [os.path.normpath(os.path.join(folder, name)) for folder in [os.path.dirname(path)] + INCLUDE_PATH]
            ours = [c for c in candidates if c in known]
            if ours or name.split(".")[0] in GENERATED:
                other = part_of(ours[0]) if ours else "compiler"
                if not may_know(part, other):
                    yield f"{place} of the {other or ours[0]}"
            elif outside(name, angled) not in PARTS[part][2]:
                yield f"{place}, a header of {outside(name, angled)}"


def commands(text, name):
    """The words of every call of a CMake command."""
    text = re.sub(r"#.*", "", text)
    for m in re.finditer(r"\b" + name + r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text):
        yield text[:m.start()].count("\n") + 1, m.group(1).split()


def check_links(root, files):
    lists = {}
    for path in files:
        if os.path.basename(path) == "CMakeLists.txt":
            with open(os.path.join(root, path), encoding="utf-8") as f:
                lists[path] = f.read()
    home = {}  # target -> the part of its first source, else of its list's folder
    for path, text in lists.items():
        folder = os.path.dirname(path)
        for command in ("add_library", "add_executable"):
            for _, words in commands(text, command):
                sources = [os.path.normpath(os.path.join(folder, w)) for w in words[1:]]
                sources = [s for s in sources if s in files]
                home[words[0]] = part_of(sources[0] if sources else folder)
                if "INTERFACE" in words:  # headers alone
                    home[words[0]] = part_of(folder + "/include")
    for path, text in lists.items():
        for line, words in commands(text, "target_link_libraries"):
            part = home.get(words[0])
            if not part:
                continue
            for word in re.findall(r"[\w.+-]+", " ".join(words[1:])):
                place = f"{path}:{line}: {words[0]} (the {part}) links {word}"
                if home.get(word) and not may_know(part, home[word]):
                    yield f"{place} of the {home[word]}"
                elif LLVM_TARGETS.match(word) and "llvm" not in PARTS[part][2]:
                    yield f"{place}, a library of llvm"
        for line, words in commands(text, "tine_use_mlir"):
            part = home.get(words[0])
            if part and "llvm" not in PARTS[part][2]:
                yield f"{path}:{line}: {words[0]} (the {part}) uses MLIR, a library of llvm"


def tree(root):
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [d for d in folders if not d.startswith((".", "build"))]
        found += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(found)


def check(root):
    files = tree(root)
    return list(check_includes(root, files)) + list(check_links(root, files))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    wrong = check(sys.argv[1])
    print("\n".join(wrong) or "every include and link runs along the arrows")
    sys.exit(1 if wrong else 0)
