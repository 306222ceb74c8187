// A stride that only the call knows: element by element, neighbours in neighbouring lanes, and no branches.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK-LABEL: .entry tine_kernel
// CHECK-NOT: {{bra|\.v[24]\.}}
// CHECK-COUNT-8: @%p{{[0-9]+}} ld.global.nc.b32
// CHECK-NOT: {{bra|\.v[24]\.}}

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#i = affine_map<(p, i)[s0, s1] -> (p * 1024 + i)>
#n = affine_map<(p, i)[s0, s1] -> (s1)>
#none = affine_map<(p, i)[s0, s1] -> ()>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>

tine.kernel @Neg grid [s0] symbols ["cdiv(x.size0, 1024)", "x.size0"] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[1024], f32>
  %u = tine.elementwise "neg"(%t) : (!tine.tile<[1024], f32>) -> !tine.tile<[1024], f32>
  tine.store %u, %y[] : !tine.tile<[1024], f32>
}
