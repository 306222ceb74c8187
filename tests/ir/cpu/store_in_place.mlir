// x = x + x: each lane is read before it is written, so nothing needs to be kept.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Double grid [] symbols [] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  %u = tine.elementwise "add"(%t, %t) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  tine.store %u, %x[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[X:.*]] = llvm.getelementptr
// CHECK-NEXT: %[[T:.*]] = llvm.load %[[X]]
// CHECK-NEXT: %[[U:.*]] = arith.addf %[[T]], %[[T]]
// CHECK-NEXT: llvm.store %[[U]], %[[X]]
