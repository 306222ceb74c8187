// RUN: tine-opt %s --split-input-file --verify-diagnostics

#a = #tine.layout<[4], register = [[1]], lane = [[2]]>
func.func @converted(%x: !tine.tile<[4], f32, #a>) {
  // expected-error@+1 {{changes the layout only}}
  %0 = tine.convert_layout %x : !tine.tile<[4], f32, #a> to !tine.tile<[4], i32, #a>
  return
}

// -----
#a = #tine.layout<[4], register = [[1]], lane = [[2]]>
func.func @bare(%x: !tine.tile<[4], f32>) {
  // expected-error@+1 {{needs both layouts}}
  %0 = tine.convert_layout %x : !tine.tile<[4], f32> to !tine.tile<[4], f32, #a>
  return
}

// -----
func.func @stored(%x: !tine.tile<[4], f32>, %m: !tine.memory<[2, 2], f32>) {
  // expected-error@+1 {{the memory is of another tile}}
  tine.shared_store %x, %m : !tine.tile<[4], f32>, !tine.memory<[2, 2], f32>
  return
}

// -----
func.func @loaded(%m: !tine.memory<[4], f32>) {
  // expected-error@+1 {{the memory is of another tile}}
  %0 = tine.shared_load %m : !tine.memory<[4], f32> to !tine.tile<[4], i32>
  return
}
