// The accumulator of a loop is one buffer, which the product updates in place: no second one, no copy at the end of a round.
// RUN: tine-opt %s --tine-accumulate-products --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[ACC:.*]] = llvm.alloca
// CHECK-NOT: llvm.alloca
// Zeros before the loop.
// CHECK: llvm.store %cst{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64
// CHECK: llvm.load %[[ACC]] {{.*}} -> vector<16xf32>
// CHECK: %[[SUM:.*]]:16 = scf.for
// CHECK-COUNT-16: llvm.intr.fma
// CHECK: llvm.store %[[SUM]]#0, %[[ACC]]
// CHECK-COUNT-15: llvm.store %[[SUM]]#
// CHECK-NEXT: {{^ *[}]}}

#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 8, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 16, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Loop grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %c0 = tine.constant 0 : i64
  %c4 = tine.constant 4 : i64
  %c1 = tine.constant 1 : i64
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[8, 32], f32>
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zeros) -> (!tine.tile<[8, 32], f32>) : i64 {
    %t = tine.load %x[] : !tine.tile<[8, 16], f32>
    %u = tine.load %y[] : !tine.tile<[16, 32], f32>
    %d = tine.dot %t, %u : !tine.tile<[8, 16], f32>, !tine.tile<[16, 32], f32> -> !tine.tile<[8, 32], f32>
    %s = tine.elementwise "add"(%acc, %d) : (!tine.tile<[8, 32], f32>, !tine.tile<[8, 32], f32>) -> !tine.tile<[8, 32], f32>
    scf.yield %s : !tine.tile<[8, 32], f32>
  }
  tine.store %sum, %z[] : !tine.tile<[8, 32], f32>
}
