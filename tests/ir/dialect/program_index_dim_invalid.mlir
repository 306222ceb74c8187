// RUN: tine-opt %s --split-input-file --verify-diagnostics

tine.kernel @dim grid [4] symbols [] sources [] params [] overlaps [] {
^bb0:
  // expected-error@+1 {{}}
  %a = tine.program_index 1
}
