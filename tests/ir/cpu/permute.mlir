// y = trans(x): x lies in rows, and so does y. Rows are copied, turned in registers (8 x 8, three rounds of shuffles), and
// stored as rows: nothing is gathered.
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
// CHECK-NOT: gather
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.store %{{.*}} : vector<8xf32>, !llvm.ptr
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-8: llvm.store %{{.*}} {alignment = 1 : i64} : vector<8xf32>, !llvm.ptr
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NOT: scatter
// CHECK: return
