"""Interleaved runs: all contestants of a case take turns, several rounds of it, so that what else the machine does hits
all alike. A figure is the median over the rounds of each round's median."""

import statistics


def run_case(case, workers, rounds, milliseconds):
    """{name: (median seconds, CPU seconds, note)}, and {name: reason} of those who have nothing for the case."""
    ready, missing, digests = [], {}, {}
    notes, times, cpu = {}, {}, {}
    for w in workers:
        if w.name != "Tine" and w.name not in case.peers:
            continue
        answer = w.ask("case " + case.text)
        if answer.startswith("ready"):
            ready.append(w)
            notes[w.name], times[w.name], cpu[w.name] = answer[6:], [], []
        else:
            missing[w.name] = answer[8:]
    for round_number in range(rounds):
        for w in ready[round_number % max(1, len(ready)) :] + ready[: round_number % max(1, len(ready))]:
            words = w.ask(f"run {milliseconds}").split()
            if words[0] == "times":
                times[w.name].append(float(words[2]) * 1e-9)
                cpu[w.name].append(float(words[4]) * 1e-9)
    for w in ready:
        words = w.ask("digest").split()
        if words[0] == "digest":
            digests[w.name] = (float(words[1]), float(words[2]))
    results = {n: (statistics.median(t), statistics.median(cpu[n]), notes[n]) for n, t in times.items() if t}
    return results, missing, disagreements(digests)


def disagreements(digests):
    """Peers whose result is not Tine's. (A contestant with another task, such as u8 for i8, gives no digest.)"""
    if "Tine" not in digests:
        return []
    _, magnitude = digests["Tine"]
    wrong = []
    for name, (_, theirs) in digests.items():
        if name != "Tine" and theirs != 0 and abs(theirs - magnitude) > 2e-3 * abs(magnitude):
            wrong.append(name)
    return wrong
