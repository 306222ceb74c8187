// By the tile unit: b's panels hold groups of two bf16; a is read where it lies, rows 64 bytes of k at a time. Whole blocks of c are two
// by two tiles, in tiles over all of k; what is left is done by single tiles, of shapes set for them.
// RUN: tine-opt %s --tine-cpu-lower-tiles="vector-bytes=64 tiles=amx" --canonicalize --cse | FileCheck %s

// Shapes: palette 1; 64 bytes a row; 16 rows.
// CHECK-LABEL: func.func @tine_entry(
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK: scf.for %{{.*}} = %c0_i64 to %c2_i64
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-NOT: llvm.load
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: }
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// 8 columns are left, then 8 rows.
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK-COUNT-1: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"

#a = #tine.source<name = "a", type = bf16, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = bf16, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 40, 64>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 64, 40>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 40, 40>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Tiles grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %t = tine.load %x[] : !tine.tile<[40, 64], bf16>
  %u = tine.load %y[] : !tine.tile<[64, 40], bf16>
  %d = tine.dot %t, %u : !tine.tile<[40, 64], bf16>, !tine.tile<[64, 40], bf16> -> !tine.tile<[40, 40], f32>
  tine.store %d, %z[] : !tine.tile<[40, 40], f32>
}
