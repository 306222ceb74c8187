// x.flatten().tile(64) of a contiguous source: the flat position is the address, no division is left.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#xy = affine_map<(p, i)[s0, s1, s2, s3] -> ((p * 64 + i) floordiv s2, (p * 64 + i) mod s2)>
#at = affine_map<(p, i)[s0, s1, s2, s3] -> (p * 64 + i)>
#size = affine_map<(p, i)[s0, s1, s2, s3] -> (s3)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 64>], coords = #xy, linear = #at, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 64>], coords = #at, linear = #at, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>

tine.kernel @Flat grid [s0] symbols ["programs", "x.size0", "x.size1", "x.size0*x.size1"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-NOT: divsi
// CHECK-NOT: remsi
// CHECK: scf.for %[[P:.*]] = %{{.*}} to %{{.*}} step %c1_i64
// CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[P]], %c64_i64
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %[[SPLIT:.*]] step %c8_i64
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[FIRST]], %[[I]]
// CHECK-NEXT: llvm.getelementptr %{{.*}}[%[[AT]]]
// CHECK-NEXT: llvm.load %{{.*}} -> vector<8xf32>
// CHECK-NEXT: llvm.getelementptr %{{.*}}[%[[AT]]]
// CHECK-NEXT: llvm.store %{{.*}} : vector<8xf32>
// CHECK: scf.for %{{.*}} = %[[SPLIT]] to %{{.*}} step %c8_i64
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
