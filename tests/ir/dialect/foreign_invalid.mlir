// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @shape(%a: !tine.tile<[4], f32>, %b: !tine.tile<[8], f32>) {
  // expected-error@+1 {{argument '!tine.tile<[8], f32>' does not have the result's shape}}
  %0 = tine.foreign "f"(%a, %b) source "" at "" line 0 : (!tine.tile<[4], f32>, !tine.tile<[8], f32>) -> !tine.tile<[4], f32>
  return
}

// -----
func.func @fp8(%a: !tine.tile<[4], f8E4M3FN>) {
  // expected-error@+1 {{takes and gives no fp8}}
  %0 = tine.foreign "f"(%a) source "" at "" line 0 : (!tine.tile<[4], f8E4M3FN>) -> !tine.tile<[4], f32>
  return
}
