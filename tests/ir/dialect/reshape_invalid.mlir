// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @type(%a: vector<4xf32>) {
  // expected-error@+1 {{must be a tile or a scalar}}
  %0 = tine.reshape %a : vector<4xf32> to !tine.tile<[4], f32>
  return
}

// -----
func.func @count(%a: !tine.tile<[2, 6], f32>) {
  // expected-error@+1 {{makes 15 elements of 12}}
  %0 = tine.reshape %a : !tine.tile<[2, 6], f32> to !tine.tile<[3, 5], f32>
  return
}

// -----
func.func @element(%a: !tine.tile<[2, 6], f32>) {
  // expected-error@+1 {{keeps the element type}}
  %0 = tine.reshape %a : !tine.tile<[2, 6], f32> to !tine.tile<[12], f16>
  return
}
