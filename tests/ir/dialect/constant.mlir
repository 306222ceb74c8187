// Scalars of every kind of element type.
// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: tine.constant true
  %a = tine.constant true
  // CHECK: tine.constant -3 : i32
  %b = tine.constant -3 : i32
  // CHECK: tine.constant 255 : ui8
  %c = tine.constant 255 : ui8
  // CHECK: tine.constant 1.500000e+00 : f16
  %d = tine.constant 1.5 : f16
  // CHECK: tine.constant 1.000000e+00 : f8E4M3FN
  %e = tine.constant 1.0 : f8E4M3FN
  // CHECK: tine.constant 0xFF800000 : f32
  %f = tine.constant 0xFF800000 : f32
  return
}
