// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @type() {
  // expected-error@+1 {{result #0 must be 64-bit signless integer}}
  %a = "tine.symbol"() {number = 0 : i64} : () -> i32
  return
}

// -----
tine.kernel @number grid [] symbols ["n"] sources [] params [] overlaps [] {
^bb0:
  // expected-error@+1 {{the kernel has no symbol 1}}
  %a = tine.symbol 1
}

// -----
tine.kernel @negative grid [] symbols ["n"] sources [] params [] overlaps [] {
^bb0:
  // expected-error@+1 {{the kernel has no symbol -1}}
  %a = tine.symbol -1
}

// -----
func.func @outside() {
  // expected-error@+1 {{stands outside a tine.kernel}}
  %a = tine.symbol 0
  return
}
