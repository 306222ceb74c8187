// t = x; x = y; y = t: t is what x held before the store, so it is kept in memory first.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Swap grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  %u = tine.load %y[] : !tine.tile<[64], f32>
  tine.store %u, %x[] : !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
}

// One loop: both loads of a lane come before both stores, and what y receives is what x held.
// CHECK-LABEL: func.func @tine_entry(
// CHECK: scf.for
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i64 to %c64_i64 step %c8_i64
// CHECK-NEXT: %[[X:.*]] = llvm.getelementptr
// CHECK-NEXT: %[[T:.*]] = llvm.load %[[X]]
// CHECK-NOT: llvm.store %{{.*}}, %[[X]]
// CHECK: %[[U:.*]] = llvm.load %[[Y:.*]] {alignment
// CHECK-NEXT: llvm.store %[[U]], %[[X]]
// CHECK-NEXT: llvm.store %[[T]], %[[Y]]
