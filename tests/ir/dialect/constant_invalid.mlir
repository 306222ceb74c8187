// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @tile() {
  // expected-error@+1 {{result #0 must be an element type}}
  %a = tine.constant dense<0.0> : tensor<4xf32>
  return
}

// -----
func.func @type() {
  // expected-error@+1 {{failed to verify that all of {value, result} have same type}}
  %a = "tine.constant"() {value = 1.0 : f32} : () -> f64
  return
}
