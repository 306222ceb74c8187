// b is the same for all programs of a column (its maps do not use i): its panels have a slot for each round of the loop, and each
// slot a tag with the program's column and the block of k. A panel is packed only where the tag is another's. Programs of a column follow each
// other: the first dim of the grid runs fastest. No slots where the kernel may store to b (second kernel: c overlaps b).
// RUN: split-file %s %t
// RUN: tine-opt %t/shared.mlir --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s
// RUN: tine-opt %t/stored.mlir --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s --check-prefix=STORED

// CHECK-LABEL: func.func @tine_entry(
// Tags are void at the start: -1 is nobody's column.
// CHECK: %[[VOID:.*]] = arith.constant dense<-1> : vector<2xi64>
// CHECK: scf.for
// CHECK: llvm.store %[[VOID]]
// CHECK: scf.for %[[P:.*]] = %arg1 to %arg2
// CHECK: arith.remui %[[P]], %[[ROWS:.*]] : i64
// CHECK: %[[J:.*]] = arith.divui %[[P]], %[[ROWS]] : i64
// CHECK: arith.minsi
// CHECK: %[[K:.*]] = arith.addi
// CHECK: %[[TAG:.*]] = llvm.load %[[PLACE:.*]] {{.*}} -> i64
// CHECK: arith.cmpi eq, %[[TAG]], %[[J]]
// CHECK: arith.cmpi eq, %{{.*}}, %[[K]]
// CHECK: %[[STALE:.*]] = arith.xori
// CHECK: llvm.store %[[J]], %[[PLACE]]
// CHECK: llvm.store %[[K]],
// CHECK: scf.if %[[STALE]] {
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK: llvm.intr.fma

// STORED-LABEL: func.func @tine_entry(
// STORED-NOT: arith.constant dense<-1>
// STORED: llvm.intr.fma

//--- shared.mlir
#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ma = affine_map<(i, j, k, y, x)[s0, s1, s2] -> (i * 32 + y, k * 32 + x)>
#mb = affine_map<(i, j, k, y, x)[s0, s1, s2] -> (k * 32 + y, j * 32 + x)>
#mc = affine_map<(i, j, y, x)[s0, s1, s2] -> (i * 32 + y, j * 32 + x)>
#none5 = affine_map<(i, j, k, y, x)[s0, s1, s2] -> ()>
#none4 = affine_map<(i, j, y, x)[s0, s1, s2] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64: -1, -2>, array<i64: -3>, array<i64: 32, 32>], coords = #ma, linear = #none5, bounds = #none5, limits = #none5, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64: -1, -2>, array<i64: -3>, array<i64: 32, 32>], coords = #mb, linear = #none5, bounds = #none5, limits = #none5, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64: -1, -2>, array<i64: 32, 32>], coords = #mc, linear = #none4, bounds = #none4, limits = #none4, low = [], other = 0.0 : f64>

tine.kernel @Shared grid [s0, s1] symbols ["m", "n", "k"] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %c0 = tine.constant 0 : i64
  %c1 = tine.constant 1 : i64
  %n = tine.symbol 2
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[32, 32], f32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (!tine.tile<[32, 32], f32>) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[32, 32], f32>
    %u = tine.load %y[%k] : !tine.tile<[32, 32], f32>
    %d = tine.dot %t, %u, %acc : !tine.tile<[32, 32], f32>, !tine.tile<[32, 32], f32> -> !tine.tile<[32, 32], f32>
    scf.yield %d : !tine.tile<[32, 32], f32>
  }
  tine.store %sum, %z[] : !tine.tile<[32, 32], f32>
}
//--- stored.mlir
#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ma = affine_map<(i, j, k, y, x)[s0, s1, s2] -> (i * 32 + y, k * 32 + x)>
#mb = affine_map<(i, j, k, y, x)[s0, s1, s2] -> (k * 32 + y, j * 32 + x)>
#mc = affine_map<(i, j, y, x)[s0, s1, s2] -> (i * 32 + y, j * 32 + x)>
#none5 = affine_map<(i, j, k, y, x)[s0, s1, s2] -> ()>
#none4 = affine_map<(i, j, y, x)[s0, s1, s2] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64: -1, -2>, array<i64: -3>, array<i64: 32, 32>], coords = #ma, linear = #none5, bounds = #none5, limits = #none5, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64: -1, -2>, array<i64: -3>, array<i64: 32, 32>], coords = #mb, linear = #none5, bounds = #none5, limits = #none5, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64: -1, -2>, array<i64: 32, 32>], coords = #mc, linear = #none4, bounds = #none4, limits = #none4, low = [], other = 0.0 : f64>

tine.kernel @Stored grid [s0, s1] symbols ["m", "n", "k"] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [2, 1] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %c0 = tine.constant 0 : i64
  %c1 = tine.constant 1 : i64
  %n = tine.symbol 2
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[32, 32], f32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (!tine.tile<[32, 32], f32>) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[32, 32], f32>
    %u = tine.load %y[%k] : !tine.tile<[32, 32], f32>
    %d = tine.dot %t, %u, %acc : !tine.tile<[32, 32], f32>, !tine.tile<[32, 32], f32> -> !tine.tile<[32, 32], f32>
    scf.yield %d : !tine.tile<[32, 32], f32>
  }
  tine.store %sum, %z[] : !tine.tile<[32, 32], f32>
}
