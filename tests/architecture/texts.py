#!/usr/bin/env python3
"""Looks for what no file of the repository may name: hosts of package registries, and absolute paths of one machine.

Usage: texts.py ROOT

Registries move and differ from site to site: the scripts use the machine's own clients and their settings. Paths of one
machine break everywhere else. Prints one line for each; exit code: 0 none, 1 some.
"""
import os
import re
import subprocess
import sys

# Written in pieces, so that this file does not name them.
HOSTS = re.compile("|".join(map(re.escape, [
    "pypi" + ".org", "python" + "hosted.org", "npmjs" + ".", "crates" + ".io", "apt.llvm" + ".org", "deb.debian" + ".org",
    "security.debian" + ".org", "archive.ubuntu" + ".com", "ports.ubuntu" + ".com", "snapshot.debian" + ".org", "proxy.golang" + ".org",
    "conda.anaconda" + ".org", "rubygems" + ".org", "repo.maven" + ".apache.org", "ghcr" + ".io", "docker" + ".io", "quay" + ".io"])))
PATHS = re.compile(r"(?:(?<![\w.\-/}>%])|-[IL])/(home|root|work|Users|mnt|media|scratch)/")
SKIP = (".npy", ".png", ".cubin", ".o")


def files(root):
    """What git tracks or would; all files where there is no git."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=False)
    if listed.returncode == 0:
        return [f for f in listed.stdout.decode().split("\0") if f]
    return [os.path.relpath(os.path.join(d, f), root) for d, _, names in os.walk(root) for f in names]


def check_text(text):
    for number, line in enumerate(text.split("\n"), 1):
        for what, pattern in (("a registry's host", HOSTS), ("a path of one machine", PATHS)):
            m = pattern.search(line)
            if m:
                yield number, f"{what}: {m.group(0)}"


def check(root):
    for path in files(root):
        full = os.path.join(root, path)
        if path.endswith(SKIP) or not os.path.isfile(full):
            continue
        with open(full, encoding="utf-8", errors="replace") as f:
            for number, what in check_text(f.read()):
                yield f"{path}:{number}: {what}"


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    wrong = list(check(sys.argv[1]))
    print("\n".join(wrong) or "no file names a registry or a path of one machine")
    sys.exit(1 if wrong else 0)
