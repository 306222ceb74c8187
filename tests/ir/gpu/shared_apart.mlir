// Two memories that live at once share no byte: the second write waits for nothing, and one barrier after both is enough for the
// reads. What shares bytes in turn: shared_reuse.mlir.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK-NOT: tine.barrier
// CHECK: %[[A:.*]] = tine.shared_alloc at 0 :
// CHECK-NEXT: tine.shared_store %{{.*}}, %[[A]]
// CHECK-NEXT: %[[B:.*]] = tine.shared_alloc at 512 :
// CHECK-NEXT: tine.shared_store %{{.*}}, %[[B]]
// CHECK-NEXT: tine.barrier between "write of shared memory at 0{{.*}}" and "read of shared memory at 0
// CHECK-NEXT: tine.shared_dot %[[A]], %[[B]]
// CHECK-NOT: tine.barrier

#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 8, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
tine.kernel @Apart grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[16, 8], f32>
  %y = tine.load %b[] : !tine.tile<[8, 8], f32>
  %d = tine.dot %x, %y : !tine.tile<[16, 8], f32>, !tine.tile<[8, 8], f32> -> !tine.tile<[16, 8], f32>
  tine.store %d, %c[] : !tine.tile<[16, 8], f32>
}
