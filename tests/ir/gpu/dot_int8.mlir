// Bytes with signs of their own.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32

#a = #tine.source<name = "a", type = ui8, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = i8, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = i32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 16, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
tine.kernel @DotInt8 grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[16, 32], ui8>
  %y = tine.load %b[] : !tine.tile<[32, 8], i8>
  %d = tine.dot %x, %y : !tine.tile<[16, 32], ui8>, !tine.tile<[32, 8], i8> -> !tine.tile<[16, 8], i32>
  tine.store %d, %c[] : !tine.tile<[16, 8], i32>
}
