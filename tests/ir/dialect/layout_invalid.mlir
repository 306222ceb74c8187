// RUN: tine-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{the sizes of a layout are powers of two, not 3}}
func.func private @odd() attributes {l = #tine.layout<[3], lane = [[1]]>}

// -----
// expected-error@+1 {{a layout has no input `thread`}}
func.func private @input() attributes {l = #tine.layout<[4], thread = [[1]]>}

// -----
// expected-error@+1 {{a basis has one number for each dim}}
func.func private @rank() attributes {l = #tine.layout<[4, 4], lane = [[1]]>}

// -----
// expected-error@+1 {{a basis leads out of the tile}}
func.func private @out() attributes {l = #tine.layout<[4, 4], lane = [[4, 0]]>}

// -----
// expected-error@+1 {{the layout has 1 dims, the tile 2}}
func.func private @dims(!tine.tile<[2, 2], f32, #tine.layout<[4], lane = [[1]]>>)

// -----
// expected-error@+1 {{dim 0 of the tile is larger than the layout's}}
func.func private @small(!tine.tile<[5], f32, #tine.layout<[4], lane = [[1]]>>)

// -----
// expected-error@+1 {{a layout of 2^80 elements is too large}}
func.func private @huge() attributes {l = #tine.layout<[1099511627776, 1099511627776], lane = []>}

// -----
// expected-error@+1 {{a layout has at most 62 bits of inputs}}
func.func private @many() attributes {l = #tine.layout<[1], register = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]]>}
