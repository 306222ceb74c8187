// RUN: tine-opt %s --tine-accumulate-products | FileCheck %s

// A product with one use in a sum takes the other side as its accumulator, whichever side it stands on.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[A:.*]]: !tine.tile<[4, 8], f32>, %[[B:.*]]: !tine.tile<[8, 16], f32>, %[[ACC:.*]]: !tine.tile<[4, 16], f32>)
// CHECK-NEXT: %[[RIGHT:.*]] = tine.dot %[[A]], %[[B]], %[[ACC]] :
// CHECK-NEXT: %[[LEFT:.*]] = tine.dot %[[A]], %[[B]], %[[RIGHT]]
// CHECK-NEXT: return %[[LEFT]]
func.func @sums(%a: !tine.tile<[4, 8], f32>, %b: !tine.tile<[8, 16], f32>, %acc: !tine.tile<[4, 16], f32>) -> !tine.tile<[4, 16], f32> {
  %d = tine.dot %a, %b : !tine.tile<[4, 8], f32>, !tine.tile<[8, 16], f32> -> !tine.tile<[4, 16], f32>
  %s = tine.elementwise "add"(%acc, %d) : (!tine.tile<[4, 16], f32>, !tine.tile<[4, 16], f32>) -> !tine.tile<[4, 16], f32>
  %e = tine.dot %a, %b : !tine.tile<[4, 8], f32>, !tine.tile<[8, 16], f32> -> !tine.tile<[4, 16], f32>
  %t = tine.elementwise "add"(%e, %s) : (!tine.tile<[4, 16], f32>, !tine.tile<[4, 16], f32>) -> !tine.tile<[4, 16], f32>
  return %t : !tine.tile<[4, 16], f32>
}

// One that is used elsewhere too must be computed by itself.
// CHECK-LABEL: func.func @two_uses(
// CHECK: %[[D:.*]] = tine.dot %{{.*}}, %{{.*}} : <[4, 8], f32>
// CHECK-NEXT: %[[S:.*]] = tine.elementwise "add"(%{{.*}}, %[[D]])
// CHECK-NEXT: return %[[S]], %[[D]]
func.func @two_uses(%a: !tine.tile<[4, 8], f32>, %b: !tine.tile<[8, 16], f32>, %acc: !tine.tile<[4, 16], f32>) -> (!tine.tile<[4, 16], f32>, !tine.tile<[4, 16], f32>) {
  %d = tine.dot %a, %b : !tine.tile<[4, 8], f32>, !tine.tile<[8, 16], f32> -> !tine.tile<[4, 16], f32>
  %s = tine.elementwise "add"(%acc, %d) : (!tine.tile<[4, 16], f32>, !tine.tile<[4, 16], f32>) -> !tine.tile<[4, 16], f32>
  return %s, %d : !tine.tile<[4, 16], f32>, !tine.tile<[4, 16], f32>
}

// What precision the product may have stays.
// CHECK-LABEL: func.func @precision(
// CHECK: tine.dot %{{.*}}, %{{.*}}, %{{.*}} as "tf32x3"
func.func @precision(%a: !tine.tile<[8, 8], f32>, %acc: !tine.tile<[8, 8], f32>) -> !tine.tile<[8, 8], f32> {
  %d = tine.dot %a, %a as "tf32x3" : !tine.tile<[8, 8], f32>, !tine.tile<[8, 8], f32> -> !tine.tile<[8, 8], f32>
  %s = tine.elementwise "add"(%acc, %d) : (!tine.tile<[8, 8], f32>, !tine.tile<[8, 8], f32>) -> !tine.tile<[8, 8], f32>
  return %s : !tine.tile<[8, 8], f32>
}
