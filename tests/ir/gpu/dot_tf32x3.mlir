// f32 products by three of tf32: what rounding leaves of either operand times the other, then the rounded ones. b's rows lie along n,
// which ldmatrix does not turn for 32-bit elements: it is read word by word.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s

// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: cvt.rna.tf32.f32 %[[BIG:r[0-9]+]], %[[X:r[0-9]+]];
// CHECK-NEXT: sub{{(.rn)?}}.f32 %[[REST:r[0-9]+]], %[[X]], %[[BIG]];
// CHECK-NEXT: cvt.rna.tf32.f32 %{{r[0-9]+}}, %[[REST]];
// Infinities take no part in the products of rests.
// CHECK-NEXT: and.b32 %[[BITS:r[0-9]+]], %[[BIG]], 2139095040;
// CHECK-NEXT: setp.eq.b32 %[[P:p[0-9]+]], %[[BITS]], 2139095040;
// 16 x 8 x 8 once, by one warp.
// CHECK-COUNT-3: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK-NOT: mma.sync

#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 8, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
tine.kernel @DotTf32X3 grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[16, 8], f32>
  %y = tine.load %b[] : !tine.tile<[8, 8], f32>
  %d = tine.dot %x, %y as "tf32x3" : !tine.tile<[16, 8], f32>, !tine.tile<[8, 8], f32> -> !tine.tile<[16, 8], f32>
  tine.store %d, %c[] : !tine.tile<[16, 8], f32>
}
