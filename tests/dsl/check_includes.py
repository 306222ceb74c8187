#!/usr/bin/env python3
"""The front end knows the standard library only, its headers light parts of it only, and the graph nothing of the core."""
import argparse
import pathlib
import re
import sys

LIGHT = {"concepts", "cstddef", "cstdint", "exception", "initializer_list", "tuple", "type_traits", "utility"}

args = argparse.ArgumentParser()
args.add_argument("--root", type=pathlib.Path, required=True)
root = args.parse_args().root
wrong = []
for file in sorted((root / "dsl").rglob("*.[ch]pp")):
    for kind, name in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', file.read_text(), re.M):
        place = file.relative_to(root)
        public = place.parts[1] == "include"
        graph = place.parts[1] == "graph"
        if name.startswith("tine/"):
            ok = public
        elif name.startswith("dsl/"):
            ok = not public and (not graph or not name.startswith("dsl/core/"))
        else:
            ok = kind == "<" and "/" not in name and (not public or name in LIGHT)
        if not ok:
            wrong.append(f"{place} includes {name}")
print("\n".join(wrong) or "the arrows hold")
sys.exit(bool(wrong))
