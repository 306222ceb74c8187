// Along a dim outside the vectors: columns are lanes, rows the inner loop, no step across lanes.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = false, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = false, align = 4>
#at = affine_map<(i, j) -> (i, j)>
#none2 = affine_map<(i, j) -> ()>
#at1 = affine_map<(i) -> (i)>
#none1 = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 4, 64>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #at1, linear = #none1, bounds = #none1, limits = #none1, low = [], other = 0.0 : f64>

tine.kernel @ColumnSum grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[4, 64], f32>
  %s = tine.reduce "sum"(%t) axes [0] : !tine.tile<[4, 64], f32> to !tine.tile<[64], f32>
  tine.store %s, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK: scf.for
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c8_i64
// CHECK-NEXT: %[[SUM:.*]] = scf.for %{{.*}} = %c0_i64 to %c4_i64 step %c1_i64 iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<8xf32>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[ACC]], %[[X]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NOT: vector.shuffle
// CHECK: llvm.store %[[SUM]]
