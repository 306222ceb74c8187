// Rows within one warp: lanes shuffle, nothing goes through shared memory and nobody waits.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK-LABEL: .entry tine_kernel
// CHECK-NOT: .shared
// CHECK-COUNT-4: shfl.sync.bfly.b32
// CHECK-NOT: bar.sync

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#none2 = affine_map<(i, j)[s0] -> ()>
#row = affine_map<(i)[s0] -> (i, 0)>
#none1 = affine_map<(i)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 4, 64>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 4>], coords = #row, linear = #none1, bounds = #none1, limits = #none1, low = [], other = 0.0 : f64>

tine.kernel @Rows grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[4, 64], f32>
  %s = tine.reduce "max"(%t) axes [1] : !tine.tile<[4, 64], f32> to !tine.tile<[4], f32>
  tine.store %s, %y[] : !tine.tile<[4], f32>
}
