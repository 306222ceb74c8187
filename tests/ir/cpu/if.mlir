// Branches on a scalar: scalars come out in registers, tiles through a place that both sides write.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#ki = affine_map<(k, i)[s0] -> (k, i)>
#linear = affine_map<(k, i)[s0] -> (k * 64 + i)>
#none2 = affine_map<(k, i)[s0] -> ()>
#i = affine_map<(i)[s0] -> (i)>
#none = affine_map<(i)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 64>], coords = #ki, linear = #linear, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Choose grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %n = tine.symbol 0
  %two = tine.constant 2 : i64
  %zero = tine.constant 0 : i64
  %one = tine.constant 1.0 : f32
  %half = tine.constant 0.5 : f32
  %c = tine.elementwise "lt"(%n, %two) : (i64, i64) -> i1
  %t = tine.load %x[%zero] : !tine.tile<[64], f32>
  %r:2 = scf.if %c -> (!tine.tile<[64], f32>, f32) {
    scf.yield %t, %one : !tine.tile<[64], f32>, f32
  } else {
    %m = tine.elementwise "neg"(%t) : (!tine.tile<[64], f32>) -> !tine.tile<[64], f32>
    scf.yield %m, %half : !tine.tile<[64], f32>, f32
  }
  %s = tine.broadcast %r#1 : f32 to !tine.tile<[64], f32>
  %u = tine.elementwise "mul"(%r#0, %s) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  scf.if %c {
    tine.store %u, %y[] : !tine.tile<[64], f32>
  }
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[N:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// CHECK: %[[R:.*]] = llvm.alloca
// CHECK: scf.for
// CHECK-NEXT: %[[C:.*]] = arith.cmpi slt, %[[N]], %c2_i64
// CHECK-NEXT: %[[S:.*]] = arith.select %[[C]]
// CHECK-NEXT: scf.if %[[C]] {
// CHECK: scf.for
// CHECK: llvm.getelementptr %[[R]]
// CHECK-NEXT: llvm.store
// The second branch of the same condition joins the first.
// CHECK: scf.for
// CHECK: llvm.getelementptr %[[R]]
// CHECK: vector.broadcast %[[S]]
// CHECK-NEXT: arith.mulf
// CHECK: } else {
// CHECK: scf.for
// CHECK: arith.negf
// CHECK-NEXT: llvm.getelementptr %[[R]]
// CHECK-NEXT: llvm.store
