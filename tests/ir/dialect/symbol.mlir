// RUN: tine-opt %s | tine-opt | FileCheck %s

// CHECK-LABEL: tine.kernel @Symbols
tine.kernel @Symbols grid [s0] symbols ["n", "m"] sources [] params [] overlaps [] {
^bb0:
  // CHECK: tine.symbol 0
  %a = tine.symbol 0
  // CHECK: tine.symbol 1
  %b = tine.symbol 1
}
