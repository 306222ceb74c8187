// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @type() {
  // expected-error@+1 {{result #0 must be 64-bit signless integer}}
  %a = "tine.program_index"() {dim = 0 : i64} : () -> i32
  return
}
