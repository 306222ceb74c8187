// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @any_of_floats(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{}}
  %0 = tine.reduce "any"(%a) axes [0] : !tine.tile<[4], f32> to f32
  return
}

// -----
func.func @argmax(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{}}
  %0 = tine.reduce "argmax"(%a) axes [0] : !tine.tile<[4], f32> to f32
  return
}

// -----
func.func @sum(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{}}
  %0 = tine.reduce "sum"(%a) axes [0] : !tine.tile<[4], f32> to i32
  return
}
