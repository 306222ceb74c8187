// Out-of-range lanes load the parameter's `other`, rounded once to its element type.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = i32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = i32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i)[s0] -> (i)>
#size = affine_map<(i)[s0] -> (s0)>
#none = affine_map<(i)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 8>], coords = #i, linear = #i, bounds = #i, limits = #size, low = [0], other = -7.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 8>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Pad grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[8], i32>
  tine.store %t, %y[] : !tine.tile<[8], i32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[OTHER:.*]] = arith.constant dense<-7> : vector<8xi32>
// CHECK: llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[OTHER]]
