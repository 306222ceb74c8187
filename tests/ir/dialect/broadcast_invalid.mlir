// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @element(%a: !tine.tile<[1], f32>) {
  // expected-error@+1 {{keeps the element type}}
  %0 = tine.broadcast %a : !tine.tile<[1], f32> to !tine.tile<[4], f16>
  return
}

// -----
func.func @drops(%a: !tine.tile<[1, 4], f32>) {
  // expected-error@+1 {{drops dims}}
  %0 = tine.broadcast %a : !tine.tile<[1, 4], f32> to !tine.tile<[4], f32>
  return
}

// -----
func.func @size(%a: !tine.tile<[3, 4], f32>) {
  // expected-error@+1 {{dim 0 of the operand is neither 1 nor the result's}}
  %0 = tine.broadcast %a : !tine.tile<[3, 4], f32> to !tine.tile<[5, 4], f32>
  return
}
