// RUN: tine-opt %s --split-input-file --verify-diagnostics

#x = #tine.source<name = "x", type = f16, rank = 2, unit = [1], contiguous = true, align = 16>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#p = #tine.param<source = 0, levels = [array<i64>, array<i64: 2, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#t = #tine.layout<[2, 8], register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0]], warp = []>
tine.kernel @Order grid [] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
  %m = tine.shared_alloc : !tine.memory<[2, 8], f16>
  %c = tine.constant true
  // expected-error@+1 {{names each dim once}}
  tine.copy_async %x[], %m when %c order [0, 0] by #t : !tine.memory<[2, 8], f16>
}

// -----
#x = #tine.source<name = "x", type = f16, rank = 2, unit = [1], contiguous = true, align = 16>
#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#p = #tine.param<source = 0, levels = [array<i64>, array<i64: 2, 8>], coords = #ij, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#t = #tine.layout<[2, 8], register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0]], warp = []>
tine.kernel @Shape grid [] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
  %m = tine.shared_alloc : !tine.memory<[2, 8], f16>
  %c = tine.constant true
  // expected-error@+1 {{does not have the tile's shape}}
  tine.copy_async %x[], %m when %c order [1, 0] by #t : !tine.memory<[2, 8], f16>
}
