// x[::-1] of a contiguous source, which may be shorter than the tile: the map runs down, so lanes are in range from some
// lane on. The unmasked loop runs only if that is the first.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#down = affine_map<(i)[s0] -> (s0 - 1 - i)>
#up = affine_map<(i)[s0] -> (i)>
#size = affine_map<(i)[s0] -> (s0)>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #down, linear = #down, bounds = #down, limits = #size, low = [1], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #up, linear = #up, bounds = #up, limits = #size, low = [0], other = 0.0 : f64>

tine.kernel @Reverse grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[DOWN:.*]] = arith.constant dense<[0, -1, -2, -3, -4, -5, -6, -7]>
// CHECK: %[[N:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// CHECK: scf.for
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %[[SPLIT:.*]] step %c8_i64
// CHECK-NEXT: %[[LAST:.*]] = arith.addi %[[N]], %c-1_i64
// CHECK-NEXT: %[[AT:.*]] = arith.subi %[[LAST]], %[[I]]
// CHECK-NEXT: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
// CHECK-NEXT: %[[LANES:.*]] = llvm.getelementptr %[[FIRST]][%[[DOWN]]]
// CHECK-NEXT: %[[V:.*]] = llvm.intr.masked.gather %[[LANES]]
// CHECK: llvm.store %[[V]]
// CHECK: scf.for %{{.*}} = %[[SPLIT]] to %{{.*}} step %c8_i64
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.intr.masked.store
