// A loop of products: fragments on the matrix unit, operands copied ahead of their round.
// RUN: tine-compile %s nvptx:sm_80 layouts - "stages=3" | FileCheck %s
// RUN: tine-compile %s nvptx:sm_80 ptx - "stages=3" | FileCheck %s --check-prefix=PTX
// RUN: tine-compile %s nvptx:sm_80 layouts - "stages=1" | FileCheck %s --check-prefix=ONE

// The result's fragments: two columns, then the row eight below; then more columns of the warp's part.
// CHECK: #[[RESULT:.*]] = #tine.layout<[64, 64], register = {{\[\[}}0, 1], [8, 0], [0, 8], {{.*}}], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.*}}[32, 0]]>
// CHECK: tine.kernel
// Rings of three, filled two rounds ahead.
// CHECK-DAG: %[[A:.*]] = tine.shared_alloc at 0 slots 3 : {{.*}}[64, 32], f16
// CHECK-DAG: %[[B:.*]] = tine.shared_alloc at 12288 slots 3 : {{.*}}[32, 64], f16
// CHECK: %[[FIRST:.*]] = tine.elementwise "lt"
// CHECK: tine.copy_async {{.*}} when %[[FIRST]]
// CHECK: tine.copy_async {{.*}} when %[[FIRST]]
// CHECK: tine.copy_commit
// CHECK: %[[SECOND:.*]] = tine.elementwise "lt"
// CHECK: tine.copy_async {{.*}} when %[[SECOND]]
// CHECK: tine.copy_commit
// Each round: its copies are there, one barrier, the copies of two rounds later, fragments, products.
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[READ:.*]] = %{{.*}}, %[[WRITE:.*]] = %{{.*}})
// CHECK-NEXT: tine.copy_wait 1
// CHECK-NEXT: tine.barrier between "this round's copies by all threads, and the reads of the round before" and
// CHECK-NOT: tine.barrier
// CHECK: %[[IS_ROUND:.*]] = tine.elementwise "lt"
// CHECK: %[[TO:.*]] = tine.shared_slot %[[A]][%[[WRITE]]]
// CHECK: tine.copy_async %{{.*}}[%{{.*}}], %[[TO]] when %[[IS_ROUND]] order [0, 1] by
// CHECK: tine.copy_async
// CHECK: tine.copy_commit
// CHECK: %[[FROM:.*]] = tine.shared_slot %[[A]][%[[READ]]]
// CHECK: tine.shared_load %[[FROM]]
// CHECK: tine.dot
// CHECK-NOT: tine.barrier
// CHECK: scf.yield
// CHECK: tine.copy_wait 0
// Rows of f16 fragments are less than a sector: the result is stored by way of shared memory.
// CHECK: tine.shared_store
// CHECK: tine.barrier
// CHECK: tine.shared_load
// CHECK: tine.store

// PTX-DAG: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16, %r
// PTX-DAG: cp.async.wait_group 1
// PTX-DAG: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX-DAG: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX-DAG: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

// Without stages ahead: to registers, to shared memory, a barrier before the reads and one before the next round's writes.
// ONE-NOT: copy_async
// ONE: scf.for
// ONE: tine.barrier between "read of shared memory{{.*}}" and "write of shared memory
// ONE: tine.shared_store
// ONE: tine.barrier between "write of shared memory{{.*}}" and "read of shared memory
// ONE: tine.dot

#a = #tine.source<name = "a", type = f16, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = f16, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = f16, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#at_a = affine_map<(m, n, k, i, j)[s0, s1, s2, s3, s4, s5] -> (m * 64 + i, k * 32 + j)>
#end_a = affine_map<(m, n, k, i, j)[s0, s1, s2, s3, s4, s5] -> (s3, s5)>
#at_b = affine_map<(m, n, k, i, j)[s0, s1, s2, s3, s4, s5] -> (k * 32 + i, n * 64 + j)>
#end_b = affine_map<(m, n, k, i, j)[s0, s1, s2, s3, s4, s5] -> (s5, s4)>
#at_c = affine_map<(m, n, i, j)[s0, s1, s2, s3, s4, s5] -> (m * 64 + i, n * 64 + j)>
#end_c = affine_map<(m, n, i, j)[s0, s1, s2, s3, s4, s5] -> (s3, s4)>
#none = affine_map<(m, n, k, i, j)[s0, s1, s2, s3, s4, s5] -> ()>
#none_c = affine_map<(m, n, i, j)[s0, s1, s2, s3, s4, s5] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64: -1, -2>, array<i64: -3>, array<i64: 64, 32>], coords = #at_a, linear = #none, bounds = #at_a, limits = #end_a, low = [0, 0], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64: -1, -2>, array<i64: -3>, array<i64: 32, 64>], coords = #at_b, linear = #none, bounds = #at_b, limits = #end_b, low = [0, 0], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64: -1, -2>, array<i64: 64, 64>], coords = #at_c, linear = #none_c, bounds = #at_c, limits = #end_c, low = [0, 0], other = 0.0 : f64>

tine.kernel @Matmul grid [s0, s1] symbols ["cdiv(a.size0, 64)", "cdiv(b.size1, 64)", "cdiv(a.size1, 32)", "a.size0", "b.size1", "a.size1"]
    sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps []
    attributes {narrow_index, multiples = array<i64: 1, 1, 1, 16, 16, 16>} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %zero = tine.constant 0.0 : f32
  %start = tine.broadcast %zero : f32 to !tine.tile<[64, 64], f32>
  %lo = tine.constant 0 : i64
  %one = tine.constant 1 : i64
  %hi = tine.symbol 2
  %sum = scf.for %k = %lo to %hi step %one iter_args(%acc = %start) -> (!tine.tile<[64, 64], f32>) : i64 {
    %x = tine.load %a[%k] : !tine.tile<[64, 32], f16>
    %y = tine.load %b[%k] : !tine.tile<[32, 64], f16>
    %d = tine.dot %x, %y : !tine.tile<[64, 32], f16>, !tine.tile<[32, 64], f16> -> !tine.tile<[64, 64], f32>
    %next = tine.elementwise "add"(%acc, %d) : (!tine.tile<[64, 64], f32>, !tine.tile<[64, 64], f32>) -> !tine.tile<[64, 64], f32>
    scf.yield %next : !tine.tile<[64, 64], f32>
  }
  %result = tine.cast %sum : !tine.tile<[64, 64], f32> to !tine.tile<[64, 64], f16>
  tine.store %result, %c[] : !tine.tile<[64, 64], f16>
}
