// Sources of rank 0 lie in their slots: a float as its bits, a bool as a byte. Scalar arithmetic stays scalar.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#a = #tine.source<name = "a", type = f32, rank = 0, unit = [], contiguous = false, align = 1>
#b = #tine.source<name = "b", type = i1, rank = 0, unit = [], contiguous = false, align = 1>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#unit = affine_map<() -> ()>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>], coords = #unit, linear = #unit, bounds = #unit, limits = #unit, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>], coords = #unit, linear = #unit, bounds = #unit, limits = #unit, low = [], other = 0.0 : f64>
#py = #tine.param<source = 2, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Fill grid [] symbols [] sources [#a, #b, #y] params [#pa, #pb, #py] overlaps [] {
^bb0(%a: !tine.view, %b: !tine.view, %y: !tine.view):
  %x = tine.load %a[] : f32
  %c = tine.load %b[] : i1
  %n = tine.elementwise "neg"(%x) : (f32) -> f32
  %s = tine.elementwise "where"(%c, %x, %n) : (i1, f32, f32) -> f32
  %t = tine.broadcast %s : f32 to !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-SAME: %[[SLOTS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64
// CHECK: %[[A:.*]] = llvm.load %[[SLOTS]] invariant {{.*}} -> f32
// CHECK-NEXT: %[[B_SLOT:.*]] = llvm.getelementptr %[[SLOTS]][1]
// CHECK-NEXT: %[[B:.*]] = llvm.load %[[B_SLOT]] invariant {{.*}} -> i8
// CHECK: scf.for
// CHECK: %[[C:.*]] = arith.cmpi ne, %[[B]], %c0_i8
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] : f32
// CHECK-NEXT: %[[S:.*]] = arith.select %[[C]], %[[A]], %[[N]] : f32
// CHECK-NEXT: scf.for
// CHECK: %[[ALL:.*]] = vector.broadcast %[[S]]
// CHECK-NEXT: llvm.store %[[ALL]]
