// A store in one branch alone: the load after both waits for it. A load in a branch that no store came before does not wait.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: scf.if
// CHECK-NEXT: tine.store %{{.*}}, %arg0
// CHECK-NEXT: } else {
// CHECK-NOT: source {{[0-9]+}} by
// CHECK: tine.load %arg1
// CHECK-NOT: source {{[0-9]+}} by
// CHECK: tine.store %{{.*}}, %arg2
// CHECK-NEXT: }
// CHECK-NEXT: tine.barrier between "store to source 0 by tine.store{{.*}}" and "load from source 0 by tine.load
// CHECK-NEXT: tine.load %arg1

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#turned = affine_map<(i, j)[s0] -> (j, i)>
#none2 = affine_map<(i, j)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#pt = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #turned, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Branch grid [] symbols ["n"] sources [#x, #y] params [#px, #pt, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %t: !tine.view, %y: !tine.view):
  %n = tine.symbol 0
  %zero = tine.constant 0 : i64
  %some = tine.elementwise "lt"(%zero, %n) : (i64, i64) -> i1
  %one = tine.constant 1.0 : f32
  %ones = tine.broadcast %one : f32 to !tine.tile<[32, 32], f32>
  scf.if %some {
    tine.store %ones, %x[] : !tine.tile<[32, 32], f32>
  } else {
    %u = tine.load %t[] : !tine.tile<[32, 32], f32>
    tine.store %u, %y[] : !tine.tile<[32, 32], f32>
  }
  %v = tine.load %t[] : !tine.tile<[32, 32], f32>
  tine.store %v, %y[] : !tine.tile<[32, 32], f32>
}
