// What is known of a place without reading it.
// RUN: tine-opt %s | tine-opt | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>

// CHECK-LABEL: tine.kernel @Place
tine.kernel @Place grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
// CHECK: ^bb0(%[[X:.*]]: !tine.view):
^bb0(%x: !tine.view):
  %k = tine.constant 3 : i64
  // CHECK: tine.valid %[[X]][%[[K:.*]]] : !tine.tile<[8], i1>
  %v = tine.valid %x[%k] : !tine.tile<[8], i1>
  // CHECK: tine.offsets %[[X]] dim 1[%[[K]]] : !tine.tile<[8], i64>
  %o = tine.offsets %x dim 1 [%k] : !tine.tile<[8], i64>
}
