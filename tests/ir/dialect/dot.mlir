// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @products
func.func @products(%a: !tine.tile<[4, s0], f16>, %b: !tine.tile<[s0, 8], f16>, %acc: !tine.tile<[4, 8], f32>,
                    %c: !tine.tile<[2, 4, 8], i8>, %d: !tine.tile<[2, 8, 4], ui8>, %e: !tine.tile<[4, 4], f32>) {
  // CHECK: tine.dot %{{.*}}, %{{.*}} : {{(!tine.tile)?<}}[4, s0], f16>, {{(!tine.tile)?<}}[s0, 8], f16> -> {{(!tine.tile)?<}}[4, 8], f32>
  %0 = tine.dot %a, %b : !tine.tile<[4, s0], f16>, !tine.tile<[s0, 8], f16> -> !tine.tile<[4, 8], f32>
  // CHECK: tine.dot %{{.*}}, %{{.*}}, %{{.*}} : {{(!tine.tile)?<}}[4, s0], f16>, {{(!tine.tile)?<}}[s0, 8], f16> -> {{(!tine.tile)?<}}[4, 8], f32>
  %1 = tine.dot %a, %b, %acc : !tine.tile<[4, s0], f16>, !tine.tile<[s0, 8], f16> -> !tine.tile<[4, 8], f32>
  // CHECK: tine.dot %{{.*}}, %{{.*}} : {{(!tine.tile)?<}}[2, 4, 8], i8>, {{(!tine.tile)?<}}[2, 8, 4], ui8> -> {{(!tine.tile)?<}}[2, 4, 4], i32>
  %2 = tine.dot %c, %d : !tine.tile<[2, 4, 8], i8>, !tine.tile<[2, 8, 4], ui8> -> !tine.tile<[2, 4, 4], i32>
  // CHECK: tine.dot %{{.*}}, %{{.*}}, %{{.*}} as "tf32" : <[4, 4], f32>, <[4, 4], f32> -> <[4, 4], f32>
  %3 = tine.dot %e, %e, %e as "tf32" : !tine.tile<[4, 4], f32>, !tine.tile<[4, 4], f32> -> !tine.tile<[4, 4], f32>
  // CHECK: tine.dot %{{.*}}, %{{.*}} as "tf32x3" :
  %4 = tine.dot %e, %e as "tf32x3" : !tine.tile<[4, 4], f32>, !tine.tile<[4, 4], f32> -> !tine.tile<[4, 4], f32>
  return
}
