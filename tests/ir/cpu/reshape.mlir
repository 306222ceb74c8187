// A reshape that only inserts or drops dims of size 1 is free; one that moves elements reads the kept tile under its new
// shape, without a copy.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = false, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = false, align = 4>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 4, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 8, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Reshape grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[4, 32], f32>
  %u = tine.reshape %t : !tine.tile<[4, 32], f32> to !tine.tile<[8, 16], f32>
  tine.store %u, %y[] : !tine.tile<[8, 16], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[KEPT:.*]] = llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c4_i64 step %c1_i64
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c32_i64 step %c8_i64
// CHECK: llvm.getelementptr %[[KEPT]]
// CHECK-NEXT: llvm.store
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %c8_i64 step %c1_i64
// CHECK-NEXT: scf.for %[[J:.*]] = %c0_i64 to %c16_i64 step %c8_i64
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[I]], %c16_i64
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[J]], %[[ROW]]
// CHECK-NEXT: llvm.getelementptr %[[KEPT]][%[[AT]]]
// CHECK-NEXT: llvm.load
// CHECK: llvm.store
