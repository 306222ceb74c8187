// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @reductions
func.func @reductions(%a: !tine.tile<[4, s0], f32>, %b: !tine.tile<[4, s0], i1>) {
  // CHECK: tine.reduce "sum"(%{{.*}}) axes [1] : {{(!tine.tile)?<}}[4, s0], f32> to {{(!tine.tile)?<}}[4], f32>
  %0 = tine.reduce "sum"(%a) axes [1] : !tine.tile<[4, s0], f32> to !tine.tile<[4], f32>
  // CHECK: tine.reduce "argmax"(%{{.*}}) axes [0] : {{(!tine.tile)?<}}[4, s0], f32> to {{(!tine.tile)?<}}[s0], i32>
  %1 = tine.reduce "argmax"(%a) axes [0] : !tine.tile<[4, s0], f32> to !tine.tile<[s0], i32>
  // CHECK: tine.reduce "any"(%{{.*}}) axes [0, 1] : {{(!tine.tile)?<}}[4, s0], i1> to i1
  %2 = tine.reduce "any"(%b) axes [0, 1] : !tine.tile<[4, s0], i1> to i1
  return
}
