// A guarded store of a scalar at a falling address. LLVM must not verify that one round of `instcombine` is enough: where
// it is not, that ends the process.
// RUN: tine-compile %s cpu:x86-64-v3 asm | FileCheck %s
// CHECK: tine_entry:

#y = #tine.source<name = "y", type = i64, rank = 2, unit = [1], contiguous = false, align = 8>
#at = affine_map<(p, k)[s0, s1, s2, s3] -> (p * -3 + k, p * 4 + k * 4)>
#size = affine_map<(p, k)[s0, s1, s2, s3] -> (1, 2)>
#none = affine_map<(p, k)[s0, s1, s2, s3] -> ()>
#py = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: -3>, array<i64>], coords = #at, linear = #none, bounds = #at, limits = #size, low = [1, 1], other = 0.0 : f64>
tine.kernel @Guarded grid [s0] symbols ["a", "b", "c", "d"] sources [#y] params [#py] overlaps [] {
^bb0(%y: !tine.view):
  %k = tine.constant 1 : i64
  %value = tine.constant -5 : i64
  %limit = tine.constant -3 : i64
  %low = tine.elementwise "lt"(%value, %limit) : (i64, i64) -> i1
  scf.if %low {
    tine.store %value, %y[%k] : i64
  }
}
