// 13 elements: lanes past the end hold the identity. Over nothing the result is the identity.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = i32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = i32, rank = 1, unit = [0], contiguous = true, align = 4>
#at = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 13>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#pz = #tine.param<source = 0, levels = [array<i64>, array<i64: 0>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 1>], coords = #at, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Max grid [] symbols [] sources [#x, #y] params [#px, #pz, #py] overlaps [] {
^bb0(%x: !tine.view, %z: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[13], i32>
  %s = tine.reduce "max"(%t) axes [0] : !tine.tile<[13], i32> to i32
  %e = tine.load %z[] : !tine.tile<[0], i32>
  %n = tine.reduce "max"(%e) axes [0] : !tine.tile<[0], i32> to i32
  %m = tine.elementwise "sub"(%s, %n) : (i32, i32) -> i32
  %b = tine.broadcast %m : i32 to !tine.tile<[1], i32>
  tine.store %b, %y[] : !tine.tile<[1], i32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[LOWEST:.*]] = arith.constant -2147483648 : i32
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, false, false, false]>
// CHECK: %[[LOWESTS:.*]] = arith.constant dense<-2147483648> : vector<8xi32>
// CHECK: %[[HEAD:.*]] = llvm.load %{{.*}} -> vector<8xi32>
// CHECK: %[[TAIL:.*]] = llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK-NEXT: %[[FILLED:.*]] = arith.select %[[MASK]], %[[TAIL]], %[[LOWESTS]]
// CHECK-NEXT: arith.maxsi %[[HEAD]], %[[FILLED]]
// CHECK: %[[MAX:.*]] = vector.extract
// CHECK-NEXT: %[[R:.*]] = arith.subi %[[MAX]], %[[LOWEST]]
// CHECK-NEXT: llvm.store %[[R]]
