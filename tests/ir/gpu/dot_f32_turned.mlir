// Operands of f32 products lie along m and n in shared memory. Copies of what lies along k in its source have two lanes of a sector,
// whose k differ by 4: there the halves of a line of banks change places, so that the two lanes' stores do not meet. Reads of a
// row of b or a column of a have one address for each half, and no other arithmetic in the loop.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s --check-prefix=PTX

// CHECK-DAG: #[[A:.*]] = #tine.layout<[64, 32], offset = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 1], [0, 2], [16, 4], [0, 8], [0, 16]]>
// CHECK-DAG: #[[B:.*]] = #tine.layout<[32, 64], offset = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 16], [8, 0], [16, 0]]>
// CHECK: tine.shared_dot %{{.*}}, %{{.*}}, %{{.*}} : <[64, 32], f32, #[[A]]>, <[32, 64], f32, #[[B]]>

// PTX: bar.sync
// PTX: ld.shared.v4.b32
// PTX-NOT: xor
// PTX: bra

#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 64, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 64>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 64, 64>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
tine.kernel @Turned grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[64, 32], f32>
  %y = tine.load %b[] : !tine.tile<[32, 64], f32>
  %d = tine.dot %x, %y : !tine.tile<[64, 32], f32>, !tine.tile<[32, 64], f32> -> !tine.tile<[64, 64], f32>
  tine.store %d, %c[] : !tine.tile<[64, 64], f32>
}
