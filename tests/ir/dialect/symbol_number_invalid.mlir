// RUN: tine-opt %s --split-input-file --verify-diagnostics

tine.kernel @number grid [] symbols ["n"] sources [] params [] overlaps [] {
^bb0:
  // expected-error@+1 {{}}
  %a = tine.symbol 1
}

// -----
tine.kernel @negative grid [] symbols ["n"] sources [] params [] overlaps [] {
^bb0:
  // expected-error@+1 {{}}
  %a = tine.symbol -1
}

// -----
func.func @outside() {
  // expected-error@+1 {{stands outside a tine.kernel}}
  %a = tine.symbol 0
  return
}
