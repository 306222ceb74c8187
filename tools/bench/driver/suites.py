"""What is measured, and who takes part in what."""

ELEMENTWISE = ["C loops", "PyTorch"]
PRODUCTS = ["OpenBLAS", "MKL", "oneDNN", "PyTorch"]


class Case:
    """`work` is bytes or floating-point operations of one run; `target` is of Tine's speed to the best peer's."""

    def __init__(self, text, peers, unit, work, target):
        self.text, self.peers, self.unit, self.work, self.target = text, peers, unit, work, target


def elementwise():
    n = 4096 * 4096
    for operation, tensors in (("add", 3), ("silu", 2), ("softmax", 2), ("rms_norm", 2)):
        yield Case(f"{operation} f32 4096 4096", ELEMENTWISE, "GB/s", tensors * n * 4, 1.0)
    for operation, tensors in (("add", 3), ("silu", 2), ("softmax", 2)):
        yield Case(f"{operation} bf16 4096 4096", ELEMENTWISE, "GB/s", tensors * n * 2, 1.0)
    yield Case("transpose f32 4096 4096", ELEMENTWISE, "GB/s", 2 * n * 4, None)


def matmul():
    for m, n, k in ((512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048), (1000, 900, 800)):
        yield Case(f"matmul f32 {m} {n} {k}", PRODUCTS, "GFLOP/s", 2 * m * n * k, 0.9)
    for kind in ("f16", "bf16", "i8"):
        for s in (512, 1024, 2048):
            peers = (
                PRODUCTS if kind == "bf16" else PRODUCTS[:-1]
            )  # PyTorch's f16 is scalar code where there is no AVX-512-FP16
            yield Case(f"matmul {kind} {s} {s} {s}", peers, "GFLOP/s", 2 * s**3, 0.8)


def attention():
    h, n, d = 12, 1024, 128
    for kind in ("f32", "bf16"):
        yield Case(
            f"attention {kind} {h} {n} {d}", ["PyTorch"], "GFLOP/s", 4 * h * n * n * d, 1.0 if kind == "f32" else None
        )
    yield Case(f"attention_causal f32 {h} {n} {d}", ["PyTorch"], "GFLOP/s", 2 * h * n * (n + 1) * d, 1.0)


def conv2d():
    n, c, h, w, k, r, s = 1, 64, 56, 56, 64, 3, 3
    peers = ["oneDNN", "oneDNN, own layouts", "PyTorch"]
    yield Case(f"conv2d f32 {n} {c} {h} {w} {k} {r} {s}", peers, "GFLOP/s", 2 * n * h * w * k * c * r * s, 0.7)


SUITES = {"elementwise": elementwise, "matmul": matmul, "attention": attention, "conv2d": conv2d}
