"""Triton's matmul and attention of given tile sizes, compiled to PTX for sm_80 without a GPU.
   triton_kernels.py matmul BM BN BK WARPS STAGES FILE | attention BM BN DIM WARPS STAGES FILE
Writes the PTX to FILE and prints Triton's version and the bytes of shared memory."""

import sys
import warnings

warnings.filterwarnings("ignore")

import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402


@triton.jit
def matmul(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    n = tl.cdiv(N, BN)
    rm = pid // n * BM + tl.arange(0, BM)
    rn = pid % n * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    pa = a + rm[:, None] * sa + rk[None, :]
    pb = b + rk[:, None] * sb + rn[None, :]
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0.0)
        y = tl.load(pb, mask=(rk[:, None] < K - k * BK) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * sb
    tl.store(c + rm[:, None] * sc + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def attention(q, k, v, o, tokens, scale, head, row, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    base = tl.program_id(1) * head
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    x = tl.load(q + base + rm[:, None] * row + rd[None, :], mask=rm[:, None] < tokens, other=0.0)
    m = tl.full((BM,), float("-inf"), tl.float32)
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, tokens, BN):
        rn = start + tl.arange(0, BN)
        y = tl.load(k + base + rn[None, :] * row + rd[:, None], mask=rn[None, :] < tokens, other=0.0)
        s = tl.dot(x, y) * (scale * 1.44269504)
        s = tl.where(rn[None, :] < tokens, s, float("-inf"))
        high = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - high[:, None])
        shrink = tl.exp2(m - high)
        l = l * shrink + tl.sum(p, 1)
        z = tl.load(v + base + rn[:, None] * row + rd[None, :], mask=rn[:, None] < tokens, other=0.0)
        acc = tl.dot(p.to(tl.float16), z, acc * shrink[:, None])
        m = high
    tl.store(o + base + rm[:, None] * row + rd[None, :], (acc / l[:, None]).to(tl.float16), mask=rm[:, None] < tokens)


def compile_to_ptx(kernel, types, constants, warps, stages):
    signature = {n: types.get(n, "constexpr") for n in kernel.arg_names}
    # What Triton finds at a call at these shapes: pointers and sizes are multiples of 16.
    divisible = {
        (i,): [["tt.divisibility", 16]] for i, n in enumerate(kernel.arg_names) if types.get(n) in ("*fp16", "i32")
    }
    source = triton.compiler.ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=divisible)
    return triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": warps, "num_stages": stages})


def main():
    what, x, y, z, warps, stages = sys.argv[1], *map(int, sys.argv[2:7])
    if what == "matmul":
        types = {**dict.fromkeys(["a", "b", "c"], "*fp16"), **dict.fromkeys(["M", "N", "K", "sa", "sb", "sc"], "i32")}
        k = compile_to_ptx(matmul, types, {"BM": x, "BN": y, "BK": z}, warps, stages)
    else:
        types = {
            **dict.fromkeys(["q", "k", "v", "o"], "*fp16"),
            **dict.fromkeys(["tokens", "head", "row"], "i32"),
            "scale": "fp32",
        }
        k = compile_to_ptx(attention, types, {"BM": x, "BN": y, "D": z}, warps, stages)
    with open(sys.argv[7], "w") as f:
        f.write(k.asm["ptx"])
    print(triton.__version__, k.metadata.shared)


if __name__ == "__main__":
    main()
