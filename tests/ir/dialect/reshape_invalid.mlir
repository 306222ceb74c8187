// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @type(%a: vector<4xf32>) {
  // expected-error@+1 {{must be a tile or a scalar}}
  %0 = tine.reshape %a : vector<4xf32> to !tine.tile<[4], f32>
  return
}
