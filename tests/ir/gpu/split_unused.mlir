// What a large tile leaves behind goes, but not what a loop carries for the stores of a loop within it: %c, which no one uses
// behind its loop, becomes what %w is raised by.
// RUN: tine-compile %s nvptx:sm_80 layouts - "split=32" | FileCheck %s

// CHECK-LABEL: tine.kernel @Carried
// CHECK: scf.for [[K:%.*]] = %{{.*}} iter_args([[C:%.*]] = %{{.*}}) -> (!tine.tile<[8], f32
// CHECK: scf.for [[J:%.*]] = %{{.*}} iter_args([[W:%.*]] = %{{.*}}) -> (!tine.tile<[8], f32
// CHECK: tine.store [[W]],
// CHECK: [[NEXT:%.*]] = tine.elementwise "add"([[W]], [[C]])
// CHECK: scf.yield [[NEXT]]
// CHECK: [[MORE:%.*]] = tine.elementwise "add"([[C]], %{{.*}})
// CHECK: scf.yield [[MORE]]

// Where nothing is stored, neither loop carries anything, and both are gone.
// RUN: sed -e '/store %w/d' %s > %t.nothing.mlir
// RUN: tine-compile %t.nothing.mlir nvptx:sm_80 layouts - "split=32" | FileCheck %s --check-prefix=NOTHING
// NOTHING-LABEL: tine.kernel @Carried
// NOTHING: scf.for
// NOTHING: tine.store
// NOTHING-NOT: scf.for

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#y = #tine.source<name = "y", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#at = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#at2 = affine_map<(k, i) -> (k * 8 + i)>
#none2 = affine_map<(k, i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 256>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 256>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pz = #tine.param<source = 1, levels = [array<i64>, array<i64: 4>, array<i64: 8>], coords = #at2, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>
tine.kernel @Carried grid [] symbols [] sources [#x, #y] params [#px, #py, #pz] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %0 = tine.constant 0 : i64
  %3 = tine.constant 3 : i64
  %1 = tine.constant 1 : i64
  %f = tine.constant 1.0 : f32
  %o = tine.broadcast %f : f32 to !tine.tile<[8], f32>
  %v = tine.load %x[] : !tine.tile<[256], f32>
  tine.store %v, %y[] : !tine.tile<[256], f32>
  %r = scf.for %k = %0 to %3 step %1 iter_args(%c = %o) -> (!tine.tile<[8], f32>) : i64 {
    %q = scf.for %j = %0 to %3 step %1 iter_args(%w = %o) -> (!tine.tile<[8], f32>) : i64 {
      tine.store %w, %z[%j] : !tine.tile<[8], f32>
      %w2 = tine.elementwise "add"(%w, %c) : (!tine.tile<[8], f32>, !tine.tile<[8], f32>) -> !tine.tile<[8], f32>
      scf.yield %w2 : !tine.tile<[8], f32>
    }
    %c2 = tine.elementwise "add"(%c, %o) : (!tine.tile<[8], f32>, !tine.tile<[8], f32>) -> !tine.tile<[8], f32>
    scf.yield %c2 : !tine.tile<[8], f32>
  }
}
