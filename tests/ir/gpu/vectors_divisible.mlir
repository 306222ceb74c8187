// A length that is a multiple of 16: vectors of 16 bytes are in range as a whole or not at all, so a predicate will do.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK-LABEL: .entry tine_kernel
// CHECK-NOT: bra
// CHECK: @%p{{[0-9]+}} ld.global.nc.v4.b32
// CHECK-NOT: bra
// CHECK: @%p{{[0-9]+}} st.global.v4.b32
// CHECK-NOT: bra

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#i = affine_map<(p, i)[s0, s1] -> (p * 1024 + i)>
#n = affine_map<(p, i)[s0, s1] -> (s1)>
#none = affine_map<(p, i)[s0, s1] -> ()>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>

tine.kernel @Neg grid [s0] symbols ["cdiv(x.size0, 1024)", "x.size0"] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index, multiples = array<i64: 1, 16>} {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[1024], f32>
  %u = tine.elementwise "neg"(%t) : (!tine.tile<[1024], f32>) -> !tine.tile<[1024], f32>
  tine.store %u, %y[] : !tine.tile<[1024], f32>
}
