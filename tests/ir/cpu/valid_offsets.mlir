// Which lanes are in range, and where they lie, without a load: y = where(valid(x), offsets(x), -1).
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = i64, rank = 1, unit = [0], contiguous = true, align = 8>
#at = affine_map<(p, i)[s0, s1] -> (p * 64 + i)>
#size = affine_map<(p, i)[s0, s1] -> (s1)>
#none = affine_map<(p, i)[s0, s1] -> ()>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 64>], coords = #at, linear = #at, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 64>], coords = #at, linear = #at, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Where grid [s0] symbols ["cdiv(x.size0, 64)", "x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %v = tine.valid %x[] : !tine.tile<[64], i1>
  %o = tine.offsets %x dim 0 [] : !tine.tile<[64], i64>
  %minus = tine.constant -1 : i64
  %m = tine.broadcast %minus : i64 to !tine.tile<[64], i64>
  %w = tine.elementwise "where"(%v, %o, %m) : (!tine.tile<[64], i1>, !tine.tile<[64], i64>, !tine.tile<[64], i64>) -> !tine.tile<[64], i64>
  tine.store %w, %y[] : !tine.tile<[64], i64>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[MINUS:.*]] = arith.constant dense<-1> : vector<4xi64>
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[SPLIT:.*]] step %c4_i64
// CHECK-NOT: select
// CHECK: llvm.store %{{.*}} : vector<4xi64>
// y has no bound: its lanes past the size of x are stored too.
// CHECK: scf.for %{{.*}} = %[[SPLIT]] to %c64_i64 step %c4_i64
// CHECK: %[[VALID:.*]] = arith.andi
// CHECK: %[[W:.*]] = arith.select %[[VALID]], %{{.*}}, %[[MINUS]]
// CHECK: llvm.intr.masked.store %[[W]]
// CHECK-NOT: llvm.intr.masked.load
// CHECK: return
