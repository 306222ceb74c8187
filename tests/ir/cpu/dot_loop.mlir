// A loop that sums products up is one contraction over the k of all its rounds, whatever a round takes: rounds lay their operands
// out, then the accumulators start from zero, stay in registers through a loop over rounds and one over a round's k, and are
// stored once. Of more rounds than there are slots (a MiB of a panel, 64 MiB in all), as many as there are at a time: all but
// the first load the accumulators. The sum is filled with zeros only if there is no round.
// RUN: split-file %s %t
// RUN: tine-opt %t/loop.mlir --tine-accumulate-products --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s
// RUN: tine-opt %t/loop.mlir --tine-accumulate-products --tine-cpu-lower-tiles="vector-bytes=64 second-cache=262144" --canonicalize --cse | FileCheck %s --check-prefix=CACHE
// RUN: tine-opt %t/two.mlir --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s --check-prefix=TWO
// RUN: tine-opt %t/other.mlir --tine-cpu-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s --check-prefix=OTHER
// RUN: tine-opt %t/tiles.mlir --tine-accumulate-products --tine-cpu-lower-tiles="vector-bytes=64 tiles=amx" --canonicalize --cse | FileCheck %s --check-prefix=TILES

// CHECK-LABEL: func.func @tine_entry(
// 8192 of k are a MiB of a panel: 512 rounds of 16. Of more, half as many at a time.
// CHECK: arith.cmpi ule, %{{.*}}, %c512_i64
// CHECK: arith.select %{{.*}}, %{{.*}}, %c256_i64
// A second cache of 256 KiB has a quarter of that.
// CACHE-LABEL: func.func @tine_entry(
// CACHE: arith.cmpi ule, %{{.*}}, %c128_i64
// CACHE: arith.select %{{.*}}, %{{.*}}, %c64_i64
// CHECK: %[[SLOTS:.*]] = arith.maxsi %{{.*}}, %c1_i64
// CHECK: %[[ACC:.*]] = llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.for %[[FIRST:.*]] = %c0_i64 to %[[ROUNDS:.*]] step %[[SLOTS]]
// CHECK: %[[NOW:.*]] = arith.minsi %{{.*}}, %[[SLOTS]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[NOW]] step %c1_i64
// CHECK-NOT: llvm.intr.fma
// A panel; where a lies, and how much of k.
// CHECK: llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK: llvm.store %c16_i64, %{{.*}} : i64, !llvm.ptr
// CHECK: }
// CHECK: %[[LATER:.*]] = arith.cmpi ne, %[[FIRST]], %c0_i64
// CHECK: %[[MASK:.*]] = vector.broadcast %[[LATER]] : i1 to vector<16xi1>
// CHECK: llvm.intr.masked.load %[[ACC]], %[[MASK]], %cst
// CHECK: %[[SUM:.*]]:16 = scf.for %{{.*}} = %c0_i64 to %[[NOW]] step %c1_i64 iter_args
// CHECK-NOT: -> vector<16xf32>{{$}}
// CHECK: %[[K:.*]] = llvm.load %{{.*}} -> i64
// CHECK: %[[PART:.*]]:16 = scf.for %{{.*}} = %c0_i64 to %[[K]] step %c1_i64 iter_args
// CHECK-COUNT-16: llvm.intr.fma
// CHECK-NOT: llvm.store
// CHECK: scf.yield %[[PART]]#0
// CHECK: llvm.store %[[SUM]]#0, %[[ACC]]
// CHECK-COUNT-15: llvm.store %[[SUM]]#
// CHECK-NEXT: {{^ *[}]}}
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[ROUNDS]], %c0_i64
// CHECK: scf.if %[[NONE]]
// CHECK: llvm.store %cst{{.*}} : vector<16xf32>, !llvm.ptr

// Both accumulators of a loop, one after the other, when the operands of both are laid out.
// TWO-LABEL: func.func @tine_entry(
// TWO: %[[NOW:.*]] = arith.minsi
// TWO: scf.for %{{.*}} = %c0_i64 to %[[NOW]] step %c1_i64
// TWO-NOT: llvm.intr.fma
// TWO: %[[FIRST:.*]]:16 = scf.for %{{.*}} = %c0_i64 to %[[NOW]] step %c1_i64 iter_args
// TWO-COUNT-16: llvm.store %[[FIRST]]#
// TWO: %[[SECOND:.*]]:16 = scf.for %{{.*}} = %c0_i64 to %[[NOW]] step %c1_i64 iter_args
// TWO-COUNT-16: llvm.store %[[SECOND]]#

// No sum of products: each round needs the last one's result.
// OTHER-LABEL: func.func @tine_entry(
// OTHER: scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c1_i64 : i64 {
// OTHER: %[[SUM:.*]]:16 = scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c1_i64 iter_args
// OTHER-COUNT-16: llvm.intr.fma
// OTHER-COUNT-16: llvm.store %[[SUM]]#

// Tiles of the tile unit likewise.
// TILES-LABEL: func.func @tine_entry(
// TILES: %[[NOW:.*]] = arith.minsi
// TILES: scf.for %{{.*}} = %c0_i64 to %[[NOW]] step %c1_i64
// TILES-NOT: llvm.x86.tdp
// TILES: scf.if
// TILES-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero"
// TILES-NEXT: else
// TILES: llvm.call_intrinsic "llvm.x86.tileloadd64"
// TILES-COUNT-3: llvm.call_intrinsic "llvm.x86.tileloadd64"
// TILES-NEXT: {{^ *[}]}}
// TILES: scf.for %{{.*}} = %c0_i64 to %[[NOW]] step %c1_i64
// TILES: scf.for
// TILES-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// TILES-NEXT: {{^ *[}]}}
// TILES-NEXT: {{^ *[}]}}
// TILES-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"

//--- loop.mlir
#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ma = affine_map<(k, y, x)[n] -> (y, k * 16 + x)>
#mb = affine_map<(k, y, x)[n] -> (k * 16 + y, x)>
#mc = affine_map<(y, x)[n] -> (y, x)>
#none3 = affine_map<(k, y, x)[n] -> ()>
#none2 = affine_map<(y, x)[n] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 8, 16>], coords = #ma, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: -1>, array<i64: 16, 32>], coords = #mb, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #mc, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Loop grid [] symbols ["n"] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %c0 = tine.constant 0 : i64
  %c1 = tine.constant 1 : i64
  %n = tine.symbol 0
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[8, 32], f32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (!tine.tile<[8, 32], f32>) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[8, 16], f32>
    %u = tine.load %y[%k] : !tine.tile<[16, 32], f32>
    %d = tine.dot %t, %u : !tine.tile<[8, 16], f32>, !tine.tile<[16, 32], f32> -> !tine.tile<[8, 32], f32>
    %s = tine.elementwise "add"(%acc, %d) : (!tine.tile<[8, 32], f32>, !tine.tile<[8, 32], f32>) -> !tine.tile<[8, 32], f32>
    scf.yield %s : !tine.tile<[8, 32], f32>
  }
  tine.store %sum, %z[] : !tine.tile<[8, 32], f32>
}
//--- two.mlir
#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ma = affine_map<(k, y, x)[n] -> (y, k * 16 + x)>
#mb = affine_map<(k, y, x)[n] -> (k * 16 + y, x)>
#mc = affine_map<(y, x)[n] -> (y, x)>
#none3 = affine_map<(k, y, x)[n] -> ()>
#none2 = affine_map<(y, x)[n] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 8, 16>], coords = #ma, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: -1>, array<i64: 16, 32>], coords = #mb, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #mc, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Two grid [] symbols ["n"] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %c0 = tine.constant 0 : i64
  %c1 = tine.constant 1 : i64
  %n = tine.symbol 0
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[8, 32], f32>
  %p, %q = scf.for %k = %c0 to %n step %c1 iter_args(%one = %zeros, %two = %zeros) -> (!tine.tile<[8, 32], f32>, !tine.tile<[8, 32], f32>) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[8, 16], f32>
    %u = tine.load %y[%k] : !tine.tile<[16, 32], f32>
    %v = tine.elementwise "neg"(%u) : (!tine.tile<[16, 32], f32>) -> !tine.tile<[16, 32], f32>
    %d = tine.dot %t, %u, %one : !tine.tile<[8, 16], f32>, !tine.tile<[16, 32], f32> -> !tine.tile<[8, 32], f32>
    %e = tine.dot %t, %v, %two : !tine.tile<[8, 16], f32>, !tine.tile<[16, 32], f32> -> !tine.tile<[8, 32], f32>
    scf.yield %d, %e : !tine.tile<[8, 32], f32>, !tine.tile<[8, 32], f32>
  }
  %s = tine.elementwise "mul"(%p, %q) : (!tine.tile<[8, 32], f32>, !tine.tile<[8, 32], f32>) -> !tine.tile<[8, 32], f32>
  tine.store %s, %z[] : !tine.tile<[8, 32], f32>
}
//--- other.mlir
#a = #tine.source<name = "a", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ma = affine_map<(k, y, x)[n] -> (y, k * 16 + x)>
#mb = affine_map<(k, y, x)[n] -> (k * 16 + y, x)>
#mc = affine_map<(y, x)[n] -> (y, x)>
#none3 = affine_map<(k, y, x)[n] -> ()>
#none2 = affine_map<(y, x)[n] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 8, 16>], coords = #ma, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: -1>, array<i64: 16, 32>], coords = #mb, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 8, 32>], coords = #mc, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Other grid [] symbols ["n"] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %c0 = tine.constant 0 : i64
  %c1 = tine.constant 1 : i64
  %n = tine.symbol 0
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[8, 32], f32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (!tine.tile<[8, 32], f32>) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[8, 16], f32>
    %u = tine.load %y[%k] : !tine.tile<[16, 32], f32>
    %half = tine.elementwise "mul"(%acc, %acc) : (!tine.tile<[8, 32], f32>, !tine.tile<[8, 32], f32>) -> !tine.tile<[8, 32], f32>
    %d = tine.dot %t, %u, %half : !tine.tile<[8, 16], f32>, !tine.tile<[16, 32], f32> -> !tine.tile<[8, 32], f32>
    scf.yield %d : !tine.tile<[8, 32], f32>
  }
  tine.store %sum, %z[] : !tine.tile<[8, 32], f32>
}
//--- tiles.mlir
#a = #tine.source<name = "a", type = bf16, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = bf16, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = true, align = 64>
#ma = affine_map<(k, y, x)[n] -> (y, k * 64 + x)>
#mb = affine_map<(k, y, x)[n] -> (k * 64 + y, x)>
#mc = affine_map<(y, x)[n] -> (y, x)>
#none3 = affine_map<(k, y, x)[n] -> ()>
#none2 = affine_map<(y, x)[n] -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>, array<i64: 32, 64>], coords = #ma, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: -1>, array<i64: 64, 32>], coords = #mb, linear = #none3, bounds = #none3, limits = #none3, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 32, 32>], coords = #mc, linear = #none2, bounds = #none2, limits = #none2, low = [], other = 0.0 : f64>

tine.kernel @Tiles grid [] symbols ["n"] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %c0 = tine.constant 0 : i64
  %c1 = tine.constant 1 : i64
  %n = tine.symbol 0
  %zero = tine.constant 0.0 : f32
  %zeros = tine.broadcast %zero : f32 to !tine.tile<[32, 32], f32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (!tine.tile<[32, 32], f32>) : i64 {
    %t = tine.load %x[%k] : !tine.tile<[32, 64], bf16>
    %u = tine.load %y[%k] : !tine.tile<[64, 32], bf16>
    %d = tine.dot %t, %u : !tine.tile<[32, 64], bf16>, !tine.tile<[64, 32], bf16> -> !tine.tile<[32, 32], f32>
    %s = tine.elementwise "add"(%acc, %d) : (!tine.tile<[32, 32], f32>, !tine.tile<[32, 32], f32>) -> !tine.tile<[32, 32], f32>
    scf.yield %s : !tine.tile<[32, 32], f32>
  }
  tine.store %sum, %z[] : !tine.tile<[32, 32], f32>
}
