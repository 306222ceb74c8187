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

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @valid_indices grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  // expected-error@+1 {{needs 1 indices, has 0}}
  %t = tine.valid %x[] : !tine.tile<[8], i1>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @valid_shape grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  // expected-error@+1 {{'!tine.tile<[4], i1>' does not have the tile's shape}}
  %t = tine.valid %x[%k] : !tine.tile<[4], i1>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @valid_element grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  // expected-error@+1 {{tells yes or no: its elements are i1}}
  %t = tine.valid %x[%k] : !tine.tile<[8], f32>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @offsets_dim grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  // expected-error@+1 {{the source has 2 dims, none is 2}}
  %t = tine.offsets %x dim 2 [%k] : !tine.tile<[8], i64>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @offsets_element grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  // expected-error@+1 {{gives positions: its elements are i64}}
  %t = tine.offsets %x dim 1 [%k] : !tine.tile<[8], i32>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @offsets_shape grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  // expected-error@+1 {{'!tine.tile<[9], i64>' does not have the tile's shape}}
  %t = tine.offsets %x dim 1 [%k] : !tine.tile<[9], i64>
}
