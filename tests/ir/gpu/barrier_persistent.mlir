// A block that loops over programs: the next program's first write of shared memory waits for the last reads of the one before.
// Nothing else is waited for: programs share no results. A block of one program has one barrier, between write and read.
// RUN: tine-compile %s nvptx:sm_80 layouts - "order=persistent" | FileCheck %s
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s --check-prefix=ONCE

// CHECK: %[[A:.*]] = tine.shared_alloc at 0
// CHECK-NEXT: tine.barrier between "read of shared memory at 0{{.*}}" and "write of shared memory at 0
// CHECK-NEXT: tine.shared_store %{{.*}}, %[[A]]
// CHECK-NEXT: tine.barrier between "write of shared memory at 0{{.*}}" and "read of shared memory at 0
// CHECK-NEXT: tine.shared_load %[[A]]
// CHECK-NOT: tine.barrier
// ONCE: tine.kernel
// ONCE-NOT: tine.barrier
// ONCE: tine.shared_store
// ONCE-NEXT: tine.barrier between "write of shared memory at 0{{.*}}" and "read of shared memory at 0
// ONCE-NOT: tine.barrier

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#none2 = affine_map<(i, j)[s0] -> ()>
#pb = #tine.param<source = 0, levels = [array<i64>, array<i64: 1, 1024>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Sum grid [] symbols ["n"] sources [#x] params [#pb] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view):
  %t = tine.load %x[] : !tine.tile<[1, 1024], f32>
  %s = tine.reduce "sum"(%t) axes [0, 1] : !tine.tile<[1, 1024], f32> to f32
  %m = tine.broadcast %s : f32 to !tine.tile<[1, 1024], f32>
  tine.store %m, %x[] : !tine.tile<[1, 1024], f32>
}
