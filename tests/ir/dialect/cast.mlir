// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @casts
func.func @casts(%a: !tine.tile<[4], f32>, %s: ui8) {
  // CHECK: tine.cast %{{.*}} : !tine.tile<[4], f32> to !tine.tile<[4], f8E5M2>
  %0 = tine.cast %a : !tine.tile<[4], f32> to !tine.tile<[4], f8E5M2>
  // CHECK: tine.cast %{{.*}} : ui8 to f64
  %1 = tine.cast %s : ui8 to f64
  return
}
