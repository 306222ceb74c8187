// A source that the call found larger than the caches is stored past them: whole vectors, at multiples of 16 bytes, and a
// fence at the end. Masked vectors, and stores that may start elsewhere, are plain ones.
// RUN: split-file %s %t
// RUN: tine-opt %t/streamed.mlir --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %t/streamed.mlir
// RUN: tine-opt %t/shifted.mlir --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %t/shifted.mlir

//--- streamed.mlir
// CHECK-LABEL: func.func @tine_entry(
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
// CHECK: llvm.intr.masked.store
// CHECK: llvm.call_intrinsic "llvm.x86.sse.sfence"
// CHECK-NEXT: return
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 16>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 16, streamed = true>
#at = affine_map<(p, i)[s0, s1] -> (p * 1024 + i)>
#none = affine_map<(p, i)[s0, s1] -> ()>
#size = affine_map<(p, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 1024>], coords = #at, linear = #none, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 1024>], coords = #at, linear = #none, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>
tine.kernel @Copy grid [s0] symbols ["programs", "n"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[1024], f32>
  tine.store %t, %y[] : !tine.tile<[1024], f32>
}

//--- shifted.mlir
// CHECK-LABEL: func.func @tine_entry(
// CHECK-NOT: nontemporal
// CHECK-NOT: sfence
// CHECK: return
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 16>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 16, streamed = true>
#at = affine_map<(p, i)[s0, s1] -> (p * 1024 + i + 1)>
#none = affine_map<(p, i)[s0, s1] -> ()>
#size = affine_map<(p, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 1024>], coords = #at, linear = #none, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 1024>], coords = #at, linear = #none, bounds = #at, limits = #size, low = [0], other = 0.0 : f64>
tine.kernel @Shifted grid [s0] symbols ["programs", "n"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[1024], f32>
  tine.store %t, %y[] : !tine.tile<[1024], f32>
}
