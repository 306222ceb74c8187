// No unit of sm_80 takes fp8: each number is an f16 number, and products of those are exact in f32.
// RUN: tine-compile %s nvptx:sm_80 layouts | FileCheck %s

// CHECK: tine.kernel
// CHECK-DAG: tine.cast %{{.*}} : !tine.tile<[16, 16], f8E4M3FN, #{{.*}}> to !tine.tile<[16, 16], f16, #{{.*}}>
// CHECK-DAG: tine.cast %{{.*}} : !tine.tile<[16, 8], f8E5M2, #{{.*}}> to !tine.tile<[16, 8], f16, #{{.*}}>
// CHECK: tine.dot %{{.*}}, %{{.*}} : <[16, 16], f16, #{{.*}}>, <[16, 8], f16, #{{.*}}> -> <[16, 8], f32

#a = #tine.source<name = "a", type = f8E4M3FN, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#b = #tine.source<name = "b", type = f8E5M2, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#c = #tine.source<name = "c", type = f32, rank = 2, unit = [1], contiguous = false, align = 16, stride16 = [0]>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#pa = #tine.param<source = 0, levels = [array<i64>, array<i64: 16, 16>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pb = #tine.param<source = 1, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pc = #tine.param<source = 2, levels = [array<i64>, array<i64: 16, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
tine.kernel @DotFp8 grid [] symbols [] sources [#a, #b, #c] params [#pa, #pb, #pc] overlaps [] attributes {narrow_index} {
^bb0(%a: !tine.view, %b: !tine.view, %c: !tine.view):
  %x = tine.load %a[] : !tine.tile<[16, 16], f8E4M3FN>
  %y = tine.load %b[] : !tine.tile<[16, 8], f8E5M2>
  %d = tine.dot %x, %y : !tine.tile<[16, 16], f8E4M3FN>, !tine.tile<[16, 8], f8E5M2> -> !tine.tile<[16, 8], f32>
  tine.store %d, %c[] : !tine.tile<[16, 8], f32>
}
