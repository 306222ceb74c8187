// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @permutes
func.func @permutes(%a: !tine.tile<[2, s0, 4], f32>) {
  // CHECK: tine.permute %{{.*}} [2, 0, 1] : {{(!tine.tile)?<}}[2, s0, 4], f32> to {{(!tine.tile)?<}}[4, 2, s0], f32>
  %0 = tine.permute %a [2, 0, 1] : !tine.tile<[2, s0, 4], f32> to !tine.tile<[4, 2, s0], f32>
  return
}
