// A conversion between layouts that stays within warps is made by shuffles: no shared memory, no barrier.
// RUN: tine-compile %s nvptx:sm_80 layouts - "warps=1" | FileCheck %s
// RUN: tine-compile %s nvptx:sm_80 ptx - "warps=1" | FileCheck %s --check-prefix=PTX

// CHECK: tine.kernel
// CHECK-NOT: tine.shared_alloc
// CHECK: tine.convert_layout
// CHECK-NOT: tine.barrier
// PTX-NOT: .shared
// PTX: shfl.sync.idx
// PTX-NOT: bar.sync

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i) -> (i)>
#none2 = affine_map<(i, j) -> ()>
#none1 = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 16>], coords = #i, linear = #none1, bounds = #none1, limits = #none1, low = [], other = 0.0 : f64>
tine.kernel @RowSums grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %y: !tine.view):
  %a = tine.load %x[] : !tine.tile<[16, 8], f32>
  %s = tine.reduce "sum"(%a) axes [1] : !tine.tile<[16, 8], f32> to !tine.tile<[16], f32>
  tine.store %s, %y[] : !tine.tile<[16], f32>
}
