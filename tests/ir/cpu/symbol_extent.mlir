// A whole dim: the loops run to the extent that the call gives. A tile that is kept lives in scratch memory, whose size
// `tine_scratch` computes from the same slots.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i)[s0] -> (i)>
#none = affine_map<(i)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: -1>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Normalise grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[s0], f32>
  %e = tine.elementwise "exp"(%t) : (!tine.tile<[s0], f32>) -> !tine.tile<[s0], f32>
  %s = tine.reduce "sum"(%e) axes [0] : !tine.tile<[s0], f32> to f32
  %b = tine.broadcast %s : f32 to !tine.tile<[s0], f32>
  %q = tine.elementwise "div"(%e, %b) : (!tine.tile<[s0], f32>, !tine.tile<[s0], f32>) -> !tine.tile<[s0], f32>
  tine.store %q, %y[] : !tine.tile<[s0], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-SAME: %{{.*}}: i64, %{{.*}}: i64, %[[SCRATCH:.*]]: !llvm.ptr)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %{{.*}}[4] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK-NEXT: %[[N:.*]] = llvm.load %[[SLOT]]
// CHECK: scf.for
// exp is computed once, kept, and summed on the way.
// CHECK: %[[WHOLE:.*]] = arith.muli %{{.*}}, %c32_i64
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %[[WHOLE]] step %c32_i64
// CHECK: llvm.getelementptr %[[SCRATCH]]
// CHECK-NEXT: llvm.store
// CHECK-NEXT: arith.addf
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to %[[N]] step %c8_i64
// CHECK: llvm.intr.masked.store
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.addf
// CHECK: %[[SUM:.*]] = vector.extract
// CHECK-NOT: llvm.intr.fma
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[EIGHTS:.*]] step %c8_i64
// CHECK: llvm.getelementptr %[[SCRATCH]]
// CHECK: arith.divf
// CHECK: scf.for %{{.*}} = %[[EIGHTS]] to %[[N]] step %c8_i64
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store

// Four bytes an element, in whole units of 64.
// CHECK-LABEL: func.func @tine_scratch(
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %{{.*}}[4]
// CHECK: %[[N:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %c4_i64
// CHECK: %[[MORE:.*]] = arith.addi %[[BYTES]], %c63_i64
// CHECK: %[[R:.*]] = arith.andi %[[MORE]], %c-64_i64
// CHECK: return %[[R]]
