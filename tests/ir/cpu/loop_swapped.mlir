// a, b = b, a + x[k]: each new value reads the other's old one, so new values are made beside and copied.
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

tine.kernel @Swapped grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %zero = tine.constant 0.0 : f32
  %from = tine.constant 0 : i64
  %step = tine.constant 1 : i64
  %to = tine.symbol 0
  %init = tine.broadcast %zero : f32 to !tine.tile<[64], f32>
  %r:2 = scf.for %k = %from to %to step %step iter_args(%a = %init, %b = %init) -> (!tine.tile<[64], f32>, !tine.tile<[64], f32>) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[64], f32>
    %next = tine.elementwise "add"(%a, %t) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
    scf.yield %b, %next : !tine.tile<[64], f32>, !tine.tile<[64], f32>
  }
  %d = tine.elementwise "sub"(%r#0, %r#1) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  tine.store %d, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[A:.*]] = llvm.alloca
// CHECK: %[[B:.*]] = llvm.alloca
// CHECK: %[[NEW_A:.*]] = llvm.alloca
// CHECK: %[[NEW_B:.*]] = llvm.alloca
// CHECK: scf.for
// CHECK: scf.for %[[K:.*]] = %c0_i64 to %{{.*}} step %c1_i64  : i64
// CHECK-NEXT: scf.for
// CHECK-NEXT: llvm.getelementptr %[[B]]
// CHECK-NEXT: llvm.load
// CHECK-NEXT: llvm.getelementptr %[[NEW_A]]
// CHECK-NEXT: llvm.store
// CHECK: scf.for
// CHECK-NEXT: llvm.getelementptr %[[A]]
// CHECK: arith.addf
// CHECK-NEXT: llvm.getelementptr %[[NEW_B]]
// CHECK-NEXT: llvm.store
// Only then the carried tiles change, in whole cache lines.
// CHECK: scf.for %{{.*}} = %c0_i64 to %c256_i64 step %c64_i64
// CHECK-NEXT: llvm.getelementptr %[[NEW_A]]
// CHECK: llvm.getelementptr %[[A]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %c256_i64 step %c64_i64
// CHECK-NEXT: llvm.getelementptr %[[NEW_B]]
// CHECK: llvm.getelementptr %[[B]]
