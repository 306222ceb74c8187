// A program's number unravels row-major over the grid; a dim of one program is 0 without a division.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#y = #tine.source<name = "y", type = i64, rank = 3, unit = [], contiguous = false, align = 8>
#at = affine_map<(p, q, r)[s0, s1] -> (p, q, r)>
#none = affine_map<(p, q, r)[s0, s1] -> ()>
#py = #tine.param<source = 0, levels = [array<i64: -1, 1, -2>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Index grid [s0, 1, s1] symbols ["y.size0", "y.size2"] sources [#y] params [#py] overlaps [] {
^bb0(%y: !tine.view):
  %p = tine.program_index 0
  %q = tine.program_index 1
  %r = tine.program_index 2
  %s = tine.elementwise "sub"(%p, %r) : (i64, i64) -> i64
  %t = tine.elementwise "add"(%s, %q) : (i64, i64) -> i64
  tine.store %t, %y[] : i64
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %{{.*}}[5]
// CHECK-NEXT: %[[SIZE:.*]] = llvm.load %[[SLOT]]
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %{{.*}} step %c1_i64
// CHECK-NEXT: %[[R:.*]] = arith.remui %[[N]], %[[SIZE]]
// CHECK-NEXT: %[[P:.*]] = arith.divui %[[N]], %[[SIZE]]
// CHECK-NEXT: %[[V:.*]] = arith.subi %[[P]], %[[R]]
// CHECK-NOT: scf.for
// CHECK: llvm.store %[[V]]
