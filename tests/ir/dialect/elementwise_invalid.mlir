// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @shape(%a: !tine.tile<[4], f32>, %b: !tine.tile<[8], f32>) {
  // expected-error@+1 {{operand '!tine.tile<[8], f32>' does not have the result's shape}}
  %0 = tine.elementwise "add"(%a, %b) : (!tine.tile<[4], f32>, !tine.tile<[8], f32>) -> !tine.tile<[4], f32>
  return
}

// -----
func.func @scalar_operand(%a: !tine.tile<[4], f32>, %b: f32) {
  // expected-error@+1 {{operand 'f32' does not have the result's shape}}
  %0 = tine.elementwise "add"(%a, %b) : (!tine.tile<[4], f32>, f32) -> !tine.tile<[4], f32>
  return
}

// -----
func.func @type(%a: vector<4xf32>) {
  // expected-error@+1 {{must be variadic of a tile or a scalar}}
  %0 = tine.elementwise "neg"(%a) : (vector<4xf32>) -> f32
  return
}

// -----
func.func @kind(%a: f32) {
  // expected-error@+1 {{does not know `frobnicate`}}
  %0 = tine.elementwise "frobnicate"(%a) : (f32) -> f32
  return
}

// -----
func.func @count(%a: f32) {
  // expected-error@+1 {{`add` takes 2 operands, not 1}}
  %0 = tine.elementwise "add"(%a) : (f32) -> f32
  return
}

// -----
func.func @types(%a: f32, %b: i32) {
  // expected-error@+1 {{the operands have one element type}}
  %0 = tine.elementwise "add"(%a, %b) : (f32, i32) -> f32
  return
}

// -----
func.func @condition(%a: f32) {
  // expected-error@+1 {{the condition of `where` is i1}}
  %0 = tine.elementwise "where"(%a, %a, %a) : (f32, f32, f32) -> f32
  return
}

// -----
func.func @result(%a: f32) {
  // expected-error@+1 {{the result has the operands' element type}}
  %0 = tine.elementwise "neg"(%a) : (f32) -> i32
  return
}

// -----
func.func @flag(%a: f32) {
  // expected-error@+1 {{`lt` gives i1}}
  %0 = tine.elementwise "lt"(%a, %a) : (f32, f32) -> f32
  return
}

// -----
func.func @choices(%c: i1, %a: f32, %b: f64) {
  // expected-error@+1 {{the operands have one element type}}
  %0 = tine.elementwise "where"(%c, %a, %b) : (i1, f32, f64) -> f32
  return
}
