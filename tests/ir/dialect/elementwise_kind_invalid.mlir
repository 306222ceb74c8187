// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @kind(%a: f32) {
  // expected-error@+1 {{does not know `frobnicate`}}
  %0 = tine.elementwise "frobnicate"(%a) : (f32) -> f32
  return
}

// -----
func.func @count(%a: f32) {
  // expected-error@+1 {{}}
  %0 = tine.elementwise "add"(%a) : (f32) -> f32
  return
}

// -----
func.func @types(%a: f32, %b: i32) {
  // expected-error@+1 {{}}
  %0 = tine.elementwise "add"(%a, %b) : (f32, i32) -> f32
  return
}

// -----
func.func @condition(%a: f32) {
  // expected-error@+1 {{}}
  %0 = tine.elementwise "where"(%a, %a, %a) : (f32, f32, f32) -> f32
  return
}
