// y = trans(x): the store runs along memory, the load gathers a column. No tile gets memory.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#ij = affine_map<(i, j) -> (i, j)>
#x_linear = affine_map<(i, j) -> (i * 8 + j)>
#y_linear = affine_map<(i, j) -> (i * 32 + j)>
#none = affine_map<(i, j) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 8>], coords = #ij, linear = #x_linear, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 8, 32>], coords = #ij, linear = #y_linear, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Transpose grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[32, 8], f32>
  %u = tine.permute %t [1, 0] : !tine.tile<[32, 8], f32> to !tine.tile<[8, 32], f32>
  tine.store %u, %y[] : !tine.tile<[8, 32], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[STEPS:.*]] = arith.constant dense<[0, 8, 16, 24, 32, 40, 48, 56]>
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i64 to %c8_i64 step %c1_i64
// CHECK-NEXT: scf.for %[[J:.*]] = %c0_i64 to %c32_i64 step %c8_i64
// The first lane's element of x is (j, i), the others lie 8 apart.
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[J]], %c8_i64
// CHECK-NEXT: %[[FROM:.*]] = arith.addi %[[ROW]], %[[I]]
// CHECK-NEXT: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%[[FROM]]]
// CHECK-NEXT: %[[LANES:.*]] = llvm.getelementptr %[[FIRST]][%[[STEPS]]]
// CHECK-NEXT: llvm.intr.masked.gather %[[LANES]]
// CHECK-NEXT: %[[Y_ROW:.*]] = arith.muli %[[I]], %c32_i64
// CHECK-NEXT: arith.addi %[[Y_ROW]], %[[J]]
// CHECK: llvm.store %{{.*}} : vector<8xf32>
