// Fours of int8: the machine wants a unsigned, so 128 is added to the signed a on its way to the multiplier, and the accumulators start lower by 128 times
// the sum of each column of b. All rows of the block start alike: one start
// for each of its two vectors.
// RUN: tine-opt %s --tine-cpu-lower-tiles="vector-bytes=64 int8-dot" --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tine_entry(
// CHECK: vector.interleave
// CHECK: vector.interleave
// CHECK: vector.interleave %{{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: scf.for %{{.*}} iter_args
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK: arith.shli %{{.*}} : vector<16xi32>
// CHECK-COUNT-2: arith.subi %{{.*}} : vector<16xi32>
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64 step %c1_i64 iter_args
// CHECK: %[[A:.*]] = arith.xori %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: llvm.bitcast %[[A]] : vector<16xi32> to vector<64xi8>
// CHECK-COUNT-16: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"

#a = #tine.source<name = "a", type = i8, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = i8, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = i32, rank = 2, unit = [1], contiguous = true, align = 64>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 8, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 16, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Int8 grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %t = tine.load %x[] : !tine.tile<[8, 16], i8>
  %u = tine.load %y[] : !tine.tile<[16, 32], i8>
  %d = tine.dot %t, %u : !tine.tile<[8, 16], i8>, !tine.tile<[16, 32], i8> -> !tine.tile<[8, 32], i32>
  tine.store %d, %z[] : !tine.tile<[8, 32], i32>
}
