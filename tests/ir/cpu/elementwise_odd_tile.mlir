// A tile of 13 elements: one whole vector, then a mask for the lanes that the tile does not have.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#at = affine_map<(p, i) -> (p * 13 + i)>
#none = affine_map<(p, i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64: 4>, array<i64: 13>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: 4>, array<i64: 13>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Neg grid [4] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[13], f32>
  %u = tine.elementwise "neg"(%t) : (!tine.tile<[13], f32>) -> !tine.tile<[13], f32>
  tine.store %u, %y[] : !tine.tile<[13], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, false, false, false]>
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]]
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: return
