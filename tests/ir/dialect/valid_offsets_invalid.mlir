// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @valid_view(%x: f32) {
  // expected-error@+1 {{operand #0 must be an arranged parameter, as the application sees it}}
  %t = "tine.valid"(%x) : (f32) -> i1
  return
}

// -----
func.func @offsets_index(%x: !tine.view, %k: i32) {
  // expected-error@+1 {{operand #1 must be variadic of 64-bit signless integer}}
  %t = "tine.offsets"(%x, %k) {dim = 0 : i64} : (!tine.view, i32) -> i64
  return
}
