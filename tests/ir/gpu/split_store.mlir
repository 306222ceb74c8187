// What a large tile is made of is made again for each part: rows are cut where rows fit, so that what is reduced along them is
// reduced within the part, and nothing of the whole is left.
// RUN: tine-compile %s nvptx:sm_80 layouts - "split=256" | FileCheck %s

// CHECK-LABEL: tine.kernel @Rows
// CHECK: ^bb0(%{{.*}}: !tine.view, %{{.*}}: !tine.view, [[X:%.*]]: !tine.view, [[Y:%.*]]: !tine.view):
// CHECK-NOT: tine.load
// CHECK: scf.for [[J:%.*]] =
// CHECK-NEXT: [[T:%.*]] = tine.load [[X]]{{\[}}[[J]]] : !tine.tile<[2, 32], f32
// CHECK: [[M:%.*]] = tine.reduce "max"([[T]]) axes [1]
// CHECK: tine.elementwise "sub"([[T]],
// CHECK: tine.store %{{.*}}, [[Y]]{{\[}}[[J]]] : !tine.tile<[2, 32], f32
// CHECK-NOT: tine.store

// The tile is stored to its own memory, turned: elements of one part lie in others, so they are stored as a whole.
// RUN: sed -e 's/%d, %y/%d, %x/' -e 's/"sub"(%v, %b)/"sub"(%u, %b)/' %s > %t.turned.mlir
// RUN: tine-compile %t.turned.mlir nvptx:sm_80 layouts - "split=256" | FileCheck %s --check-prefix=TURNED
// TURNED-LABEL: tine.kernel @Rows
// TURNED: tine.load %{{.*}}[] : !tine.tile<[32, 32], f32
// TURNED: tine.store %{{.*}}, %{{.*}}[] : !tine.tile<[32, 32], f32

#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#y = #tine.source<name = "y", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#at = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 32, 32>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Rows grid [] symbols [] sources [#x, #y] params [#px, #py] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %y: !tine.view):
  %v = tine.load %x[] : !tine.tile<[32, 32], f32>
  %u = tine.permute %v [1, 0] : !tine.tile<[32, 32], f32> to !tine.tile<[32, 32], f32>
  %m = tine.reduce "max"(%v) axes [1] : !tine.tile<[32, 32], f32> to !tine.tile<[32], f32>
  %c = tine.reshape %m : !tine.tile<[32], f32> to !tine.tile<[32, 1], f32>
  %b = tine.broadcast %c : !tine.tile<[32, 1], f32> to !tine.tile<[32, 32], f32>
  %d = tine.elementwise "sub"(%v, %b) : (!tine.tile<[32, 32], f32>, !tine.tile<[32, 32], f32>) -> !tine.tile<[32, 32], f32>
  tine.store %d, %y[] : !tine.tile<[32, 32], f32>
}
