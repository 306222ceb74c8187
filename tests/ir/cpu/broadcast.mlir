// A row and a column meet in a tile: the column's element is loaded once a row, outside the loop over vectors.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#r = #tine.source<name = "r", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#c = #tine.source<name = "c", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#i = affine_map<(i) -> (i)>
#none1 = affine_map<(i) -> ()>
#ij = affine_map<(i, j) -> (i, j)>
#linear = affine_map<(i, j) -> (i * 64 + j)>
#none2 = affine_map<(i, j) -> ()>
#pr = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none1, limits = #none1, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 1, levels = [array<i64>, array<i64: 4>], coords = #i, linear = #i, bounds = #none1, limits = #none1, low = [], other = 0.0 : f64>
#py = #tine.param<source = 2, levels = [array<i64>, array<i64: 4, 64>], coords = #ij, linear = #linear, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Outer grid [] symbols [] sources [#r, #c, #y] params [#pr, #pc, #py] overlaps [] {
^bb0(%r: !tine.view, %c: !tine.view, %y: !tine.view):
  %row = tine.load %r[] : !tine.tile<[64], f32>
  %column = tine.load %c[] : !tine.tile<[4], f32>
  %rows = tine.broadcast %row : !tine.tile<[64], f32> to !tine.tile<[4, 64], f32>
  %upright = tine.reshape %column : !tine.tile<[4], f32> to !tine.tile<[4, 1], f32>
  %columns = tine.broadcast %upright : !tine.tile<[4, 1], f32> to !tine.tile<[4, 64], f32>
  %product = tine.elementwise "mul"(%columns, %rows) : (!tine.tile<[4, 64], f32>, !tine.tile<[4, 64], f32>) -> !tine.tile<[4, 64], f32>
  tine.store %product, %y[] : !tine.tile<[4, 64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i64 to %c4_i64 step %c1_i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[ONE:.*]] = llvm.load %[[AT]] {{.*}} -> f32
// CHECK-NEXT: scf.for %[[J:.*]] = %c0_i64 to %c64_i64 step %c8_i64
// CHECK: %[[ROW:.*]] = llvm.load %{{.*}} -> vector<8xf32>
// CHECK: %[[COLUMN:.*]] = vector.broadcast %[[ONE]] : f32 to vector<8xf32>
// CHECK: arith.mulf %[[COLUMN]], %[[ROW]]
// CHECK: llvm.store %{{.*}} : vector<8xf32>
