// A load of what the program has stored before, through another parameter: other threads stored it. The barrier names both.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.store %{{.*}}, %arg0
// CHECK-NEXT: tine.barrier between "store to source 0 by tine.store{{.*}}" and "load from source 0 by tine.load
// CHECK-NEXT: tine.load %arg1
// CHECK-NOT: source 0

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#none2 = affine_map<(i, j)[s0] -> ()>
#turned = affine_map<(i, j)[s0] -> (j, i)>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#pt = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #turned, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @StoreThenLoad grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #pt, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %t: !tine.view, %y: !tine.view):
  %one = tine.constant 1.0 : f32
  %ones = tine.broadcast %one : f32 to !tine.tile<[32, 32], f32>
  tine.store %ones, %x[] : !tine.tile<[32, 32], f32>
  %v = tine.load %t[] : !tine.tile<[32, 32], f32>
  tine.store %v, %y[] : !tine.tile<[32, 32], f32>
}
