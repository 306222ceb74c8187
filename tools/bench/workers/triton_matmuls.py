"""Triton's compiles of f16 matmuls for sm_80, without a GPU, for the time that they take.
   triton_matmuls.py BMxBNxBK ...
Each tile size is compiled three times, as for a library: all sizes divisible by 16, pointers alone, nothing."""

import sys

import triton
from triton.backends.compiler import GPUTarget
from triton_kernels import matmul


def compile_one(tile, divisible):
    types = {**dict.fromkeys(["a", "b", "c"], "*fp16"), **dict.fromkeys(["M", "N", "K", "sa", "sb", "sc"], "i32")}
    names = matmul.arg_names
    signature = {n: types.get(n, "constexpr") for n in names}
    attrs = {(names.index(n),): [["tt.divisibility", 16]] for n in divisible}
    constants = dict(zip(("BM", "BN", "BK"), tile))
    source = triton.compiler.ASTSource(fn=matmul, signature=signature, constexprs=constants, attrs=attrs)
    triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": 4, "num_stages": 3})


if __name__ == "__main__":
    for text in sys.argv[1:]:
        tile = tuple(map(int, text.split("x")))
        for divisible in (["a", "b", "c", "M", "N", "K", "sa", "sb", "sc"], ["a", "b", "c"], []):
            compile_one(tile, divisible)
