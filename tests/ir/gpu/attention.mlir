// Probabilities stay in registers between attention's two products: the fragments of the first one's result are those that the
// second one's left operand needs, since all warps lie below each other. Keys and values are copied ahead; queries, which
// no round changes, are loaded once before the loop.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.kernel
// CHECK-SAME: warps = 4
// CHECK: tine.load %arg0[]
// CHECK: %[[Q:.*]] = tine.shared_load %{{.*}} : <[64, 64], f16, #{{.*}}> to <[64, 64], f16, #[[P:[a-z0-9]+]]>
// CHECK: scf.for
// CHECK: tine.copy_async %arg1[
// The keys' transpose is a matter of the copy: k's rows are the operand's columns.
// CHECK-SAME: order [1, 0]
// CHECK: tine.copy_async %arg2[
// CHECK-SAME: order [0, 1]
// CHECK: tine.dot %[[Q]], %{{.*}} -> <[64, 64], f32, #[[P]]>
// CHECK-NOT: tine.barrier
// CHECK-NOT: tine.shared_store
// CHECK: %[[W:.*]] = tine.cast %{{.*}} : !tine.tile<[64, 64], f32, #[[P]]> to !tine.tile<[64, 64], f16, #[[P]]>
// CHECK: tine.dot %[[W]], %{{.*}}, %{{.*}} : <[64, 64], f16, #[[P]]>
// CHECK-NOT: tine.barrier
// CHECK: scf.yield

#q = #tine.source<name = "q", type = f16, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#k = #tine.source<name = "k", type = f16, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#v = #tine.source<name = "v", type = f16, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#o = #tine.source<name = "o", type = f32, rank = 2, unit = [1], contiguous = true, align = 64, stride16 = [0]>
#at_q = affine_map<(m, i, j)[s0, s1] -> (m * 64 + i, j)>
#end_q = affine_map<(m, i, j)[s0, s1] -> (s0 * 64, 64)>
#none_q = affine_map<(m, i, j)[s0, s1] -> ()>
#at_k = affine_map<(m, n, i, j)[s0, s1] -> (n * 64 + i, j)>
#end_k = affine_map<(m, n, i, j)[s0, s1] -> (s1 * 64, 64)>
#none_k = affine_map<(m, n, i, j)[s0, s1] -> ()>
#pq = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 64, 64>], coords = #at_q, linear = #none_q, bounds = #none_q, limits = #none_q, low = [], other = 0.0 : f64>
#pk = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: -2>, array<i64: 64, 64>], coords = #at_k, linear = #none_k, bounds = #none_k, limits = #none_k, low = [], other = 0.0 : f64>
#pv = #tine.param<source = 2, levels = [array<i64: -1>, array<i64: -2>, array<i64: 64, 64>], coords = #at_k, linear = #none_k, bounds = #none_k, limits = #none_k, low = [], other = 0.0 : f64>
#po = #tine.param<source = 3, levels = [array<i64: -1>, array<i64: 64, 64>], coords = #at_q, linear = #none_q, bounds = #none_q, limits = #none_q, low = [], other = 0.0 : f64>

tine.kernel @Attention grid [s0] symbols ["rows", "blocks"] sources [#q, #k, #v, #o] params [#pq, #pk, #pv, #po] overlaps [] attributes {narrow_index} {
^bb0(%q: !tine.view, %k: !tine.view, %v: !tine.view, %o: !tine.view):
  %zero = tine.constant 0.0 : f32
  %start = tine.broadcast %zero : f32 to !tine.tile<[64, 64], f32>
  %none = tine.broadcast %zero : f32 to !tine.tile<[64], f32>
  %lo = tine.constant 0 : i64
  %one = tine.constant 1 : i64
  %hi = tine.symbol 1
  %r:2 = scf.for %i = %lo to %hi step %one iter_args(%sum = %start, %total = %none) -> (!tine.tile<[64, 64], f32>, !tine.tile<[64], f32>) : i64 {
    %x = tine.load %q[] : !tine.tile<[64, 64], f16>
    %y = tine.load %k[%i] : !tine.tile<[64, 64], f16>
    %t = tine.permute %y [1, 0] : !tine.tile<[64, 64], f16> to !tine.tile<[64, 64], f16>
    %s = tine.dot %x, %t : !tine.tile<[64, 64], f16>, !tine.tile<[64, 64], f16> -> !tine.tile<[64, 64], f32>
    %e = tine.elementwise "exp2"(%s) : (!tine.tile<[64, 64], f32>) -> !tine.tile<[64, 64], f32>
    %w = tine.cast %e : !tine.tile<[64, 64], f32> to !tine.tile<[64, 64], f16>
    %z = tine.load %v[%i] : !tine.tile<[64, 64], f16>
    %next = tine.dot %w, %z, %sum : !tine.tile<[64, 64], f16>, !tine.tile<[64, 64], f16> -> !tine.tile<[64, 64], f32>
    %row = tine.reduce "sum"(%e) axes [1] : !tine.tile<[64, 64], f32> to !tine.tile<[64], f32>
    %all = tine.elementwise "add"(%total, %row) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
    scf.yield %next, %all : !tine.tile<[64, 64], f32>, !tine.tile<[64], f32>
  }
  %flat = tine.reshape %r#1 : !tine.tile<[64], f32> to !tine.tile<[64, 1], f32>
  %wide = tine.broadcast %flat : !tine.tile<[64, 1], f32> to !tine.tile<[64, 64], f32>
  %result = tine.elementwise "div"(%r#0, %wide) : (!tine.tile<[64, 64], f32>, !tine.tile<[64, 64], f32>) -> !tine.tile<[64, 64], f32>
  tine.store %result, %o[] : !tine.tile<[64, 64], f32>
}
