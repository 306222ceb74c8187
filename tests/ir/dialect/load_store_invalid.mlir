// RUN: tine-opt %s --split-input-file --verify-diagnostics

func.func @outside(%x: !tine.view) {
  // expected-error@+1 {{stands outside a tine.kernel}}
  %t = tine.load %x[] : f32
  return
}

// -----
tine.kernel @not_a_parameter grid [] symbols [] sources [] params [] overlaps [] {
^bb0:
  %v = builtin.unrealized_conversion_cast to !tine.view
  // expected-error@+1 {{the view is not a parameter of the kernel}}
  %t = tine.load %v[] : f32
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @load_indices grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  // expected-error@+1 {{needs 1 indices, has 0}}
  %t = tine.load %x[] : !tine.tile<[8], f32>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @load_shape grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  // expected-error@+1 {{'!tine.tile<[4], f32>' does not have the tile's shape}}
  %t = tine.load %x[%k] : !tine.tile<[4], f32>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @load_element grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  // expected-error@+1 {{'!tine.tile<[8], f16>' does not have the parameter's element type}}
  %t = tine.load %x[%k] : !tine.tile<[8], f16>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @store_shape grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  %s = tine.constant 0.0 : f32
  // expected-error@+1 {{'f32' does not have the tile's shape}}
  tine.store %s, %x[%k] : f32
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @store_element grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  %s = tine.constant 0 : i32
  %t = tine.broadcast %s : i32 to !tine.tile<[8], i32>
  // expected-error@+1 {{'!tine.tile<[8], i32>' does not have the parameter's element type}}
  tine.store %t, %x[%k] : !tine.tile<[8], i32>
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [1], contiguous = true, align = 4>
#three = affine_map<(p, k, i)[s0, s1] -> (p, k * 8 + i)>
#linear = affine_map<(p, k, i)[s0, s1] -> ()>
#bound = affine_map<(p, k, i)[s0, s1] -> (k * 8 + i)>
#limit = affine_map<(p, k, i)[s0, s1] -> (s1)>
#px = #tine.param<source = 0, levels = [array<i64: -1>, array<i64: 4>, array<i64: 8>], coords = #three, linear = #linear, bounds = #bound,
                  limits = #limit, low = [0], other = 0.0 : f64>
tine.kernel @store_indices grid [s0] symbols ["n", "m"] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %k = tine.constant 0 : i64
  %t = tine.load %x[%k] : !tine.tile<[8], f32>
  // expected-error@+1 {{needs 1 indices, has 2}}
  tine.store %t, %x[%k, %k] : !tine.tile<[8], f32>
}
