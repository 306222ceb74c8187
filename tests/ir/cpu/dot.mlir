// c = a b with 8 x 32 of c: one block of 8 rows and two vectors. b is copied to a panel; a is read where it lies, an element
// for all lanes; the 16 accumulators start from zero and stay in registers over all of k.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tine_entry(
// CHECK: scf.for
// The panel, in scratch.
// CHECK-NEXT: scf.for
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// The block.
// CHECK: %[[ACC:.*]]:16 = scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c1_i64 iter_args(%{{.*}} = %cst,
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-COUNT-16: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: scf.yield
// CHECK-COUNT-16: llvm.store %[[ACC]]#

#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 8, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 16, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Dot grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %t = tine.load %x[] : !tine.tile<[8, 16], f32>
  %u = tine.load %y[] : !tine.tile<[16, 32], f32>
  %d = tine.dot %t, %u : !tine.tile<[8, 16], f32>, !tine.tile<[16, 32], f32> -> !tine.tile<[8, 32], f32>
  tine.store %d, %z[] : !tine.tile<[8, 32], f32>
}
