// Places: three levels, so that one index names the tile.
// RUN: tine-opt %s | tine-opt | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
#n = #tine.source<name = "n", type = i32, rank = 0, unit = [], contiguous = false, align = 4>
#none = affine_map<()[s0, s1] -> ()>
#pn = #tine.param<source = 1, levels = [array<i64>], coords = #none, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

// CHECK-LABEL: tine.kernel @Access
tine.kernel @Access grid [s0] symbols ["n", "m"] sources [#x, #n] params [#px, #pn] overlaps [] {
// CHECK: ^bb0(%[[X:.*]]: !tine.view, %[[N:.*]]: !tine.view):
^bb0(%x: !tine.view, %n: !tine.view):
  %k = tine.constant 3 : i64
  // CHECK: %[[T:.*]] = tine.load %[[X]][%[[K:.*]]] : !tine.tile<[8], f32>
  %t = tine.load %x[%k] : !tine.tile<[8], f32>
  // CHECK: tine.load %[[N]][] : i32
  %s = tine.load %n[] : i32
  // CHECK: tine.store %[[T]], %[[X]][%[[K]]] : !tine.tile<[8], f32>
  tine.store %t, %x[%k] : !tine.tile<[8], f32>
}
