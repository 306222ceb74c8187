// Two sums across warps, one after the other: their memories share bytes, so that the second's write waits for the first's
// reads.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: shared_bytes = 16
// CHECK: tine.partial_reduce "sum"
// CHECK-NEXT: %[[A:.*]] = tine.shared_alloc at 0
// CHECK-NEXT: tine.shared_store %{{.*}}, %[[A]]
// CHECK-NEXT: tine.barrier between "write of shared memory at 0{{.*}}" and "read of shared memory at 0
// CHECK-NEXT: tine.shared_load %[[A]]
// CHECK: tine.partial_reduce "sum"
// CHECK-NEXT: %[[B:.*]] = tine.shared_alloc at 0
// CHECK-NEXT: tine.barrier between "read of shared memory at 0{{.*}}" and "write of shared memory at 0
// CHECK-NEXT: tine.shared_store %{{.*}}, %[[B]]
// CHECK-NEXT: tine.barrier between "write of shared memory at 0{{.*}}" and "read of shared memory at 0
// CHECK-NEXT: tine.shared_load %[[B]]

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at = affine_map<(i, j)[s0] -> (i, j)>
#none2 = affine_map<(i, j)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 1, 1024>], coords = #at, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Twice grid [] symbols ["x.size0"] sources [#x] params [#px] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view):
  %t = tine.load %x[] : !tine.tile<[1, 1024], f32>
  %s = tine.reduce "sum"(%t) axes [0, 1] : !tine.tile<[1, 1024], f32> to f32
  %m = tine.broadcast %s : f32 to !tine.tile<[1, 1024], f32>
  %d = tine.elementwise "sub"(%t, %m) : (!tine.tile<[1, 1024], f32>, !tine.tile<[1, 1024], f32>) -> !tine.tile<[1, 1024], f32>
  %q = tine.reduce "sum"(%d) axes [0, 1] : !tine.tile<[1, 1024], f32> to f32
  %w = tine.broadcast %q : f32 to !tine.tile<[1, 1024], f32>
  tine.store %w, %x[] : !tine.tile<[1, 1024], f32>
}
