// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @count(%a: !tine.tile<[2, 6], f32>) {
  // expected-error@+1 {{}}
  %0 = tine.reshape %a : !tine.tile<[2, 6], f32> to !tine.tile<[3, 5], f32>
  return
}

// -----
func.func @element(%a: !tine.tile<[2, 6], f32>) {
  // expected-error@+1 {{}}
  %0 = tine.reshape %a : !tine.tile<[2, 6], f32> to !tine.tile<[12], f16>
  return
}
