// An expanded dim reads index 0 along it: one element for all lanes, no gather.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = false, align = 4>
#row = affine_map<(i, j) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 4, 64>], coords = #row, linear = #row, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 4, 64>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Expand grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[4, 64], f32>
  tine.store %t, %y[] : !tine.tile<[4, 64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-NOT: gather
// CHECK: scf.for
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i64 to %c4_i64 step %c1_i64
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c8_i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[ONE:.*]] = llvm.load %[[AT]] {{.*}} -> f32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[ONE]]
// CHECK: llvm.store %[[ALL]]
