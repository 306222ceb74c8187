// A tile that the loop stores to is loaded in the round that uses it, with a barrier before the reads and one before the next
// round's writes. The other operand, of rows aligned to two bytes, goes by way of registers: loaded for the next round before
// the product, stored after it.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.kernel
// CHECK-NOT: tine.copy_async
// CHECK: %[[RING:.*]] = tine.shared_alloc at {{[0-9]+}} slots 2 : <[32, 16], f16
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = tine.load %arg0[%{{.*}}] {ahead}
// CHECK: %[[SLOT:.*]] = tine.shared_slot %[[RING]][%[[NONE:[0-9]+]]]
// CHECK: tine.shared_store %[[FIRST]], %[[SLOT]] zero
// CHECK: scf.for %[[K:[a-z0-9]+]] = %{{.*}} iter_args(%[[TURN:[a-z0-9]+]] = %[[NONE]])
// CHECK: tine.barrier between "this round's copies by all threads, and the reads of the round before"
// CHECK: %[[OTHER:.*]] = tine.elementwise "sub"(%{{.*}}, %[[TURN]])
// CHECK: %[[AFTER:.*]] = tine.elementwise "add"(%[[K]],
// CHECK: %[[IS:.*]] = tine.elementwise "lt"(%[[AFTER]],
// CHECK: %[[NEXT:.*]] = tine.elementwise "where"(%[[IS]], %[[AFTER]], %[[K]])
// CHECK: %[[AHEAD:.*]] = tine.load %arg0[%[[NEXT]]] {ahead}
// CHECK: %[[READ:.*]] = tine.shared_slot %[[RING]][%[[TURN]]]
// CHECK: tine.load %arg1[%[[K]]]
// CHECK: tine.shared_store
// CHECK: tine.barrier between "write of shared memory{{.*}}" and "read of shared memory
// CHECK: tine.dot
// CHECK: %[[TO:.*]] = tine.shared_slot %[[RING]][%[[OTHER]]]
// CHECK: tine.shared_store %[[AHEAD]], %[[TO]] zero
// CHECK: scf.yield %[[OTHER]]
// CHECK-NOT: tine.copy_async

#a = #tine.source<name = "a", type = f16, rank = 2, unit = [1], contiguous = false, align = 2>
#b = #tine.source<name = "b", type = f16, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(k, i, j)[s0] -> (i, k * 16 + j)>
#at_b = affine_map<(k, i, j)[s0] -> (k * 16 + i, j)>
#none = affine_map<(k, i, j)[s0] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 32, 16>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: -1>, array<i64: 16, 32>], coords = #at_b, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @NotAhead grid [] symbols ["rounds"] sources [#a, #b] params [#pa, #pb] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view):
  %lo = tine.constant 0 : i64
  %one = tine.constant 1 : i64
  %hi = tine.symbol 0
  scf.for %k = %lo to %hi step %one : i64 {
    %x = tine.load %a[%k] : !tine.tile<[32, 16], f16>
    %y = tine.load %b[%k] : !tine.tile<[16, 32], f16>
    %d = tine.dot %x, %y : !tine.tile<[32, 16], f16>, !tine.tile<[16, 32], f16> -> !tine.tile<[32, 32], f32>
    %s = tine.reduce "sum"(%d) axes [0] : !tine.tile<[32, 32], f32> to !tine.tile<[32], f32>
    %c = tine.cast %s : !tine.tile<[32], f32> to !tine.tile<[32], f16>
    %w = tine.broadcast %c : !tine.tile<[32], f16> to !tine.tile<[16, 32], f16>
    tine.store %w, %b[%k] : !tine.tile<[16, 32], f16>
  }
}
