// Fewer elements than threads: several threads load each of them and one stores it, after all have loaded.
// (Where each element has one thread: barrier_in_place.mlir.)
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK-LABEL: tine.kernel @Repeated
// CHECK: tine.load %arg0
// CHECK: tine.barrier between "load from source 0 by tine.load{{.*}}" and "store to source 0 by tine.store
// CHECK-NEXT: tine.store %{{.*}}, %arg0

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#row = affine_map<(i)[s0] -> (i, 0)>
#none1 = affine_map<(i)[s0] -> ()>
#pf = #tine.param<source = 0, levels = [array<i64>, array<i64: 8>], coords = #row, linear = #none1, bounds = #none1, limits = #none1, low = [], other = 0.0 : f64>

tine.kernel @Repeated grid [] symbols ["n"] sources [#x] params [#pf] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view):
  %a = tine.load %x[] : !tine.tile<[8], f32>
  %c = tine.elementwise "neg"(%a) : (!tine.tile<[8], f32>) -> !tine.tile<[8], f32>
  tine.store %c, %x[] : !tine.tile<[8], f32>
}
