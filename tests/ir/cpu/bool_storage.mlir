// A bool is a byte in memory, any value but 0 is true when read, 0 or 1 when written, and one bit in registers.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = i1, rank = 1, unit = [0], contiguous = true, align = 1>
#y = #tine.source<name = "y", type = i1, rank = 1, unit = [0], contiguous = true, align = 1>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 1.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Not grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], i1>
  %u = tine.elementwise "lnot"(%t) : (!tine.tile<[64], i1>) -> !tine.tile<[64], i1>
  tine.store %u, %y[] : !tine.tile<[64], i1>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK-DAG: %[[TRUE:.*]] = arith.constant dense<true> : vector<32xi1>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<32xi8>
// CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} -> vector<32xi8>
// CHECK-NEXT: %[[T:.*]] = arith.cmpi ne, %[[BYTES]], %[[ZERO]]
// CHECK-NEXT: %[[U:.*]] = arith.xori %[[T]], %[[TRUE]]
// CHECK: %[[OUT:.*]] = arith.extui %[[U]] : vector<32xi1> to vector<32xi8>
// CHECK-NEXT: llvm.store %[[OUT]]
