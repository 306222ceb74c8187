// Layouts: bases of registers, lanes and warps, or of places in shared memory.
// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-DAG: #[[COPIES:.*]] = #tine.layout<[4], lane = {{\[\[}}1], [2], [0]]>
// CHECK-DAG: #[[DISTRIBUTED:.*]] = #tine.layout<[4, 8], register = {{\[\[}}0, 1], [1, 0], [2, 0]], lane = {{\[\[}}0, 2], [0, 4]], warp = []>
// CHECK-DAG: #[[SHARED:.*]] = #tine.layout<[2, 4], offset = {{\[\[}}0, 1], [0, 2], [1, 1]]>

// CHECK-LABEL: func.func private @distributed(
// CHECK-SAME: !tine.tile<[4, s3], f32, #[[DISTRIBUTED]]>
func.func private @distributed(!tine.tile<[4, s3], f32, #tine.layout<[4, 8], register = [[0, 1], [1, 0], [2, 0]], lane = [[0, 2], [0, 4]], warp = []>>)

// Copies: a basis of zeros. A tile of 3 in room for 4.
// CHECK-LABEL: func.func private @copies(
// CHECK-SAME: !tine.tile<[3], f16, #[[COPIES]]>
func.func private @copies(!tine.tile<[3], f16, #tine.layout<[4], lane = [[1], [2], [0]]>>)

// CHECK-LABEL: func.func private @shared() attributes
// CHECK-SAME: #[[SHARED]]
func.func private @shared() attributes {l = #tine.layout<[2, 4], offset = [[0, 1], [0, 2], [1, 1]]>}
