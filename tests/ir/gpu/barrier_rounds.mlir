// In place at places that overlap from round to round (rounds that share none need no barrier: barrier_in_place.mlir): what one
// round stores, other threads load in the next. Within a round each thread has its own elements.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: scf.for
// CHECK-NEXT: tine.barrier between "store to source 0 by tine.store{{.*}}" and "load from source 0 by tine.load
// CHECK-NEXT: tine.load
// CHECK-NOT: tine.barrier

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#slide = affine_map<(k, i, j)[s0] -> (k + i, j)>
#none3 = affine_map<(k, i, j)[s0] -> ()>
#ps = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 32, 32>], coords = #slide, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>

tine.kernel @Sliding grid [] symbols ["rounds"] sources [#x] params [#ps] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view):
  %lo = tine.constant 0 : i64
  %one = tine.constant 1 : i64
  %hi = tine.symbol 0
  scf.for %k = %lo to %hi step %one : i64 {
    %a = tine.load %x[%k] : !tine.tile<[32, 32], f32>
    %c = tine.elementwise "neg"(%a) : (!tine.tile<[32, 32], f32>) -> !tine.tile<[32, 32], f32>
    tine.store %c, %x[%k] : !tine.tile<[32, 32], f32>
  }
}
