// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @shape(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{changes the element type only}}
  %0 = tine.cast %a : !tine.tile<[4], f32> to !tine.tile<[5], f16>
  return
}

// -----
func.func @rank(%a: !tine.tile<[1], f32>) {
  // expected-error@+1 {{changes the element type only}}
  %0 = tine.cast %a : !tine.tile<[1], f32> to f16
  return
}
