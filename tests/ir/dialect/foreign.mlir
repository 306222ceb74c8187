// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @calls
func.func @calls(%a: !tine.tile<[4, s0], f32>, %n: !tine.tile<[4, s0], ui8>, %s: f16) {
  // CHECK: tine.foreign "gelu"(%{{.*}}) source "__device__ float gelu(float x) { return x; }" at "k.hpp" line 12 : (!tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], f32>
  %0 = tine.foreign "gelu"(%a) source "__device__ float gelu(float x) { return x; }" at "k.hpp" line 12 : (!tine.tile<[4, s0], f32>) -> !tine.tile<[4, s0], f32>
  // CHECK: tine.foreign "n::g<4>"(%{{.*}}, %{{.*}}) source "..." at "" line 0 : (!tine.tile<[4, s0], f32>, !tine.tile<[4, s0], ui8>) -> !tine.tile<[4, s0], i1>
  %1 = tine.foreign "n::g<4>"(%a, %n) source "..." at "" line 0 : (!tine.tile<[4, s0], f32>, !tine.tile<[4, s0], ui8>) -> !tine.tile<[4, s0], i1>
  // CHECK: tine.foreign "zero"() source "" at "" line 0 : () -> f16
  %2 = tine.foreign "zero"() source "" at "" line 0 : () -> f16
  return
}
