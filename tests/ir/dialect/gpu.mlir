// Operations on tiles with layouts, and on shared memory.
// RUN: tine-opt %s | tine-opt | FileCheck %s

#a = #tine.layout<[4], register = [[1]], lane = [[2]]>
#b = #tine.layout<[4], register = [[2]], lane = [[1]]>
#m = #tine.layout<[4], offset = [[1], [2]]>
#warps = #tine.layout<[2], warp = [[1]]>

// CHECK-LABEL: func.func @exchange
func.func @exchange(%x: !tine.tile<[3], f32, #a>) -> !tine.tile<[3], f32, #b> {
  // CHECK: tine.convert_layout %{{.*}} : {{.*}}[3], f32, #{{.*}}> to {{.*}}[3], f32, #{{.*}}>
  %0 = tine.convert_layout %x : !tine.tile<[3], f32, #a> to !tine.tile<[3], f32, #b>
  // CHECK: %[[M:.*]] = tine.shared_alloc at 16 : {{(!tine.memory)?<}}[3], f32, #{{.*}}>
  %m = tine.shared_alloc at 16 : !tine.memory<[3], f32, #m>
  // CHECK: tine.shared_store %{{.*}}, %[[M]] zero
  tine.shared_store %0, %m zero : !tine.tile<[3], f32, #b>, !tine.memory<[3], f32, #m>
  // CHECK: tine.barrier between "a write" and "a read"
  tine.barrier between "a write" and "a read"
  // CHECK: tine.shared_load %[[M]]
  %1 = tine.shared_load %m : !tine.memory<[3], f32, #m> to !tine.tile<[3], f32, #b>
  return %1 : !tine.tile<[3], f32, #b>
}

// Without a layout the memory is one row of elements: it may be read under another shape.
// CHECK-LABEL: func.func @dense
func.func @dense(%m: !tine.memory<[3, 2], i8>) -> !tine.tile<[6], i8> {
  // CHECK: tine.shared_load %{{.*}} : {{(!tine.memory)?<}}[3, 2], i8> to {{(!tine.tile)?<}}[6], i8>
  %0 = tine.shared_load %m : !tine.memory<[3, 2], i8> to !tine.tile<[6], i8>
  return %0 : !tine.tile<[6], i8>
}

// CHECK-LABEL: func.func @reduction
func.func @reduction(%x: !tine.tile<[4], f32, #a>) -> i32 {
  // CHECK: tine.partial_reduce "argmax"(%{{.*}}) axes [0]
  %v, %p = "tine.partial_reduce"(%x) {kind = "argmax", axes = array<i64: 0>} : (!tine.tile<[4], f32, #a>) -> (!tine.tile<[2], f32, #warps>, !tine.tile<[2], i64, #warps>)
  // CHECK: tine.reduce "argmax"(%{{.*}}) axes [0] positions %{{.*}}
  %0 = tine.reduce "argmax"(%v) axes [0] positions %p : !tine.tile<[2], i64, #warps> : !tine.tile<[2], f32, #warps> to i32
  return %0 : i32
}
