"""Minimax polynomials by Remez's exchange algorithm, with coefficients rounded to the working format.

fit() finds p(x) = sum c_k x^k, k < n, on [a, b] that minimises max |w(x) (p(x) - f(x))|. Coefficients are rounded to
f32 or f64 from the lowest power up; after each rounding the remaining ones are fitted again, so that they absorb the error.
Needs mpmath only. fits.py beside this file holds every fit whose result stands in codegen/math.
"""
import struct
from mpmath import mp, mpf, lu_solve, matrix, cos, pi

mp.prec = 200


def to_f32(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_f64(x):
    return mpf(float(x))


def horner(c, x):
    s = mpf(0)
    for a in reversed(c):
        s = s * x + a
    return s


def remez(f, w, a, b, lo, n, fixed, iterations=10, grid=300):
    """Fits c[lo..n-1], given c[0..lo-1] = fixed."""
    m = n - lo
    g = lambda x: f(x) - horner(fixed, x)
    xs = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * (m + 1))) for i in range(m + 1)][::-1]
    xs = [x if abs(x) > (b - a) / 256 else (b - a) / 256 for x in xs]  # weights may vanish at 0
    dense = [(a + b) / 2 - (b - a) / 2 * cos(pi * i / grid) for i in range(grid + 1)]
    dense = [x for x in dense if abs(x) > mpf(2) ** -40]
    gd = [(x, g(x), w(x)) for x in dense]
    best = None
    for _ in range(iterations):
        rows, rhs = [], []
        for i, x in enumerate(xs):
            rows.append([x ** k for k in range(lo, n)] + [(-1) ** i / w(x)])
            rhs.append(g(x))
        s = lu_solve(matrix(rows), matrix(rhs))
        c = [s[i] for i in range(m)]
        err = [(wx * (horner([mpf(0)] * lo + c, x) - gx), x) for x, gx, wx in gd]
        peak = max(abs(e) for e, _ in err)
        if best is None or peak < best[0]:
            best = (peak, c)
        if peak < abs(s[m]) * mpf("1.01"):
            break
        # one extremum of each run of equal sign, then the m + 1 neighbours with the largest errors
        runs = []
        for e, x in err:
            if runs and (runs[-1][0] > 0) == (e > 0):
                if abs(e) > abs(runs[-1][0]):
                    runs[-1] = (e, x)
            else:
                runs.append((e, x))
        while len(runs) > m + 1:
            runs.pop(0 if abs(runs[0][0]) < abs(runs[-1][0]) else -1)
        if len(runs) < m + 1:
            break
        xs = [x for _, x in runs]
    return best


def fit(f, weight, a, b, n, rounding, fixed=()):
    w = lambda x: abs(weight(x))
    c = list(map(mpf, fixed))
    a, b = mpf(a), mpf(b)
    exact = remez(f, w, a, b, len(c), n, c)[0]
    while len(c) < n:
        peak, rest = remez(f, w, a, b, len(c), n, c)
        c.append(rounding(rest[0]))
    dense = [a + (b - a) * i / 997 for i in range(998)]
    peak = max(abs(w(x) * (horner(c, x) - f(x))) for x in dense if abs(x) > mpf(2) ** -40)
    return c, exact, peak


def show(name, result):
    """Prints the table as it stands in the source."""
    import re
    from mpmath import log
    c, exact, peak = result
    print(f"// {name}: minimax 2^{float(log(exact, 2)):.2f}, as rounded 2^{float(log(peak, 2)):.2f}")
    line = f"constexpr double {name}[] = {{"
    for k, x in enumerate(c):
        item = re.sub(r"\.?0+p", "p", float(x).hex()) + (", " if k + 1 < len(c) else "};")
        if len(line) + len(item) > 118:
            print(line.rstrip())
            line = "    "
        line += item
    print(line, flush=True)
