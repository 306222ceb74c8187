#!/usr/bin/env python3
"""Every link of the pages leads to a file, and docs/README.md lists every page.

Usage: links.py ROOT
"""
import glob
import os
import re
import sys

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = sys.argv[1]
    wrong = []
    for page in [os.path.join(root, "README.md"), *sorted(glob.glob(os.path.join(root, "docs", "*.md")))]:
        with open(page, encoding="utf-8") as f:
            links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```|`[^`\n]*`", "", f.read(), flags=re.S))
        wrong += [f"{page}: no file {link}" for link in links if not os.path.exists(os.path.join(os.path.dirname(page), link))]
        if page.endswith("docs/README.md"):
            pages = {os.path.basename(p) for p in glob.glob(os.path.join(root, "docs", "*.md"))} - {"README.md"}
            wrong += [f"{page}: does not list {p}" for p in sorted(pages - set(links))]
    print("\n".join(wrong) or "every link leads to a file")
    sys.exit(1 if wrong else 0)
