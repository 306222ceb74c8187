// Nothing can be out of range: one loop, no mask.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#at = affine_map<(p, i) -> (p * 64 + i)>
#none = affine_map<(p, i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64: 4>, array<i64: 64>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: 4>, array<i64: 64>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Neg grid [4] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  %u = tine.elementwise "neg"(%t) : (!tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  tine.store %u, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: scf.for
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c8_i64
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK-NEXT: arith.negf
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: return
