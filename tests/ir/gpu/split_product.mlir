// A product of whole rows and columns is summed piece by piece. Loads give zeros beyond the extent, so that nothing hides them,
// and they are copied ahead as those of any loop.
// RUN: tine-compile %s nvptx:sm_80 layouts - "split=1024" | FileCheck %s

// CHECK-LABEL: tine.kernel @Deep
// CHECK-COUNT-2: tine.shared_alloc {{.*}}slots 2
// CHECK: scf.for
// CHECK: tine.load %{{.*}} {ahead} : !tine.tile<[16, 16], f16
// CHECK: tine.load %{{.*}} {ahead} : !tine.tile<[16, 16], f16
// CHECK-NOT: where
// CHECK: tine.dot

// What is computed from loads is hidden beyond the extent, on both sides: zero times what lies there would not do.
// RUN: sed -e 's/%x, %y :/%v, %w :/' %s > %t.computed.mlir
// RUN: tine-compile %t.computed.mlir nvptx:sm_80 layouts - "split=1024" | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: scf.for
// COMPUTED: "exp"
// COMPUTED: "where"
// COMPUTED: "exp"
// COMPUTED: "where"
// COMPUTED: tine.dot

// Along block sizes products are left alone: other ones can be chosen.
// RUN: sed -e 's/array<i64: 16, -1>/array<i64: 16, 512>/' -e 's/array<i64: -1, 16>/array<i64: 512, 16>/' -e 's/\[16, s0\]/[16, 512]/g' -e 's/\[s0, 16\]/[512, 16]/g' %s > %t.block.mlir
// RUN: tine-compile %t.block.mlir nvptx:sm_80 layouts - "split=1024" | FileCheck %s --check-prefix=BLOCK
// BLOCK-NOT: scf.for

#a = #tine.source<name = "a", type = f16, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f16, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#at = affine_map<(i, j)[s0] -> (i, j)>
#none = affine_map<(i, j)[s0] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 16, -1>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: -1, 16>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 16, 16>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Deep grid [] symbols ["a.size1"] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index, capacities = array<i64: 0, 4096, 0>} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[16, s0], f16>
  %y = tine.load %b[] : !tine.tile<[s0, 16], f16>
  %v = tine.elementwise "exp"(%x) : (!tine.tile<[16, s0], f16>) -> !tine.tile<[16, s0], f16>
  %w = tine.elementwise "exp"(%y) : (!tine.tile<[s0, 16], f16>) -> !tine.tile<[s0, 16], f16>
  %p = tine.dot %x, %y : !tine.tile<[16, s0], f16>, !tine.tile<[s0, 16], f16> -> !tine.tile<[16, 16], f32>
  tine.store %p, %c[] : !tine.tile<[16, 16], f32>
}
