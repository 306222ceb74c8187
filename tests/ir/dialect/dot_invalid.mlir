// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @rank(%a: !tine.tile<[4], f32>, %b: !tine.tile<[4], f32>) {
  // expected-error@+1 {{takes tiles of the same rank, at least 2}}
  %0 = tine.dot %a, %b : !tine.tile<[4], f32>, !tine.tile<[4], f32> -> !tine.tile<[4], f32>
  return
}

// -----
func.func @ranks(%a: !tine.tile<[4, 4], f32>, %b: !tine.tile<[1, 4, 4], f32>) {
  // expected-error@+1 {{takes tiles of the same rank, at least 2}}
  %0 = tine.dot %a, %b : !tine.tile<[4, 4], f32>, !tine.tile<[1, 4, 4], f32> -> !tine.tile<[4, 4], f32>
  return
}

// -----
func.func @batch(%a: !tine.tile<[2, 4, 8], f32>, %b: !tine.tile<[3, 8, 4], f32>) {
  // expected-error@+1 {{batch dim 0 differs}}
  %0 = tine.dot %a, %b : !tine.tile<[2, 4, 8], f32>, !tine.tile<[3, 8, 4], f32> -> !tine.tile<[2, 4, 4], f32>
  return
}

// -----
func.func @contracted(%a: !tine.tile<[4, 8], f32>, %b: !tine.tile<[7, 4], f32>) {
  // expected-error@+1 {{the contracted dims differ}}
  %0 = tine.dot %a, %b : !tine.tile<[4, 8], f32>, !tine.tile<[7, 4], f32> -> !tine.tile<[4, 4], f32>
  return
}

// -----
func.func @result(%a: !tine.tile<[4, 8], f32>, %b: !tine.tile<[8, 5], f32>) {
  // expected-error@+1 {{the result is not m x n}}
  %0 = tine.dot %a, %b : !tine.tile<[4, 8], f32>, !tine.tile<[8, 5], f32> -> !tine.tile<[5, 4], f32>
  return
}

// -----
func.func @accumulator(%a: !tine.tile<[4, 8], f16>, %b: !tine.tile<[8, 5], f16>, %c: !tine.tile<[4, 5], f16>) {
  // expected-error@+1 {{the accumulator has the result's type}}
  %0 = "tine.dot"(%a, %b, %c) : (!tine.tile<[4, 8], f16>, !tine.tile<[8, 5], f16>, !tine.tile<[4, 5], f16>) -> !tine.tile<[4, 5], f32>
  return
}

// -----
func.func @precision(%a: !tine.tile<[4, 4], f32>) {
  // expected-error@+1 {{does not know the precision `fast`}}
  %0 = tine.dot %a, %a as "fast" : !tine.tile<[4, 4], f32>, !tine.tile<[4, 4], f32> -> !tine.tile<[4, 4], f32>
  return
}
