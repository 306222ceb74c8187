// A kernel: its grid, symbols, sources, params and overlaps.
// RUN: tine-opt %s | tine-opt | FileCheck %s

#pairs = affine_map<(p, q, i, j)[s0, s1, s2] -> (p * 4 + i, q * 8 + j)>
#sizes = affine_map<(p, q, i, j)[s0, s1, s2] -> (s1, s2)>
#none4 = affine_map<(p, q, i, j)[s0, s1, s2] -> ()>
#none0 = affine_map<()[s0, s1, s2] -> ()>
#a = #tine.source<name = "a", type = f16, rank = 2, unit = [1], contiguous = false, align = 2>
#n = #tine.source<name = "n", type = ui8, rank = 0, unit = [], contiguous = false, align = 1>
#pa = #tine.param<source = 0, levels = [array<i64: -1, 3>, array<i64: 4, 8>], coords = #pairs, linear = #none4, bounds = #pairs, limits = #sizes,
                  low = [0, 1], other = 1.0 : f64>
#pn = #tine.param<source = 1, levels = [array<i64>], coords = #none0, linear = #none0, bounds = #none0, limits = #none0, low = [], other = 0.0 : f64>

// CHECK-LABEL: tine.kernel @All grid [s0, 3] symbols ["cdiv(a.size0, 4)", "a.size0", "a.size1"]
// CHECK-SAME: sources [#tine.source<name = "a", type = f16, rank = 2, unit = [1], contiguous = false, align = 2>,
// CHECK-SAME: #tine.source<name = "n", type = ui8, rank = 0, unit = [], contiguous = false, align = 1>]
// CHECK-SAME: levels = [array<i64: -1, 3>, array<i64: 4, 8>]
// CHECK-SAME: low = [0, 1], other = 1.000000e+00 : f64
// CHECK-SAME: overlaps [0, 0, 0, 1] {
tine.kernel @All grid [s0, 3] symbols ["cdiv(a.size0, 4)", "a.size0", "a.size1"] sources [#a, #n] params [#pa, #pn] overlaps [0, 0, 0, 1] {
^bb0(%a: !tine.view, %n: !tine.view):
  // CHECK: ^bb0(%{{.*}}: !tine.view, %{{.*}}: !tine.view):
}

// One program, nothing to see.
// CHECK-LABEL: tine.kernel @Empty grid [] symbols [] sources [] params [] overlaps [] {
tine.kernel @Empty grid [] symbols [] sources [] params [] overlaps [] {
^bb0:
}
