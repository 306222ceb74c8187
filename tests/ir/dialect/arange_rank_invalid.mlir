// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @rank() {
  // expected-error@+1 {{}}
  %0 = tine.arange : !tine.tile<[2, 2], i32>
  return
}
