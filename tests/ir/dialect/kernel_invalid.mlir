// RUN: tine-opt %s --split-input-file --verify-diagnostics

#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = [array<i64: 4>], coords = #id, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// expected-error@+1 {{has 1 params and 2 views}}
tine.kernel @views grid [4] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = [array<i64: 4>], coords = #id, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// expected-error@+1 {{argument 0 is not a view}}
tine.kernel @argument grid [4] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: f32):
}

// -----
// expected-error@+1 {{grid names a symbol that does not exist}}
tine.kernel @grid grid [s1] symbols ["n"] sources [] params [] overlaps [] {
^bb0:
}

// -----
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = [array<i64: 4>], coords = #id, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// expected-error@+1 {{param 0 has no source 0}}
tine.kernel @source grid [4] symbols [] sources [] params [#p] overlaps [] {
^bb0(%x: !tine.view):
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = ["four"], coords = #id, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// expected-error@+1 {{levels of param 0 are not shapes}}
tine.kernel @levels grid [4] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = [array<i64: -2>], coords = #id, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// expected-error@+1 {{param 0 names a symbol that does not exist}}
tine.kernel @level_symbol grid [4] symbols ["n"] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 2, unit = [], contiguous = false, align = 4>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = [array<i64: 4>], coords = #id, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// expected-error@+1 {{coords of param 0 are not one for each source dim}}
tine.kernel @coords grid [4] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#two = affine_map<(i, j) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = [array<i64: 4>], coords = #two, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// expected-error@+1 {{a map of param 0 does not have one dim for each axis of its levels}}
tine.kernel @map_dims grid [4] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
}

// -----
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [], contiguous = false, align = 4>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#p = #tine.param<source = 0, levels = [array<i64: 4>], coords = #id, linear = #none, bounds = #id, limits = #id, low = [], other = 0.0 : f64>
// expected-error@+1 {{param 0 needs a limit and a low flag for each bound}}
tine.kernel @bounds grid [4] symbols [] sources [#x] params [#p] overlaps [] {
^bb0(%x: !tine.view):
}

// -----
// expected-error@+1 {{overlaps are pairs of sources}}
tine.kernel @odd grid [] symbols [] sources [] params [] overlaps [0] {
^bb0:
}

// -----
// expected-error@+1 {{overlaps are pairs of sources}}
tine.kernel @no_such_source grid [] symbols [] sources [] params [] overlaps [0, 1] {
^bb0:
}

// -----
// expected-error@+1 {{attribute 'sources' failed to satisfy constraint}}
tine.kernel @not_a_source grid [] symbols [] sources ["x"] params [] overlaps [] {
^bb0:
}

// -----
// expected-error@+1 {{attribute 'params' failed to satisfy constraint}}
tine.kernel @not_a_param grid [] symbols [] sources [] params [1] overlaps [] {
^bb0:
}
