// A thread holds eight of a tile's 1024 columns: two groups of four neighbours. The limit is a multiple of 16, so that a group is
// below it as a whole or not at all: two comparisons, and in 32 bits, as the sizes are known to be short. Where nothing divides
// the limit there are eight; where it may be long, in 64 bits.
// RUN: tine-compile %s nvptx:sm_80 ptx | FileCheck %s
// RUN: sed -e 's/array<i64: 1, 16>/array<i64: 1, 1>/' %s > %t.odd.mlir
// RUN: tine-compile %t.odd.mlir nvptx:sm_80 ptx | FileCheck %s --check-prefix=ODD
// RUN: sed -e 's/, ranges = array<i64: 0, 2097152, 0, 2146435071>//' %s > %t.long.mlir
// RUN: tine-compile %t.long.mlir nvptx:sm_80 ptx | FileCheck %s --check-prefix=LONG

// 2^31 - 2^20 - 1 and 2^21 more do not fit 32 bits, so a sum of them is compared in 64:
// RUN: sed -e 's/"min"/"add"/' -e 's/constant 48/constant 2097152/' %s > %t.sum.mlir
// RUN: tine-compile %t.sum.mlir nvptx:sm_80 ptx | FileCheck %s --check-prefix=SUM

// CHECK-LABEL: .entry tine_kernel
// CHECK: min.s32 [[LIMIT:%r[0-9]+]]
// CHECK: setp.lt.s32 [[LOW:%p[0-9]+]], %r{{[0-9]+}}, [[LIMIT]]
// CHECK: setp.lt.s32 [[HIGH:%p[0-9]+]], %r{{[0-9]+}}, [[LIMIT]]
// CHECK-COUNT-4: selp.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0{{.*}}, [[LOW]]
// CHECK-COUNT-4: selp.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0{{.*}}, [[HIGH]]
// CHECK-NOT: setp

// ODD: min.s32 [[LIMIT:%r[0-9]+]]
// ODD-COUNT-8: setp.lt.s32 %p{{[0-9]+}}, %r{{[0-9]+}}, [[LIMIT]]

// LONG: min.s64 [[LIMIT:%rd[0-9]+]]
// LONG-COUNT-2: setp.lt.s64 %p{{[0-9]+}}, %rd{{[0-9]+}}, [[LIMIT]]
// LONG-NOT: setp.lt.s64

// SUM: add.s64 [[LIMIT:%rd[0-9]+]], %rd{{[0-9]+}}, 2097152
// SUM-COUNT-2: setp.lt.s64 %p{{[0-9]+}}, %rd{{[0-9]+}}, [[LIMIT]]

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#i = affine_map<(p, i)[s0, s1] -> (p * 1024 + i)>
#n = affine_map<(p, i)[s0, s1] -> (s1)>
#none = affine_map<(p, i)[s0, s1] -> ()>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64: -1>, array<i64: 1024>], coords = #i, linear = #none, bounds = #i, limits = #n, low = [0], other = 0.0 : f64>

tine.kernel @Before grid [s0] symbols ["cdiv(x.size0, 1024)", "x.size0"] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index, multiples = array<i64: 1, 16>, ranges = array<i64: 0, 2097152, 0, 2146435071>} {
^bb0(%x: !tine.view, %y: !tine.view):
  %n = tine.symbol 1
  %few = tine.constant 48 : i64
  %limit = tine.elementwise "min"(%n, %few) : (i64, i64) -> i64
  %limits = tine.broadcast %limit : i64 to !tine.tile<[1024], i64>
  %p = tine.program_index 0
  %size = tine.constant 1024 : i64
  %first = tine.elementwise "mul"(%p, %size) : (i64, i64) -> i64
  %firsts = tine.broadcast %first : i64 to !tine.tile<[1024], i64>
  %lanes = tine.arange : !tine.tile<[1024], i64>
  %column = tine.elementwise "add"(%lanes, %firsts) : (!tine.tile<[1024], i64>, !tine.tile<[1024], i64>) -> !tine.tile<[1024], i64>
  %before = tine.elementwise "lt"(%column, %limits) : (!tine.tile<[1024], i64>, !tine.tile<[1024], i64>) -> !tine.tile<[1024], i1>
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[1024], f32>
  %t = tine.load %x[] : !tine.tile<[1024], f32>
  %u = tine.elementwise "where"(%before, %t, %zeros) : (!tine.tile<[1024], i1>, !tine.tile<[1024], f32>, !tine.tile<[1024], f32>) -> !tine.tile<[1024], f32>
  tine.store %u, %y[] : !tine.tile<[1024], f32>
}
