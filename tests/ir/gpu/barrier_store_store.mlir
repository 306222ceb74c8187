// Two stores to one tensor. By the same map each thread stores to its own elements again, and needs no barrier; by another map
// the second store is to elements that other threads have stored to.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.kernel
// CHECK-NOT: tine.barrier
// CHECK: tine.store %{{.*}}, %arg0
// CHECK-NEXT: tine.store %{{.*}}, %arg0
// CHECK-NEXT: tine.store %{{.*}}, %arg2
// CHECK-NEXT: tine.barrier between "store to source 0 by tine.store{{.*}}" and "store to source 0 by tine.store
// CHECK-NEXT: tine.store %{{.*}}, %arg1
// CHECK-NOT: tine.barrier

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#turned = affine_map<(i, j)[s0] -> (j, i)>
#none2 = affine_map<(i, j)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#pt = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #turned, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @StoreTwice grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #pt, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %t: !tine.view, %y: !tine.view):
  %one = tine.constant 1.0 : f32
  %ones = tine.broadcast %one : f32 to !tine.tile<[32, 32], f32>
  %two = tine.constant 2.0 : f32
  %twos = tine.broadcast %two : f32 to !tine.tile<[32, 32], f32>
  tine.store %ones, %x[] : !tine.tile<[32, 32], f32>
  tine.store %twos, %x[] : !tine.tile<[32, 32], f32>
  tine.store %twos, %y[] : !tine.tile<[32, 32], f32>
  tine.store %ones, %t[] : !tine.tile<[32, 32], f32>
}
