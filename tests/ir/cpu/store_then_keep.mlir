// y = x, then t = y[::-1] kept (y is stored to again before its use): the reversed load sees all of the first store.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#z = #tine.source<name = "z", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#up = affine_map<(i) -> (i)>
#down = affine_map<(i) -> (63 - i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #up, linear = #up, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #up, linear = #up, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pr = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #down, linear = #down, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pz = #tine.param<source = 2, levels = [array<i64>, array<i64: 64>], coords = #up, linear = #up, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Keep grid [] symbols [] sources [#x, #y, #z] params [#px, #py, #pr, #pz] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %r: !tine.view, %z: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
  %u = tine.load %r[] : !tine.tile<[64], f32>
  %n = tine.elementwise "neg"(%t) : (!tine.tile<[64], f32>) -> !tine.tile<[64], f32>
  tine.store %n, %y[] : !tine.tile<[64], f32>
  tine.store %u, %z[] : !tine.tile<[64], f32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NOT: gather
// CHECK: llvm.store
// CHECK: {{^ *[}]}}
// CHECK: scf.for
// CHECK: gather
