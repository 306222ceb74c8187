// RUN: tine-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{a tile has at least one dim; a value without dims is a scalar}}
func.func private @no_dims(!tine.tile<[], f32>)

// -----
// expected-error@+1 {{'si32' is not an element type}}
func.func private @signed(!tine.tile<[4], si32>)

// -----
// expected-error@+1 {{'i24' is not an element type}}
func.func private @odd_width(!tine.tile<[4], i24>)

// -----
// expected-error@+1 {{'ui1' is not an element type}}
func.func private @unsigned_bool(!tine.tile<[4], ui1>)

// -----
// expected-error@+1 {{'f80' is not an element type}}
func.func private @wide_float(!tine.tile<[4], f80>)

// -----
// expected-error@+1 {{a dim is not negative}}
func.func private @negative(!tine.tile<[-1], f32>)

// -----
// expected-error@+1 {{a dim is a number or a symbol like s0}}
func.func private @not_a_symbol(!tine.tile<[size], f32>)

// -----
// expected-error@+1 {{a dim is a number or a symbol like s0}}
func.func private @no_number(!tine.tile<[s], f32>)
