// A tensor whose own elements share memory: a store in place is to what other threads load.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.load %arg0
// CHECK: tine.barrier between "load from source 0 by tine.load{{.*}}" and "store to source 0 by tine.store
// CHECK-NEXT: tine.store %{{.*}}, %arg0

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#none2 = affine_map<(i, j)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @SelfOverlap grid [] symbols ["n"] sources [#x] params [#px] overlaps [0, 0] attributes {narrow_index} {
^bb0(%x: !tine.view):
  %a = tine.load %x[] : !tine.tile<[32, 32], f32>
  %c = tine.elementwise "neg"(%a) : (!tine.tile<[32, 32], f32>) -> !tine.tile<[32, 32], f32>
  tine.store %c, %x[] : !tine.tile<[32, 32], f32>
}
