// No barrier: a tensor that is only read may be read by any thread at any time, also where it shares memory with another one.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.kernel
// CHECK-NOT: source {{[0-9]+}} by
// CHECK: tine.load %arg0
// CHECK-NOT: source {{[0-9]+}} by
// CHECK: tine.store %{{.*}}, %arg2
// CHECK-NOT: source {{[0-9]+}} by

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#turned = affine_map<(i, j)[s0] -> (j, i)>
#none2 = affine_map<(i, j)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#pt = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #turned, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @ReadTwice grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #pt, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %t: !tine.view, %y: !tine.view):
  %v = tine.load %x[] : !tine.tile<[32, 32], f32>
  %w = tine.load %t[] : !tine.tile<[32, 32], f32>
  %s = tine.elementwise "add"(%v, %w) : (!tine.tile<[32, 32], f32>, !tine.tile<[32, 32], f32>) -> !tine.tile<[32, 32], f32>
  tine.store %s, %y[] : !tine.tile<[32, 32], f32>
}
