// Where the machine multiplies pairs of bf16, a lane of the panel is a pair of neighbours along k: two rows of b, interleaved.
// Elsewhere both operands are copied as f32.
// RUN: tine-opt %s --tine-cpu-lower-tiles="vector-bytes=64 bf16-dot" --canonicalize --cse | FileCheck %s --check-prefix=PAIRS
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s --check-prefix=WIDE

// PAIRS-LABEL: func.func @tine_entry(
// PAIRS: vector.interleave %{{.*}}, %{{.*}} : vector<16xi16> -> vector<32xi16>
// PAIRS: scf.for %{{.*}} = %c0_i64 to %c8_i64 step %c1_i64 iter_args
// PAIRS: llvm.load %{{.*}} : !llvm.ptr -> i32
// PAIRS-COUNT-16: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// PAIRS-NOT: llvm.intr.fma

// WIDE-LABEL: func.func @tine_entry(
// WIDE-NOT: dpbf16ps
// WIDE: scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c1_i64 iter_args
// WIDE-COUNT-16: llvm.intr.fma

#a = #tine.source<name = "a", type = bf16, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = bf16, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 8, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 16, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Bf16 grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %t = tine.load %x[] : !tine.tile<[8, 16], bf16>
  %u = tine.load %y[] : !tine.tile<[16, 32], bf16>
  %d = tine.dot %t, %u : !tine.tile<[8, 16], bf16>, !tine.tile<[16, 32], bf16> -> !tine.tile<[8, 32], f32>
  tine.store %d, %z[] : !tine.tile<[8, 32], f32>
}
