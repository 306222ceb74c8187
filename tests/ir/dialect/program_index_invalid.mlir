// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @type() {
  // expected-error@+1 {{result #0 must be 64-bit signless integer}}
  %a = "tine.program_index"() {dim = 0 : i64} : () -> i32
  return
}

// -----
tine.kernel @dim grid [4] symbols [] sources [] params [] overlaps [] {
^bb0:
  // expected-error@+1 {{the grid has no dim 1}}
  %a = tine.program_index 1
}

// -----
func.func @outside() {
  // expected-error@+1 {{stands outside a tine.kernel}}
  %a = tine.program_index 0
  return
}
