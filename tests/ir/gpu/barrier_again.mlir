// In place at fewer elements than threads, round after round: each round has elements of its own (RUN 1), but in a loop around
// that, the same come again (RUN 2): all threads wait before they load what one of them stored.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s
// CHECK: scf.for
// CHECK-NEXT: tine.load
// CHECK: tine.barrier between "load from source 0 by tine.load{{.*}}" and "store to source 0 by tine.store
// CHECK-NEXT: tine.store

// RUN: sed -e 's/[/][/] again: //' %s > %t.again.mlir
// RUN: tine-compile %t.again.mlir nvptx:sm_80 layouts | FileCheck %s --check-prefix=AGAIN
// AGAIN: scf.for
// AGAIN: scf.for
// AGAIN-NEXT: tine.barrier between "store to source 0 by tine.store{{.*}}" and "load from source 0 by tine.load
// AGAIN-NEXT: tine.load

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 64>
#at = affine_map<(k, i)[s0] -> (k * 8 + i)>
#none = affine_map<(k, i)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 8>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Again grid [] symbols ["rounds"] sources [#x] params [#px] overlaps [] attributes {narrow_index} {
^bb0(%x: !tine.view):
  %lo = tine.constant 0 : i64
  %one = tine.constant 1 : i64
  %hi = tine.symbol 0
  // again: scf.for %r = %lo to %hi step %one : i64 {
  scf.for %k = %lo to %hi step %one : i64 {
    %a = tine.load %x[%k] : !tine.tile<[8], f32>
    %c = tine.elementwise "neg"(%a) : (!tine.tile<[8], f32>) -> !tine.tile<[8], f32>
    tine.store %c, %x[%k] : !tine.tile<[8], f32>
  }
  // again: }
}
