// Bytes, each operand signed or not: the tile unit has an instruction for each of the four, so nothing is added to a.
// RUN: sed -e 's/TA/i8/g' -e 's/TB/i8/g' %s | tine-opt --tine-cpu-lower-tiles="vector-bytes=64 tiles=amx" --canonicalize --cse | FileCheck %s --check-prefix=SS
// RUN: sed -e 's/TA/ui8/g' -e 's/TB/i8/g' %s | tine-opt --tine-cpu-lower-tiles="vector-bytes=64 tiles=amx" --canonicalize --cse | FileCheck %s --check-prefix=US
// RUN: sed -e 's/TA/i8/g' -e 's/TB/ui8/g' %s | tine-opt --tine-cpu-lower-tiles="vector-bytes=64 tiles=amx" --canonicalize --cse | FileCheck %s --check-prefix=SU
// RUN: sed -e 's/TA/ui8/g' -e 's/TB/ui8/g' %s | tine-opt --tine-cpu-lower-tiles="vector-bytes=64 tiles=amx" --canonicalize --cse | FileCheck %s --check-prefix=UU

// SS-LABEL: func.func @tine_entry(
// SS-NOT: arith.xori
// SS-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbssd"
// SS-NOT: llvm.x86.avx512

// US-LABEL: func.func @tine_entry(
// US-NOT: arith.xori
// US-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbusd"
// US-NOT: llvm.x86.avx512

// SU-LABEL: func.func @tine_entry(
// SU-NOT: arith.xori
// SU-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbsud"
// SU-NOT: llvm.x86.avx512

// UU-LABEL: func.func @tine_entry(
// UU-NOT: arith.xori
// UU-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbuud"
// UU-NOT: llvm.x86.avx512

#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#a = #tine.source<name = "a", type = TA, rank = 2, unit = [1], contiguous = true, align = 64>
#b = #tine.source<name = "b", type = TB, rank = 2, unit = [1], contiguous = true, align = 64>
#c = #tine.source<name = "c", type = i32, rank = 2, unit = [1], contiguous = true, align = 64>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 32, 64>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 64, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 32, 32>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Bytes grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view, %z: !tine.view):
  %t = tine.load %x[] : !tine.tile<[32, 64], TA>
  %u = tine.load %y[] : !tine.tile<[64, 32], TB>
  %d = tine.dot %t, %u : !tine.tile<[32, 64], TA>, !tine.tile<[64, 32], TB> -> !tine.tile<[32, 32], i32>
  tine.store %d, %z[] : !tine.tile<[32, 32], i32>
}
