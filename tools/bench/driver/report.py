"""Tables, as Markdown that reads well as text too."""

import os
import pathlib
import platform
import subprocess


def table(head, rows):
    widths = [max(len(str(r[i])) for r in [head, *rows]) for i in range(len(head))]
    line = lambda cells: "| " + " | ".join(str(c).ljust(w) for c, w in zip(cells, widths)) + " |"
    return "\n".join([line(head), "| " + " | ".join("-" * w for w in widths) + " |", *map(line, rows)])


def machine(root):
    """Lines that say where the figures come from."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    field = lambda name: next((l.split(":", 1)[1].strip() for l in info.splitlines() if l.startswith(name)), "?")
    flags = [f for f in ("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_tile") if f" {f} " in info + " "]
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=10"]
    commit = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    load = os.getloadavg()[0]
    model = f"{field('model name')} (family {field('cpu family')}, model {field('model')})"
    system = f"{platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()}"
    return [
        f"processor: {model}, {os.cpu_count()} CPUs, {' '.join(flags)}",
        f"system: {system}; commit {commit}",
        f"load when it began: {load:.1f} (anything near the number of CPUs means that others were at work)",
    ]


def rate(case, seconds):
    return f"{case.work / seconds * 1e-9:.1f}"


def case_rows(case, results, missing, wrong):
    """Rows of one case: Tine first, then its peers, with the ratio of Tine's speed to each."""
    if "Tine" not in results:
        return [[case.text, "Tine", "", "", "", "", "", missing.get("Tine", "no result")]]
    ours, our_cpu = results["Tine"][:2]
    rows = []
    for name in ["Tine", *[n for n in results if n != "Tine"]]:
        seconds, cpu, note = results[name]
        ratio = "" if name == "Tine" else f"{seconds / ours:.2f}"
        cpu_ratio = "" if name == "Tine" else f"{cpu / our_cpu:.2f}"
        note += " RESULT DIFFERS" if name in wrong else ""
        rows.append(
            [
                case.text if name == "Tine" else "",
                name,
                f"{seconds * 1e3:.3f}",
                f"{cpu * 1e3:.3f}",
                f"{rate(case, seconds)} {case.unit}",
                ratio,
                cpu_ratio,
                note.strip(),
            ]
        )
    for name, reason in missing.items():
        rows.append(["", name, "", "", "", "", "", "missing: " + reason])
    return rows


CASE_HEAD = ["case", "who", "ms", "CPU ms", "rate", "Tine is x as fast", "by CPU time", "note"]


def verdict(case, results):
    """[case, target, reached, best peer]"""
    peers = {n: r[0] for n, r in results.items() if n != "Tine"}
    if case.target is None or "Tine" not in results or not peers:
        return None
    best = min(peers, key=peers.get)
    ratio = peers[best] / results["Tine"][0]
    by_cpu = min(r[1] for n, r in results.items() if n != "Tine") / results["Tine"][1]
    return [
        case.text,
        f">= {case.target}",
        f"{ratio:.2f}",
        f"{by_cpu:.2f}",
        best,
        "yes" if ratio >= case.target else "NO",
    ]


VERDICT_HEAD = ["case", "target", "reached", "by CPU time", "best peer", "met"]
