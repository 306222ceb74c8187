#!/usr/bin/env python3
"""Every message of the dialect's verifiers and parsers is provoked by a test.

Usage: messages.py ROOT

Takes the words of each `emitOpError`, `emitError` and `error()` in compiler/dialect, up to the first value that is put
in, and looks for them in the expected errors of tests/ir/dialect. Exit code: 0 all there, 1 not.
"""
import glob
import os
import re
import sys

CALL = re.compile(r'\b(?:emitOpError|emitError|error)\((?:[^()"]|\([^()]*\))*(?:\)\s*)?((?:<<\s*[^"<;]+)*(?:<<\s*)?"[^;]*;)')


def messages(source):
    """The longest fixed piece of text of each message."""
    for m in CALL.finditer(source):
        pieces = [p for p in re.findall(r'"((?:[^"\\]|\\.)*)"', m.group(1)) if re.search(r"\w", p)]
        if pieces:
            yield source[:m.start()].count("\n") + 1, max(pieces, key=len).strip()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = sys.argv[1]
    expected = ""
    for path in glob.glob(os.path.join(root, "tests/ir/dialect/*_invalid.mlir")):
        with open(path, encoding="utf-8") as f:
            expected += "\n".join(re.findall(r"expected-error.*?\{\{(.*)\}\}", f.read())) + "\n"
    count = missing = 0
    for path in sorted(glob.glob(os.path.join(root, "compiler/dialect/*.cpp"))):
        with open(path, encoding="utf-8") as f:
            for line, text in messages(f.read()):
                count += 1
                if text not in expected:
                    missing += 1
                    print(f"{os.path.relpath(path, root)}:{line}: no test provokes `{text}`")
    print(f"{count - missing} of {count} messages are provoked")
    sys.exit(1 if missing or not count else 0)
