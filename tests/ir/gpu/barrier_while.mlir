// A `while` with a load in its condition: it waits for the body's store of the round before. The body's store need not wait: the
// sum's barrier stands between. After the loop nothing is to be waited for, since the condition comes last.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: scf.while
// CHECK-NEXT: tine.barrier between "store to source 0 by tine.store{{.*}}" and "load from source 0 by tine.load
// CHECK-NEXT: tine.load %arg1
// CHECK: scf.condition
// CHECK-NOT: source 0
// CHECK: tine.store %{{.*}}, %arg0
// CHECK-NOT: source 0

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#turned = affine_map<(i, j)[s0] -> (j, i)>
#none2 = affine_map<(i, j)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#pt = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #turned, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @While grid [] symbols ["n"] sources [#x, #y] params [#px, #pt, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %t: !tine.view, %y: !tine.view):
  %n = tine.constant 100.0 : f32
  %one = tine.constant 1.0 : f32
  %zero = tine.constant 0.0 : f32
  %r = scf.while (%k = %zero) : (f32) -> f32 {
    %v = tine.load %t[] : !tine.tile<[32, 32], f32>
    %s = tine.reduce "sum"(%v) axes [0, 1] : !tine.tile<[32, 32], f32> to f32
    %c = tine.elementwise "lt"(%s, %n) : (f32, f32) -> i1
    scf.condition(%c) %k : f32
  } do {
  ^bb0(%k: f32):
    %next = tine.elementwise "add"(%k, %one) : (f32, f32) -> f32
    %w = tine.broadcast %next : f32 to !tine.tile<[32, 32], f32>
    tine.store %w, %x[] : !tine.tile<[32, 32], f32>
    scf.yield %next : f32
  }
  %u = tine.load %t[] : !tine.tile<[32, 32], f32>
  tine.store %u, %y[] : !tine.tile<[32, 32], f32>
}
