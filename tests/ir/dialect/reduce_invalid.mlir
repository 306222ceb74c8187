// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @kind(%a: !tine.tile<[4, 8], f32>) {
  // expected-error@+1 {{does not know `mean`}}
  %0 = tine.reduce "mean"(%a) axes [1] : !tine.tile<[4, 8], f32> to !tine.tile<[4], f32>
  return
}

// -----
func.func @none(%a: !tine.tile<[4, 8], f32>) {
  // expected-error@+1 {{names axes of the operand, each once}}
  %0 = tine.reduce "sum"(%a) axes [] : !tine.tile<[4, 8], f32> to !tine.tile<[4, 8], f32>
  return
}

// -----
func.func @out_of_range(%a: !tine.tile<[4, 8], f32>) {
  // expected-error@+1 {{names axes of the operand, each once}}
  %0 = tine.reduce "sum"(%a) axes [2] : !tine.tile<[4, 8], f32> to !tine.tile<[4, 8], f32>
  return
}

// -----
func.func @twice(%a: !tine.tile<[4, 8], f32>) {
  // expected-error@+1 {{names axes of the operand, each once}}
  %0 = tine.reduce "sum"(%a) axes [1, 1] : !tine.tile<[4, 8], f32> to !tine.tile<[4], f32>
  return
}

// -----
func.func @rest(%a: !tine.tile<[4, 8], f32>) {
  // expected-error@+1 {{the result keeps the other dims}}
  %0 = tine.reduce "sum"(%a) axes [1] : !tine.tile<[4, 8], f32> to !tine.tile<[8], f32>
  return
}
