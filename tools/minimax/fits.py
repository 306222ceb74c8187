"""Every polynomial of codegen/math: `python3 tools/minimax/fits.py [name...]` prints the coefficients, lowest power first."""
import sys
from mpmath import mpf, exp, expm1, log, log1p, sqrt, erf, erfc, sin, cos, atan, asin, pi, tan
from remez import fit, show, to_f32, to_f64

ln2 = log(mpf(2))
one = lambda x: mpf(1)
f32, f64 = to_f32, to_f64
s2 = sqrt(mpf(2))

FITS = {
    # e^r = 1 + r + r^2 Q(r), relative to e^r
    "exp_f32": lambda: fit(lambda r: (expm1(r) - r) / r**2, lambda r: r**2 / exp(r), -ln2 * 1.001, ln2 * 1.001, 6, f32),
    "exp_f64": lambda: fit(lambda r: (expm1(r) - r) / r**2, lambda r: r**2 / exp(r), -ln2 * 1.0001, ln2 * 1.0001, 13, f64),
    # 2^r = 1 + r Q(r)
    "exp2_f32": lambda: fit(lambda r: expm1(r * ln2) / r, lambda r: r / exp(r * ln2), -0.5, 0.5, 6, f32),
    "exp2_f64": lambda: fit(lambda r: expm1(r * ln2) / r, lambda r: r / exp(r * ln2), -0.5, 0.5, 11, f64),
    # e^r - 1 = r + r^2 Q(r), relative to e^r - 1
    "expm1_f32": lambda: fit(lambda r: (expm1(r) - r) / r**2, lambda r: r**2 / expm1(r), -ln2 / 2 * 1.001, ln2 / 2 * 1.001, 5, f32),
    "expm1_f64": lambda: fit(lambda r: (expm1(r) - r) / r**2, lambda r: r**2 / expm1(r), -ln2 / 2 * 1.0001, ln2 / 2 * 1.0001, 11, f64),
    # log(1 + f) = f - f^2/2 + f^3 P(f), relative to log(1 + f)
    "log_f32": lambda: fit(lambda f: (log1p(f) - f + f**2 / 2) / f**3, lambda f: f**3 / log1p(f), 1 / s2 - 1, s2 - 1, 8, f32),
    # log(1 + f) = 2 s + s w R(w), s = f / (2 + f), w = s^2
    "log_f64": lambda: fit(lambda w: (log((1 + sqrt(w)) / (1 - sqrt(w))) / sqrt(w) - 2) / w, one, mpf(2) ** -60, mpf("0.02944"), 7, f64),
    # erf(x) = 1 - exp(-x Q(x)) for x >= 0
    "erf_f32": lambda: fit(lambda x: -log(erfc(x)) / x, lambda x: x * erfc(x) / erf(x), mpf(2) ** -30, 4, 10, f32),
    # erf in f64, likewise
    "erf_f64": lambda: fit(lambda x: -log(erfc(x)) / x, lambda x: x * erfc(x) / erf(x), mpf(2) ** -40, 6, 24, f64),
    # sin r = r + r z S(z), cos r = 1 - z/2 + z^2 C(z), z = r^2; a little past pi/4, as the f32 reduction leaves it
    "sin_f32": lambda: fit(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / sin(sqrt(z)), mpf(2) ** -30, mpf("0.69"), 3, f32),
    "cos_f32": lambda: fit(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2 / cos(sqrt(z)), mpf(2) ** -30, mpf("0.69"), 3, f32),
    "sin_f64": lambda: fit(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / sin(sqrt(z)), mpf(2) ** -40, mpf("0.62"), 6, f64),
    "cos_f64": lambda: fit(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2 / cos(sqrt(z)), mpf(2) ** -40, mpf("0.62"), 6, f64),
    # atan t = t + t z A(z), z = t^2, |t| <= tan(pi/8)
    "atan_f32": lambda: fit(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / atan(sqrt(z)), mpf(2) ** -30, mpf("0.1717"), 5, f32),
    "atan_f64": lambda: fit(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / atan(sqrt(z)), mpf(2) ** -40, mpf("0.1717"), 11, f64),
    # asin s = s + s z A(z), z = s^2, |s| <= 1/2
    "asin_f32": lambda: fit(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / asin(sqrt(z)), mpf(2) ** -30, mpf("0.25"), 5, f32),
    "asin_f64": lambda: fit(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / asin(sqrt(z)), mpf(2) ** -40, mpf("0.25"), 12, f64),
    # pow in f64: log(1 + f) = 2 s (1 + w (1/3 + w R(w))), s = f / (2 + f), w = s^2
    "pow_log": lambda: fit(lambda w: ((log((1 + sqrt(w)) / (1 - sqrt(w))) / (2 * sqrt(w)) - 1) / w - mpf(1) / 3) / w, lambda w: w**2, mpf(2) ** -30, mpf("0.02944"), 8, f64),
    # pow in f32, computed in f64: log2(1 + f) = s R(w)
    "powf_log": lambda: fit(lambda w: log((1 + sqrt(w)) / (1 - sqrt(w))) / sqrt(w) / ln2, one, mpf(2) ** -30, mpf("0.02944"), 6, f64),
}

for name in sys.argv[1:] or FITS:
    show(name, FITS[name]())
