// No barrier: each thread loads and stores its own elements, in place and, in a loop, at places that share none; and y is other
// memory.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.kernel
// CHECK-NOT: tine.barrier

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#none2 = affine_map<(i, j)[s0] -> ()>
#round = affine_map<(k, i, j)[s0] -> (k * 32 + i, j)>
#none3 = affine_map<(k, i, j)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 32, 32>], coords = #round, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @InPlace grid [] symbols ["rounds"] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %y: !tine.view):
  %lo = tine.constant 0 : i64
  %one = tine.constant 1 : i64
  %hi = tine.symbol 0
  scf.for %k = %lo to %hi step %one : i64 {
    %a = tine.load %x[%k] : !tine.tile<[32, 32], f32>
    %b = tine.load %y[] : !tine.tile<[32, 32], f32>
    %c = tine.elementwise "add"(%a, %b) : (!tine.tile<[32, 32], f32>, !tine.tile<[32, 32], f32>) -> !tine.tile<[32, 32], f32>
    tine.store %c, %x[%k] : !tine.tile<[32, 32], f32>
  }
}
