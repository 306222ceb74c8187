// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: func.func @aranges
func.func @aranges() {
  // CHECK: tine.arange : {{(!tine.tile)?<}}[7], i32>
  %0 = tine.arange : !tine.tile<[7], i32>
  // CHECK: tine.arange : {{(!tine.tile)?<}}[s3], i64>
  %1 = tine.arange : !tine.tile<[s3], i64>
  return
}
