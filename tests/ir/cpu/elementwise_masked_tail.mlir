// A tile that may stick out of its source: whole vectors without masks as far as all accesses are in range, then one
// masked loop over the rest of what is stored.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#at = affine_map<(p, i)[s0, s1] -> (p * 64 + i)>
#size = affine_map<(p, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 64>], coords = #at, linear = #at, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 64>], coords = #at, linear = #at, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>

tine.kernel @Neg grid [s0] symbols ["cdiv(x.size0, 64)", "x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  %u = tine.elementwise "neg"(%t) : (!tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  tine.store %u, %y[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-SAME: %[[SLOTS:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %{{.*}}: !llvm.ptr)
// CHECK: %[[SIZE:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// CHECK: scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]] step %c1_i64
// How many lanes of the tile are in range: x.size0 - 64 * p, at most 64.
// CHECK: %[[FIRST:.*]] = arith.muli %[[P]], %c64_i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[SIZE]], %[[FIRST]]
// CHECK: arith.minsi %[[LEFT]], %c64_i64
// Whole vectors below it.
// CHECK: arith.shrsi %{{.*}}, %c3_i64
// CHECK: %[[SPLIT:.*]] = arith.muli %{{.*}}, %c8_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[SPLIT]] step %c8_i64
// CHECK-NOT: masked
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK-NEXT: arith.negf
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// The rest, once.
// CHECK: scf.for %{{.*}} = %[[SPLIT]] to %{{.*}} step %c8_i64
// CHECK: llvm.intr.masked.load
// CHECK-NEXT: arith.negf
// CHECK: llvm.intr.masked.store
// CHECK-NOT: scf.for
// CHECK: return

// No tile got memory.
// CHECK-LABEL: func.func @tine_scratch(
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT: return %[[ZERO]]
