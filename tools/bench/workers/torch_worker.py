"""Contestant: PyTorch's CPU kernels, by the protocol of worker.hpp. Results are stored to tensors that exist already,
where PyTorch can do that."""

import sys
import time

import torch
import torch.nn.functional as functional

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
TOO_SLOW = 5  # seconds; as in worker.cpp


class Missing(Exception):
    pass


def data(n, seed, scale=1.0):
    """The numbers of bench::data, 64-bit arithmetic on a vector: state i is a^i s + c (a^i - 1) / (a - 1)."""
    import numpy

    a, c = 6364136223846793005, 1442695040888963407
    mask = (1 << 64) - 1
    start = (seed * 0x9E3779B97F4A7C15 + 1) & mask
    state = numpy.empty(n, dtype=numpy.uint64)
    state[0] = (start * a + c) & mask
    filled, power, step = 1, a, c  # state[i + filled] = power * state[i] + step
    with numpy.errstate(over="ignore"):
        while filled < n:
            count = min(filled, n - filled)
            state[filled : filled + count] = state[:count] * numpy.uint64(power) + numpy.uint64(step)
            step = (step * power + step) & mask
            power = (power * power) & mask
            filled += count
    unit = (state >> numpy.uint64(40)).astype(numpy.float32) * numpy.float32(2.0**-23) - numpy.float32(1)
    return torch.from_numpy(numpy.float32(scale) * unit)


def prepare(operation, kind, sizes):
    if kind not in TYPES:
        raise Missing("no such element type")
    t = TYPES[kind]
    if operation in ("add", "silu", "softmax", "rms_norm", "transpose"):
        m, n = sizes
        x = data(m * n, 1, 4).to(t).view(m, n)
        y = torch.empty_like(x)
        if operation == "add":
            b = data(m * n, 2).to(t).view(m, n)
            return lambda: torch.add(x, b, out=y), lambda: y, ""
        if operation == "silu":
            return lambda: torch.ops.aten.silu.out(x, out=y), lambda: y, ""
        if operation == "softmax":
            return lambda: torch._softmax(x, 1, False, out=y), lambda: y, ""
        if operation == "transpose":
            z = torch.empty(n, m, dtype=t)
            return lambda: z.copy_(x.t()), lambda: z, ""
        w = data(n, 2).to(t)
        box = [y]

        def norm():
            box[0] = functional.rms_norm(x, (n,), w, 1e-6)

        return norm, lambda: box[0], "allocates its result"
    if operation == "matmul":
        m, n, k = sizes
        a, b = data(m * k, 1).to(t).view(m, k), data(k * n, 2).to(t).view(k, n)
        y = torch.empty(m, n, dtype=t)
        return lambda: torch.mm(a, b, out=y), lambda: y, ""
    if operation.startswith("attention"):
        h, n, d = sizes
        q, k, v = (data(h * n * d, i).to(t).view(1, h, n, d) for i in (1, 2, 3))
        box = [None]

        def attend():
            box[0] = functional.scaled_dot_product_attention(q, k, v, is_causal=operation == "attention_causal")

        return attend, lambda: box[0], "scaled_dot_product_attention"
    if operation == "conv2d":
        n, c, h, w, k, r, s = sizes
        x, f = data(n * c * h * w, 1).to(t).view(n, c, h, w), data(k * c * r * s, 2).to(t).view(k, c, r, s)
        box = [None]

        def convolve():
            box[0] = functional.conv2d(x, f, padding=(r // 2, s // 2))

        return convolve, lambda: box[0], ""
    raise Missing("no such operation")


def measure(run, milliseconds):
    run()
    times, total, cpu = [], 0.0, time.process_time_ns()
    while not times or total < milliseconds * 1e6:
        start = time.perf_counter_ns()
        run()
        times.append(time.perf_counter_ns() - start)
        total += times[-1]
    cpu = (time.process_time_ns() - cpu) / len(times)
    times.sort()
    return f"times {len(times)} {times[len(times) // 2]} {times[0]} {cpu}"


def digest(result):
    v = result.contiguous().flatten().to(torch.float64)
    weights = 1 + torch.arange(v.numel(), dtype=torch.float64) % 7
    return f"digest {(v * weights).sum().item()} {v.abs().sum().item()}"


def main():
    torch.set_grad_enabled(False)
    torch.set_num_threads(int(sys.argv[1]))
    job = None
    for line in sys.stdin:
        words = line.split()
        try:
            if words == ["version"]:
                version, simd = torch.__version__.split("+")[0], torch.backends.cpu.get_cpu_capability()
                answer = f"PyTorch {version}, {simd}, MKL and oneDNN within"
            elif words[0] == "case":
                job = None
                job = prepare(words[1], words[2], [int(w) for w in words[3:]])
                start = time.monotonic()
                job[0]()
                seconds = time.monotonic() - start
                answer = "ready " + job[2]
                if seconds > TOO_SLOW:
                    job, answer = None, f"missing one run takes {seconds:.0f} s"
            elif job is None:
                answer = "missing nothing is prepared"
            elif words[0] == "run":
                answer = measure(job[0], float(words[1]))
            else:
                answer = digest(job[1]())
        except Exception as e:  # whatever it cannot do is missing
            answer = "missing " + str(e).replace("\n", " ")
        print(answer, flush=True)


main()
