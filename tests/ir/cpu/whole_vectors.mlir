// The width follows the target and the widest element: 16 bytes hold four f32, 64 hold sixteen, or eight i64 beside them.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=16 | FileCheck %s --check-prefix=SSE
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=64 | FileCheck %s --check-prefix=AVX512
// SSE: vector<2xi64>
// SSE: vector<2xf32>
// SSE-NOT: vector<4x
// AVX512: vector<8xi64>
// AVX512: vector<8xf32>
// AVX512-NOT: vector<16x

#x = #tine.source<name = "x", type = i64, rank = 1, unit = [0], contiguous = true, align = 8>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Convert grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], i64>
  %u = tine.cast %t : !tine.tile<[64], i64> to !tine.tile<[64], f32>
  tine.store %u, %y[] : !tine.tile<[64], f32>
}
