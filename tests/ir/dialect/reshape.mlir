// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @reshapes
func.func @reshapes(%a: !tine.tile<[2, 6], f32>, %b: !tine.tile<[s0], f32>, %c: f32) {
  // CHECK: tine.reshape %{{.*}} : !tine.tile<[2, 6], f32> to !tine.tile<[3, 4], f32>
  %0 = tine.reshape %a : !tine.tile<[2, 6], f32> to !tine.tile<[3, 4], f32>
  // CHECK: tine.reshape %{{.*}} : !tine.tile<[s0], f32> to !tine.tile<[1, s0, 1], f32>
  %1 = tine.reshape %b : !tine.tile<[s0], f32> to !tine.tile<[1, s0, 1], f32>
  // CHECK: tine.reshape %{{.*}} : f32 to !tine.tile<[1], f32>
  %2 = tine.reshape %c : f32 to !tine.tile<[1], f32>
  return
}
