// Asynchronous copies into a ring of shared memories.
// RUN: tine-opt %s | tine-opt | FileCheck %s

#x = #tine.source<name = "x", type = f16, rank = 2, unit = [1], contiguous = true, align = 16>
#at = affine_map<(k, i, j) -> (k * 2 + i, j)>
#none = affine_map<(k, i, j) -> ()>
#p = #tine.param<source = 0, levels = [array<i64>, array<i64: 4>, array<i64: 2, 8>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#m = #tine.layout<[8, 2], offset = [[1, 0], [2, 0], [4, 0], [0, 1]]>
#t = #tine.layout<[2, 8], register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0]], warp = []>

// CHECK-LABEL: tine.kernel @Copies
tine.kernel @Copies grid [] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 3 : i64
  %i = tine.constant 1 : i32
  %c = tine.constant true
  // CHECK: %[[RING:.*]] = tine.shared_alloc at 32 slots 3 : <[8, 2], f16, #[[M:.*]]>
  %ring = tine.shared_alloc at 32 slots 3 : !tine.memory<[8, 2], f16, #m>
  // CHECK: %[[SLOT:.*]] = tine.shared_slot %[[RING]][%{{.*}}] : <[8, 2], f16, #[[M]]>
  %slot = tine.shared_slot %ring[%i] : !tine.memory<[8, 2], f16, #m>
  // CHECK: tine.copy_async %{{.*}}[%{{.*}}], %[[SLOT]] when %{{.*}} order [1, 0] by #{{.*}} in_level : <[8, 2], f16, #[[M]]>
  tine.copy_async %x[%k], %slot when %c order [1, 0] by #t in_level : !tine.memory<[8, 2], f16, #m>
  // CHECK: tine.copy_commit
  tine.copy_commit
  // CHECK: tine.copy_wait 0
  tine.copy_wait 0
}
