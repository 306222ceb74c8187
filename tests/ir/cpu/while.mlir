// A loop on a carried scalar; the carried tile keeps its place.
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

tine.kernel @Halve grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %n = tine.symbol 0
  %two = tine.constant 2 : i64
  %zero = tine.constant 0 : i64
  %t = tine.load %x[%zero] : !tine.tile<[64], f32>
  %r:2 = scf.while (%i = %n, %a = %t) : (i64, !tine.tile<[64], f32>) -> (i64, !tine.tile<[64], f32>) {
    %c = tine.elementwise "gt"(%i, %zero) : (i64, i64) -> i1
    scf.condition(%c) %i, %a : i64, !tine.tile<[64], f32>
  } do {
  ^bb0(%i: i64, %a: !tine.tile<[64], f32>):
    %h = tine.elementwise "div"(%i, %two) : (i64, i64) -> i64
    %b = tine.elementwise "add"(%a, %a) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
    scf.yield %h, %b : i64, !tine.tile<[64], f32>
  }
  tine.store %r#1, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[N:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// CHECK: %[[A:.*]] = llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.while (%[[I:.*]] = %[[N]]) : (i64) -> i64 {
// CHECK-NEXT: %[[C:.*]] = arith.cmpi sgt, %[[I]], %c0_i64
// CHECK-NEXT: scf.condition(%[[C]]) %[[I]] : i64
// CHECK: ^bb0(%[[J:.*]]: i64):
// CHECK-NEXT: %[[H:.*]] = arith.divsi %[[J]], %c2_i64
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[A]]
// CHECK-NEXT: %[[OLD:.*]] = llvm.load %[[AT]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]], %[[OLD]]
// CHECK-NEXT: llvm.store %[[NEW]], %[[AT]]
// CHECK: scf.yield %[[H]] : i64
