// A row of up to 2^17 elements, more than a block has registers: a loop adds its pieces up, each thread its own elements, and one
// reduction follows. What lies beyond the row's end in the last piece changes nothing.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: [[COORDS:#map[0-9]*]] = affine_map<(d0, d1)[s0] -> (d0 * 16384 + d1)>
// CHECK: [[LIMIT:#map[0-9]*]] = affine_map<(d0, d1)[s0] -> (s0)>
// CHECK-LABEL: tine.kernel @Sum
// CHECK-SAME: levels = [array<i64>, array<i64: 8>, array<i64: 16384>], coords = [[COORDS]]
// CHECK-SAME: bounds = [[COORDS]], limits = [[LIMIT]], low = [0]
// CHECK: ^bb0(%{{.*}}: !tine.view, %{{.*}}: !tine.view, [[PIECES:%.*]]: !tine.view):
// CHECK: [[COUNT:%.*]] = tine.elementwise "cdiv"([[SIZE:%.*]], %{{.*}}) : (i64, i64) -> i64
// CHECK: [[END:%.*]] = tine.elementwise "min"([[COUNT]], %{{.*}}) : (i64, i64) -> i64
// CHECK: [[SUMS:%.*]] = scf.for [[J:%.*]] = %{{.*}} to [[END]] step %{{.*}} iter_args([[SUM:%.*]] = %{{.*}}) -> (!tine.tile<[16384], f32
// CHECK-NEXT: [[T:%.*]] = tine.load [[PIECES]]{{\[}}[[J]]] : !tine.tile<[16384], f32
// CHECK-NOT: where
// CHECK-NOT: barrier
// CHECK: [[NEXT:%.*]] = tine.elementwise "add"([[SUM]], [[T]])
// CHECK: scf.yield [[NEXT]]
// CHECK: tine.partial_reduce "sum"([[SUMS]]) axes [0]

// Zeros, which loads give beyond the end, do not hide there from a maximum.
// RUN: sed -e 's/"sum"/"max"/' %s > %t.max.mlir
// RUN: tine-compile %t.max.mlir nvptx:sm_80 layouts | FileCheck %s --check-prefix=MAX
// MAX: scf.for
// MAX: [[T:%.*]] = tine.load
// MAX: [[IN:%.*]] = tine.elementwise "lt"
// MAX: [[PART:%.*]] = tine.elementwise "where"([[IN]], [[T]], %{{.*}})
// MAX: tine.elementwise "max"(%{{.*}}, [[PART]])

// A limit that it does not reach: as it stands.
// RUN: tine-compile %s nvptx:sm_80 layouts - "split=131072" | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: scf.for
// WHOLE: tine.load %{{.*}}[] : !tine.tile<[s0], f32

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#at = affine_map<(i)[s0] -> (i)>
#none = affine_map<(i)[s0] -> ()>
#one = affine_map<()[s0] -> (0)>
#none0 = affine_map<()[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>], coords = #one, linear = #none0, bounds = #none0, limits = #none0, low = [], other = 0.0 : f64>

tine.kernel @Sum grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index, capacities = array<i64: 0, 131072, 0>} {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[s0], f32>
  %s = tine.reduce "sum"(%t) axes [0] : !tine.tile<[s0], f32> to f32
  tine.store %s, %y[] : f32
}
