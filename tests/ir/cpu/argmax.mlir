// Value and position travel together; over nothing the position is 0.
// RUN: tine-opt %s --tine-cpu-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s

#x = #tine.source<name = "x", type = i32, rank = 1, unit = [0], contiguous = true, align = 4>
#y = #tine.source<name = "y", type = i32, rank = 1, unit = [0], contiguous = true, align = 4>
#i = affine_map<(i)[s0] -> (i)>
#none = affine_map<(i)[s0] -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: -1>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
#py = #tine.param<source = 1, levels = [array<i64>, array<i64: 1>], coords = #i, linear = #i, bounds = #none, limits = #none, low = [], other = 0.0 : f64>

tine.kernel @Argmax grid [] symbols ["x.size0"] sources [#x, #y] params [#px, #py] overlaps [] {
^bb0(%x: !tine.view, %y: !tine.view):
  %t = tine.load %x[] : !tine.tile<[s0], i32>
  %a = tine.reduce "argmax"(%t) axes [0] : !tine.tile<[s0], i32> to i32
  %b = tine.broadcast %a : i32 to !tine.tile<[1], i32>
  tine.store %b, %y[] : !tine.tile<[1], i32>
}

// CHECK-LABEL: func.func @tine_entry(
// CHECK: %[[NONE:.*]] = arith.constant 9223372036854775807 : i64
// CHECK: %[[NONES:.*]] = arith.constant dense<9223372036854775807> : vector<8xi64>
// CHECK: %[[LOWEST:.*]] = arith.constant dense<-2147483648> : vector<8xi32>
// CHECK: scf.for %{{.*}} step %c32_i64 iter_args(%[[BEST:[^ ]+]] = %[[LOWEST]], %[[AT:[^ ]+]] = %[[NONES]], %[[_:[^ ]+]] = %[[LOWEST]],
// An equal value counts only if it comes earlier.
// CHECK: %[[X:.*]] = llvm.load
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %[[X]], %[[BEST]]
// CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %[[X]], %[[BEST]]
// CHECK-NEXT: %[[EARLIER:.*]] = arith.cmpi slt, %[[I:.*]], %[[AT]]
// CHECK-NEXT: %[[TIE:.*]] = arith.andi %[[SAME]], %[[EARLIER]]
// CHECK-NEXT: %[[TAKE:.*]] = arith.ori %[[MORE]], %[[TIE]]
// CHECK-NEXT: arith.select %[[TAKE]], %[[X]], %[[BEST]]
// CHECK-NEXT: arith.select %[[TAKE]], %[[I]], %[[AT]]
// Lanes past the end never count.
// CHECK: scf.for %{{.*}} step %c8_i64 iter_args
// CHECK: %[[LANES:.*]] = arith.cmpi sgt
// CHECK: llvm.intr.masked.load
// CHECK: arith.andi %{{.*}}, %[[LANES]]
// CHECK: %[[P:.*]] = vector.extract %{{.*}} : i64
// CHECK-NEXT: %[[NOTHING:.*]] = arith.cmpi eq, %[[P]], %[[NONE]]
// CHECK-NEXT: arith.select %[[NOTHING]], %c0_i64, %[[P]]
