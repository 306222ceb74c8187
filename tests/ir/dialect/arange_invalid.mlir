// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @scalar() {
  // expected-error@+1 {{must be a value of one element type and a shape of at least one dim}}
  %0 = "tine.arange"() : () -> i32
  return
}

// -----
func.func @rank() {
  // expected-error@+1 {{counts along one dim}}
  %0 = tine.arange : !tine.tile<[2, 2], i32>
  return
}
