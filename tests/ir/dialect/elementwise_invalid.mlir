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
