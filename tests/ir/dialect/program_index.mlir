// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: tine.kernel @Indices
tine.kernel @Indices grid [s0, 3] symbols ["n"] sources [] params [] overlaps [] {
^bb0:
  // CHECK: tine.program_index 0
  %a = tine.program_index 0
  // CHECK: tine.program_index 1
  %b = tine.program_index 1
}
