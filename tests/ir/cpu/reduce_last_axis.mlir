// Along the dim of the vectors: four accumulators of whole vectors, joined after the loop, then across lanes.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = false, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = false, align = 4>
#at = affine_map<(i, j) -> (i, j)>
#none2 = affine_map<(i, j) -> ()>
#at1 = affine_map<(i) -> (i)>
#none1 = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 4, 64>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 4>], coords = #at1, linear = #none1, bounds = #none1, limits = #none1, low = [], other = 0.0 : f64>

tine.kernel @RowSum grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[4, 64], f32>
  %s = tine.reduce "sum"(%t) axes [1] : !tine.tile<[4, 64], f32> to !tine.tile<[4], f32>
  tine.store %s, %y[] : !tine.tile<[4], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1_i64
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c4_i64 step %c1_i64
// CHECK-NEXT: %[[R:.*]]:4 = scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c32_i64 iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %[[ZERO]], %{{.*}} = %[[ZERO]], %{{.*}} = %[[ZERO]])
// CHECK-COUNT-4: arith.addf %{{.*}} : vector<8xf32>
// CHECK: scf.yield
// CHECK: arith.addf %[[R]]#0, %[[R]]#1
// CHECK-NEXT: arith.addf %{{.*}}, %[[R]]#2
// CHECK-NEXT: arith.addf %{{.*}}, %[[R]]#3
// CHECK: arith.addf %{{.*}} : vector<4xf32>
// CHECK: arith.addf %{{.*}} : vector<2xf32>
// CHECK: arith.addf %{{.*}} : vector<1xf32>
// CHECK-NEXT: %[[SUM:.*]] = vector.extract
// CHECK: llvm.store %[[SUM]]
