// y = x * x, z = that + 1 as f16: one loop computes and stores both, and no tile gets memory.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#z = #tine.source<name = "z", type = f16, rank = 1, unit = [0], contiguous = true, align = 2>
#at = affine_map<(p, i) -> (p * 64 + i)>
#none = affine_map<(p, i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64: 4>, array<i64: 64>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: 4>, array<i64: 64>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pz = #tine.param<source = 2, levels = [array<i64: 4>, array<i64: 64>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Chain grid [4] symbols [] sources [#x, #y, #z] params [#px, #py, #pz] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %one = tine.constant 1.0 : f32
  %ones = tine.broadcast %one : f32 to !tine.tile<[64], f32>
  %t = tine.load %x[] : !tine.tile<[64], f32>
  %u = tine.elementwise "mul"(%t, %t) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  tine.store %u, %y[] : !tine.tile<[64], f32>
  %v = tine.elementwise "add"(%u, %ones) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  %w = tine.cast %v : !tine.tile<[64], f32> to !tine.tile<[64], f16>
  tine.store %w, %z[] : !tine.tile<[64], f16>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c8_i64
// CHECK: %[[X:.*]] = llvm.load
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: llvm.store %[[SQUARE]]
// CHECK: %[[SUM:.*]] = arith.addf %[[SQUARE]]
// CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[SUM]] : vector<8xf32> to vector<8xf16>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[NARROW]] : vector<8xf16> to vector<8xi16>
// CHECK-NEXT: llvm.store %[[BITS]]
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: return

// CHECK-LABEL: func.func @tine_scratch(
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT: return %[[ZERO]]
