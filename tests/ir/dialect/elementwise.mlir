// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @operations
func.func @operations(%a: !tine.tile<[4, s0], f32>, %b: !tine.tile<[4, s0], f32>, %m: !tine.tile<[4, s0], i1>, %s: i32) {
  // CHECK: tine.elementwise "add"(%{{.*}}, %{{.*}}) : (!tine.tile<[4, s0], f32>, !tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], f32>
  %0 = tine.elementwise "add"(%a, %b) : (!tine.tile<[4, s0], f32>, !tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], f32>
  // CHECK: tine.elementwise "lt"(%{{.*}}, %{{.*}}) : (!tine.tile<[4, s0], f32>, !tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], i1>
  %1 = tine.elementwise "lt"(%a, %b) : (!tine.tile<[4, s0], f32>, !tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], i1>
  // CHECK: tine.elementwise "where"(%{{.*}}, %{{.*}}, %{{.*}}) : (!tine.tile<[4, s0], i1>, !tine.tile<[4, s0], f32>, !tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], f32>
  %2 = tine.elementwise "where"(%m, %a, %b) : (!tine.tile<[4, s0], i1>, !tine.tile<[4, s0], f32>, !tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], f32>
  // CHECK: tine.elementwise "neg"(%{{.*}}) : (i32) -> i32
  %3 = tine.elementwise "neg"(%s) : (i32) -> i32
  return
}
