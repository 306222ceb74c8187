// Bytes whose rows run along n: ldmatrix turns 16-bit units, so pairs of columns, and byte permutations take these apart. The
// columns of the result's fragments are dealt out accordingly.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-COUNT-2: prmt.b32
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32
// CHECK-COUNT-2: prmt.b32
// CHECK-NOT: prmt
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32

#a = #tine.source<name = "a", type = ui8, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = i8, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = i32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 16, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 16, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
tine.kernel @DotInt8Rows grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[16, 32], ui8>
  %y = tine.load %b[] : !tine.tile<[32, 16], i8>
  %d = tine.dot %x, %y : !tine.tile<[16, 32], ui8>, !tine.tile<[32, 16], i8> -> !tine.tile<[16, 16], i32>
  tine.store %d, %c[] : !tine.tile<[16, 16], i32>
}
