// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @broadcasts
func.func @broadcasts(%s: f32, %row: !tine.tile<[s0], f32>, %column: !tine.tile<[4, 1], f32>) {
  // CHECK: tine.broadcast %{{.*}} : f32 to !tine.tile<[4, s0], f32>
  %0 = tine.broadcast %s : f32 to !tine.tile<[4, s0], f32>
  // CHECK: tine.broadcast %{{.*}} : !tine.tile<[s0], f32> to !tine.tile<[4, s0], f32>
  %1 = tine.broadcast %row : !tine.tile<[s0], f32> to !tine.tile<[4, s0], f32>
  // CHECK: tine.broadcast %{{.*}} : !tine.tile<[4, 1], f32> to !tine.tile<[4, s0], f32>
  %2 = tine.broadcast %column : !tine.tile<[4, 1], f32> to !tine.tile<[4, s0], f32>
  return
}
