// Memory that the kernel also stores to is no constant memory, and is loaded where the program loads it.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK-LABEL: .entry tine_kernel
// CHECK-NOT: .nc
// CHECK: ld.global.v4.b32
// CHECK-NOT: .nc

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#i = affine_map<(p, i)[s0, s1] -> (p * 1024 + i)>
#n = affine_map<(p, i)[s0, s1] -> (s1)>
#none = affine_map<(p, i)[s0, s1] -> ()>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>

tine.kernel @Overlapping grid [s0] symbols ["cdiv(x.size0, 1024)", "x.size0"] sources [#x, #y] params [#px, #py] overlaps [1, 0] attributes {narrow_index, multiples = array<i64: 1024, 1024>} {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[1024], f32>
  %u = tine.elementwise "neg"(%t) : (!tine.tile<[1024], f32>) -> !tine.tile<[1024], f32>
  tine.store %u, %y[] : !tine.tile<[1024], f32>
}
