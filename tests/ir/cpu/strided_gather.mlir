// A stride that only the call knows, negative ones included: lanes are gathered and scattered at stride * lane.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Copy grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[IOTA:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi64>
// CHECK: %[[X_SLOT:.*]] = llvm.getelementptr %{{.*}}[2]
// CHECK-NEXT: %[[X_STRIDE:.*]] = llvm.load %[[X_SLOT]]
// CHECK: %[[Y_SLOT:.*]] = llvm.getelementptr %{{.*}}[3]
// CHECK-NEXT: %[[Y_STRIDE:.*]] = llvm.load %[[Y_SLOT]]
// CHECK: scf.for
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %c64_i64 step %c8_i64
// CHECK-NEXT: %[[FROM:.*]] = arith.muli %[[I]], %[[X_STRIDE]]
// CHECK-NEXT: %[[X_AT:.*]] = llvm.getelementptr %{{.*}}[%[[FROM]]]
// CHECK-NEXT: %[[X_STEP:.*]] = vector.broadcast %[[X_STRIDE]]
// CHECK-NEXT: %[[X_LANES:.*]] = arith.muli %[[X_STEP]], %[[IOTA]]
// CHECK-NEXT: %[[X_PTRS:.*]] = llvm.getelementptr %[[X_AT]][%[[X_LANES]]]
// CHECK-NEXT: %[[V:.*]] = llvm.intr.masked.gather %[[X_PTRS]]
// CHECK-NEXT: arith.muli %[[I]], %[[Y_STRIDE]]
// CHECK: llvm.intr.masked.scatter %[[V]]
