// y = x where the call's memory of x and y overlaps: x is loaded as a whole before anything is stored. The other kernel
// is the same without the overlap.
// RUN: split-file %s %t
// RUN: tine-opt %t/overlap.mlir --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s --check-prefix=OVERLAP
// RUN: tine-opt %t/apart.mlir --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s --check-prefix=APART

// OVERLAP-LABEL: func.func @tine_entry(
// OVERLAP: %[[KEPT:.*]] = llvm.alloca
// OVERLAP: scf.for
// OVERLAP-NEXT: scf.for
// OVERLAP: llvm.load
// OVERLAP-NEXT: %[[TO:.*]] = llvm.getelementptr %[[KEPT]]
// OVERLAP-NEXT: llvm.store %{{.*}}, %[[TO]]
// OVERLAP-NEXT: {{^ *[}]}}
// OVERLAP-NEXT: scf.for
// OVERLAP-NEXT: %[[FROM:.*]] = llvm.getelementptr %[[KEPT]]
// OVERLAP-NEXT: llvm.load %[[FROM]]
// OVERLAP: llvm.store

// APART-LABEL: func.func @tine_entry(
// APART-NOT: llvm.alloca
// APART: scf.for
// APART-NEXT: scf.for
// APART: llvm.load
// APART: llvm.store
// APART-NOT: scf.for
// APART: return

//--- overlap.mlir
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Copy grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [1, 0] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
}

//--- apart.mlir
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 64>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Copy grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[64], f32>
  tine.store %t, %y[] : !tine.tile<[64], f32>
}
