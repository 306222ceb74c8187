// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @count(%a: !tine.tile<[2, 4], f32>) {
  // expected-error@+1 {{names each dim once}}
  %0 = tine.permute %a [1] : !tine.tile<[2, 4], f32> to !tine.tile<[4, 2], f32>
  return
}

// -----
func.func @twice(%a: !tine.tile<[2, 2], f32>) {
  // expected-error@+1 {{names each dim once}}
  %0 = tine.permute %a [1, 1] : !tine.tile<[2, 2], f32> to !tine.tile<[2, 2], f32>
  return
}

// -----
func.func @out_of_range(%a: !tine.tile<[2, 2], f32>) {
  // expected-error@+1 {{names each dim once}}
  %0 = tine.permute %a [0, 2] : !tine.tile<[2, 2], f32> to !tine.tile<[2, 2], f32>
  return
}

// -----
func.func @size(%a: !tine.tile<[2, 4], f32>) {
  // expected-error@+1 {{dim 0 of the result has another size}}
  %0 = tine.permute %a [1, 0] : !tine.tile<[2, 4], f32> to !tine.tile<[2, 4], f32>
  return
}
