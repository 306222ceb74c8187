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

// -----
func.func @any_of_floats(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{`any` is of i1}}
  %0 = tine.reduce "any"(%a) axes [0] : !tine.tile<[4], f32> to f32
  return
}

// -----
func.func @argmax(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{`argmax` gives a position, an integer}}
  %0 = tine.reduce "argmax"(%a) axes [0] : !tine.tile<[4], f32> to f32
  return
}

// -----
func.func @sum(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{`sum` of floats is a float, of integers an integer}}
  %0 = tine.reduce "sum"(%a) axes [0] : !tine.tile<[4], f32> to i32
  return
}

// -----
func.func @all_of_floats(%a: !tine.tile<[4], f32>) {
  // expected-error@+1 {{`all` is of i1}}
  %0 = tine.reduce "all"(%a) axes [0] : !tine.tile<[4], f32> to i1
  return
}

// -----
func.func @max_widens(%a: !tine.tile<[4], f16>) {
  // expected-error@+1 {{`max` keeps the element type}}
  %0 = tine.reduce "max"(%a) axes [0] : !tine.tile<[4], f16> to f32
  return
}

// -----
func.func @prod(%a: !tine.tile<[4], i32>) {
  // expected-error@+1 {{`prod` of floats is a float, of integers an integer}}
  %0 = tine.reduce "prod"(%a) axes [0] : !tine.tile<[4], i32> to f32
  return
}
