// a b^T: rows of b are copied as they lie, then turned in registers, 16 x 16 at a time, in four rounds of shuffles.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tine_entry(
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-16: llvm.store %{{.*}} {alignment = 1 : i64} : vector<16xf32>, !llvm.ptr
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK-COUNT-16: llvm.intr.fma

#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 8, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Turned grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %t = tine.load %x[] : !tine.tile<[8, 16], f32>
  %u = tine.load %y[] : !tine.tile<[32, 16], f32>
  %v = tine.permute %u [1, 0] : !tine.tile<[32, 16], f32> to !tine.tile<[16, 32], f32>
  %d = tine.dot %t, %v : !tine.tile<[8, 16], f32>, !tine.tile<[16, 32], f32> -> !tine.tile<[8, 32], f32>
  tine.store %d, %z[] : !tine.tile<[8, 32], f32>
}
