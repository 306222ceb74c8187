// Folds keep every bit: only what does nothing goes, and equal tiles are computed once.
// RUN: tine-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @cast_to_itself(
// CHECK-SAME: %[[A:.*]]: !tine.tile<[4], f32>
// CHECK-NEXT: return %[[A]]
func.func @cast_to_itself(%a: !tine.tile<[4], f32>) -> !tine.tile<[4], f32> {
  %0 = tine.cast %a : !tine.tile<[4], f32> to !tine.tile<[4], f32>
  return %0 : !tine.tile<[4], f32>
}

// Two casts round twice: they stay.
// CHECK-LABEL: func.func @cast_there_and_back(
// CHECK-NEXT: tine.cast
// CHECK-NEXT: tine.cast
func.func @cast_there_and_back(%a: !tine.tile<[4], f32>) -> !tine.tile<[4], f32> {
  %0 = tine.cast %a : !tine.tile<[4], f32> to !tine.tile<[4], f16>
  %1 = tine.cast %0 : !tine.tile<[4], f16> to !tine.tile<[4], f32>
  return %1 : !tine.tile<[4], f32>
}

// CHECK-LABEL: func.func @broadcast_to_itself(
// CHECK-SAME: %[[A:.*]]: !tine.tile<[4], f32>
// CHECK-NEXT: return %[[A]]
func.func @broadcast_to_itself(%a: !tine.tile<[4], f32>) -> !tine.tile<[4], f32> {
  %0 = tine.broadcast %a : !tine.tile<[4], f32> to !tine.tile<[4], f32>
  return %0 : !tine.tile<[4], f32>
}

// CHECK-LABEL: func.func @broadcast_twice(
// CHECK-SAME: %[[A:.*]]: f32
// CHECK-NEXT: %[[B:.*]] = tine.broadcast %[[A]] : f32 to !tine.tile<[4, 8], f32>
// CHECK-NEXT: return %[[B]]
func.func @broadcast_twice(%a: f32) -> !tine.tile<[4, 8], f32> {
  %0 = tine.broadcast %a : f32 to !tine.tile<[8], f32>
  %1 = tine.broadcast %0 : !tine.tile<[8], f32> to !tine.tile<[4, 8], f32>
  return %1 : !tine.tile<[4, 8], f32>
}

// CHECK-LABEL: func.func @reshape_to_itself(
// CHECK-SAME: %[[A:.*]]: !tine.tile<[4], f32>
// CHECK-NEXT: return %[[A]]
func.func @reshape_to_itself(%a: !tine.tile<[4], f32>) -> !tine.tile<[4], f32> {
  %0 = tine.reshape %a : !tine.tile<[4], f32> to !tine.tile<[4], f32>
  return %0 : !tine.tile<[4], f32>
}

// Identities that floats do not obey stay: x * 0 is NaN for infinity, x - x too.
// CHECK-LABEL: func.func @no_float_identities(
// CHECK: tine.elementwise "sub"
// CHECK: tine.elementwise "mul"
func.func @no_float_identities(%a: f32) -> (f32, f32) {
  %zero = tine.constant 0.0 : f32
  %0 = tine.elementwise "sub"(%a, %a) : (f32, f32) -> f32
  %1 = tine.elementwise "mul"(%a, %zero) : (f32, f32) -> f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @constants_once(
// CHECK-NEXT: %[[C:.*]] = tine.constant 3 : i64
// CHECK-NEXT: return %[[C]], %[[C]]
func.func @constants_once() -> (i64, i64) {
  %0 = tine.constant 3 : i64
  %1 = tine.constant 3 : i64
  return %0, %1 : i64, i64
}

// -----
// Nobody uses the first tile; the second is computed once; but loads stay apart: a store may stand between them.
#x = #tine.source<name = "x", type = f32, rank = 1, unit = [0], contiguous = true, align = 4>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#px = #tine.param<source = 0, levels = [array<i64>, array<i64: 8>], coords = #id, linear = #none, bounds = #none, limits = #none, low = [], other = 0.0 : f64>
// CHECK-LABEL: tine.kernel @Once
// CHECK: %[[T:.*]] = tine.load
// CHECK-NOT: "exp"
// CHECK: %[[N:.*]] = tine.elementwise "neg"(%[[T]])
// CHECK-NOT: "neg"
// CHECK: %[[S:.*]] = tine.elementwise "add"(%[[N]], %[[N]])
// CHECK-NEXT: tine.store %[[S]]
// CHECK-NEXT: %[[U:.*]] = tine.load
// CHECK-NEXT: tine.store %[[U]]
tine.kernel @Once grid [] symbols [] sources [#x] params [#px] overlaps [] {
^bb0(%x: !tine.view):
  %t = tine.load %x[] : !tine.tile<[8], f32>
  %e = tine.elementwise "exp"(%t) : (!tine.tile<[8], f32>) -> !tine.tile<[8], f32>
  %a = tine.elementwise "neg"(%t) : (!tine.tile<[8], f32>) -> !tine.tile<[8], f32>
  %b = tine.elementwise "neg"(%t) : (!tine.tile<[8], f32>) -> !tine.tile<[8], f32>
  %s = tine.elementwise "add"(%a, %b) : (!tine.tile<[8], f32>, !tine.tile<[8], f32>) -> !tine.tile<[8], f32>
  tine.store %s, %x[] : !tine.tile<[8], f32>
  %u = tine.load %x[] : !tine.tile<[8], f32>
  tine.store %u, %x[] : !tine.tile<[8], f32>
}
