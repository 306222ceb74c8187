// acc += x[k] in a loop: the carried tile has one place and takes its new value lane by lane; a scalar is carried in a
// register beside it.
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

tine.kernel @Accumulate grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %zero = tine.constant 0.0 : f32
  %from = tine.constant 0 : i64
  %step = tine.constant 1 : i64
  %to = tine.symbol 0
  %init = tine.broadcast %zero : f32 to !tine.tile<[64], f32>
  %r:2 = scf.for %k = %from to %to step %step iter_args(%acc = %init, %count = %zero) -> (!tine.tile<[64], f32>, f32) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[64], f32>
    %next = tine.elementwise "add"(%acc, %t) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
    %one = tine.constant 1.0 : f32
    %more = tine.elementwise "add"(%count, %one) : (f32, f32) -> f32
    scf.yield %next, %more : !tine.tile<[64], f32>, f32
  }
  %n = tine.broadcast %r#1 : f32 to !tine.tile<[64], f32>
  %mean = tine.elementwise "div"(%r#0, %n) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  tine.store %mean, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[N:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// CHECK: %[[ACC:.*]] = llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// The tile starts as zeros.
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i64 to %c64_i64 step %c8_i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[ACC]][%[[I]]]
// CHECK-NEXT: llvm.store %{{.*}}, %[[AT]]
// CHECK: %[[COUNT:.*]] = scf.for %[[K:.*]] = %c0_i64 to %[[N]] step %c1_i64 iter_args(%[[C:.*]] = %{{.*}}) -> (f32)
// CHECK-NEXT: %[[MORE:.*]] = arith.addf %[[C]]
// CHECK-NEXT: scf.for %[[I:.*]] = %c0_i64 to %c64_i64 step %c8_i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[ACC]][%[[I]]]
// CHECK-NEXT: %[[OLD:.*]] = llvm.load %[[AT]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK-NEXT: llvm.store %[[NEW]], %[[AT]]
// CHECK: scf.yield %[[MORE]] : f32
// CHECK: scf.for
// CHECK: llvm.getelementptr %[[ACC]]
// CHECK: %[[NS:.*]] = vector.broadcast %[[COUNT]]
// CHECK-NEXT: arith.divf %{{.*}}, %[[NS]]
