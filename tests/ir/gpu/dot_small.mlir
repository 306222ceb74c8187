// Tiles smaller than the matrix unit are multiplied by threads.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK-NOT: mma.sync
// CHECK: fma.rn.f32

#a = #tine.source<name = "a", type = f16, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = f16, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 8, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
tine.kernel @DotSmall grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[8, 16], f16>
  %y = tine.load %b[] : !tine.tile<[16, 8], f16>
  %d = tine.dot %x, %y : !tine.tile<[8, 16], f16>, !tine.tile<[16, 8], f16> -> !tine.tile<[8, 8], f32>
  tine.store %d, %c[] : !tine.tile<[8, 8], f32>
}
