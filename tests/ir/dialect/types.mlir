// The types: a tile of any shape and element type, and a view.
// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func private @shapes(
// CHECK-SAME: !tine.tile<[0], f32>, !tine.tile<[1, 64], f32>, !tine.tile<[s0], f32>, !tine.tile<[4, s12, 7], f32>
func.func private @shapes(!tine.tile<[0], f32>, !tine.tile<[1, 64], f32>, !tine.tile<[s0], f32>, !tine.tile<[4, s12, 7], f32>)

// CHECK-LABEL: func.func private @integers(
// CHECK-SAME: !tine.tile<[2], i1>, !tine.tile<[2], i8>, !tine.tile<[2], i16>, !tine.tile<[2], i32>, !tine.tile<[2], i64>,
// CHECK-SAME: !tine.tile<[2], ui8>, !tine.tile<[2], ui16>, !tine.tile<[2], ui32>, !tine.tile<[2], ui64>
func.func private @integers(!tine.tile<[2], i1>, !tine.tile<[2], i8>, !tine.tile<[2], i16>, !tine.tile<[2], i32>, !tine.tile<[2], i64>,
                            !tine.tile<[2], ui8>, !tine.tile<[2], ui16>, !tine.tile<[2], ui32>, !tine.tile<[2], ui64>)

// CHECK-LABEL: func.func private @floats(
// CHECK-SAME: !tine.tile<[2], f8E4M3FN>, !tine.tile<[2], f8E5M2>, !tine.tile<[2], f16>, !tine.tile<[2], bf16>, !tine.tile<[2], f32>, !tine.tile<[2], f64>
func.func private @floats(!tine.tile<[2], f8E4M3FN>, !tine.tile<[2], f8E5M2>, !tine.tile<[2], f16>, !tine.tile<[2], bf16>, !tine.tile<[2], f32>,
                          !tine.tile<[2], f64>)

// CHECK-LABEL: func.func private @view(!tine.view)
func.func private @view(!tine.view)
