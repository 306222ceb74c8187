// The emulated tile unit: what Intel's instruction reference says of LDTILECFG, TILEZERO, TILELOADD, TILESTORED, TDPBF16PS and
// TDPBSSD, SUD, USD, UUD, on a state in memory (64 bytes of shapes as LDTILECFG reads them, then eight tiles of 1024 bytes).
// Operands for which the manual has #GP or #UD end the process. Slow, and meant to be read beside the manual.
#include <string>
#include "codegen/cpu/tile_unit.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tine::cpu {
namespace {

constexpr const char* common = R"(
// Rows of a tile, and bytes of a row.
func.func private @tine_tile_rows(%s: !llvm.ptr, %t: i64) -> i64 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c48 = arith.constant 48 : i64
  %at = arith.addi %t, %c48 : i64
  %p = llvm.getelementptr %s[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %v = llvm.load %p : !llvm.ptr -> i8
  %r = arith.extui %v : i8 to i64
  return %r : i64
}
func.func private @tine_tile_bytes(%s: !llvm.ptr, %t: i64) -> i64 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c8 = arith.constant 8 : i64
  %at = arith.addi %t, %c8 : i64
  %p = llvm.getelementptr %s[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
  %v = llvm.load %p : !llvm.ptr -> i16
  %r = arith.extui %v : i16 to i64
  return %r : i64
}
func.func private @tine_tile_row(%s: !llvm.ptr, %t: i64, %r: i64) -> !llvm.ptr attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c1024 = arith.constant 1024 : i64
  %c64 = arith.constant 64 : i64
  %x = arith.muli %t, %c1024 : i64
  %y = arith.muli %r, %c64 : i64
  %z = arith.addi %x, %y : i64
  %at = arith.addi %z, %c64 : i64
  %p = llvm.getelementptr %s[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  return %p : !llvm.ptr
}
func.func private @tine_tile_require(%ok: i1) attributes {llvm.linkage = #llvm.linkage<internal>} {
  scf.if %ok {
  } else {
    "llvm.intr.trap"() : () -> ()
  }
  return
}
// A tile has a shape: at least a row and a byte, at most 16 and 64.
func.func private @tine_tile_shaped(%s: !llvm.ptr, %t: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %rows = func.call @tine_tile_rows(%s, %t) : (!llvm.ptr, i64) -> i64
  %bytes = func.call @tine_tile_bytes(%s, %t) : (!llvm.ptr, i64) -> i64
  %a = arith.subi %rows, %c1 : i64
  %b = arith.subi %bytes, %c1 : i64
  %x = arith.cmpi ult, %a, %c16 : i64
  %y = arith.cmpi ult, %b, %c64 : i64
  %ok = arith.andi %x, %y : i1
  func.call @tine_tile_require(%ok) : (i1) -> ()
  return
}
// Zeroes rows of a tile from `from` on.
func.func private @tine_tile_clear(%s: !llvm.ptr, %t: i64, %from: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant dense<0> : vector<16xi32>
  scf.for %r = %from to %c16 step %c1 : i64 {
    %p = func.call @tine_tile_row(%s, %t, %r) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    llvm.store %zero, %p {alignment = 1 : i64} : vector<16xi32>, !llvm.ptr
  }
  return
}
func.func private @tine_tile_configure(%s: !llvm.ptr, %shapes: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %palette = llvm.load %shapes {alignment = 1 : i64} : !llvm.ptr -> i64
  %one = arith.cmpi eq, %palette, %c1 : i64
  func.call @tine_tile_require(%one) : (i1) -> ()
  %v = llvm.load %shapes {alignment = 1 : i64} : !llvm.ptr -> vector<16xi32>
  llvm.store %v, %s {alignment = 1 : i64} : vector<16xi32>, !llvm.ptr
  scf.for %t = %c0 to %c8 step %c1 : i64 {
    func.call @tine_tile_shaped(%s, %t) : (!llvm.ptr, i64) -> ()
    func.call @tine_tile_clear(%s, %t, %c0) : (!llvm.ptr, i64, i64) -> ()
  }
  return
}
func.func private @tine_tile_zero(%s: !llvm.ptr, %t: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  func.call @tine_tile_shaped(%s, %t) : (!llvm.ptr, i64) -> ()
  func.call @tine_tile_clear(%s, %t, %c0) : (!llvm.ptr, i64, i64) -> ()
  return
}
func.func private @tine_tile_load(%s: !llvm.ptr, %t: i64, %from: !llvm.ptr, %stride: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  func.call @tine_tile_shaped(%s, %t) : (!llvm.ptr, i64) -> ()
  func.call @tine_tile_clear(%s, %t, %c0) : (!llvm.ptr, i64, i64) -> ()
  %rows = func.call @tine_tile_rows(%s, %t) : (!llvm.ptr, i64) -> i64
  %bytes = func.call @tine_tile_bytes(%s, %t) : (!llvm.ptr, i64) -> i64
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %row = func.call @tine_tile_row(%s, %t, %r) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    %start = arith.muli %r, %stride : i64
    scf.for %c = %c0 to %bytes step %c1 : i64 {
      %at = arith.addi %start, %c : i64
      %p = llvm.getelementptr %from[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %q = llvm.getelementptr %row[%c] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      llvm.store %v, %q : i8, !llvm.ptr
    }
  }
  return
}
func.func private @tine_tile_store(%s: !llvm.ptr, %t: i64, %into: !llvm.ptr, %stride: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  func.call @tine_tile_shaped(%s, %t) : (!llvm.ptr, i64) -> ()
  %rows = func.call @tine_tile_rows(%s, %t) : (!llvm.ptr, i64) -> i64
  %bytes = func.call @tine_tile_bytes(%s, %t) : (!llvm.ptr, i64) -> i64
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %row = func.call @tine_tile_row(%s, %t, %r) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    %start = arith.muli %r, %stride : i64
    scf.for %c = %c0 to %bytes step %c1 : i64 {
      %at = arith.addi %start, %c : i64
      %p = llvm.getelementptr %into[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %q = llvm.getelementptr %row[%c] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %q : !llvm.ptr -> i8
      llvm.store %v, %p : i8, !llvm.ptr
    }
  }
  return
}
// Shapes of sums (m x n), a (m x k) and b (k x n) fit each other, and the three are three.
func.func private @tine_tile_fit(%s: !llvm.ptr, %t: i64, %a: i64, %b: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  func.call @tine_tile_shaped(%s, %t) : (!llvm.ptr, i64) -> ()
  func.call @tine_tile_shaped(%s, %a) : (!llvm.ptr, i64) -> ()
  func.call @tine_tile_shaped(%s, %b) : (!llvm.ptr, i64) -> ()
  %t_rows = func.call @tine_tile_rows(%s, %t) : (!llvm.ptr, i64) -> i64
  %a_rows = func.call @tine_tile_rows(%s, %a) : (!llvm.ptr, i64) -> i64
  %b_rows = func.call @tine_tile_rows(%s, %b) : (!llvm.ptr, i64) -> i64
  %t_bytes = func.call @tine_tile_bytes(%s, %t) : (!llvm.ptr, i64) -> i64
  %a_bytes = func.call @tine_tile_bytes(%s, %a) : (!llvm.ptr, i64) -> i64
  %b_bytes = func.call @tine_tile_bytes(%s, %b) : (!llvm.ptr, i64) -> i64
  %t_rest = arith.remui %t_bytes, %c4 : i64
  %a_rest = arith.remui %a_bytes, %c4 : i64
  %k = arith.divui %a_bytes, %c4 : i64
  %0 = arith.cmpi eq, %t_rest, %c0 : i64
  %1 = arith.cmpi eq, %a_rest, %c0 : i64
  %2 = arith.cmpi eq, %t_rows, %a_rows : i64
  %3 = arith.cmpi eq, %t_bytes, %b_bytes : i64
  %4 = arith.cmpi eq, %k, %b_rows : i64
  %5 = arith.cmpi ne, %t, %a : i64
  %6 = arith.cmpi ne, %t, %b : i64
  %7 = arith.cmpi ne, %a, %b : i64
  %8 = arith.andi %0, %1 : i1
  %9 = arith.andi %8, %2 : i1
  %10 = arith.andi %9, %3 : i1
  %11 = arith.andi %10, %4 : i1
  %12 = arith.andi %11, %5 : i1
  %13 = arith.andi %12, %6 : i1
  %14 = arith.andi %13, %7 : i1
  func.call @tine_tile_require(%14) : (i1) -> ()
  return
}
// Subnormal numbers are zeros, coming and going.
func.func private @tine_tile_flush(%x: f32) -> f32 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %exponent = arith.constant 0x7F800000 : i32
  %sign = arith.constant 0x80000000 : i32
  %zero = arith.constant 0 : i32
  %bits = arith.bitcast %x : f32 to i32
  %e = arith.andi %bits, %exponent : i32
  %small = arith.cmpi eq, %e, %zero : i32
  %s = arith.andi %bits, %sign : i32
  %r = arith.select %small, %s, %bits : i32
  %f = arith.bitcast %r : i32 to f32
  return %f : f32
}
// Element `i` of a row of bf16.
func.func private @tine_tile_bf16(%row: !llvm.ptr, %i: i64) -> f32 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c16 = arith.constant 16 : i32
  %p = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
  %v = llvm.load %p : !llvm.ptr -> i16
  %w = arith.extui %v : i16 to i32
  %bits = arith.shli %w, %c16 : i32
  %f = arith.bitcast %bits : i32 to f32
  %r = func.call @tine_tile_flush(%f) : (f32) -> f32
  return %r : f32
}
// Even and odd elements are summed apart, each by fma; then the two sums are added, and added to the tile.
func.func private @tine_tile_tdpbf16ps(%s: !llvm.ptr, %t: i64, %a: i64, %b: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %zero = arith.constant 0.0 : f32
  func.call @tine_tile_fit(%s, %t, %a, %b) : (!llvm.ptr, i64, i64, i64) -> ()
  %rows = func.call @tine_tile_rows(%s, %t) : (!llvm.ptr, i64) -> i64
  %bytes = func.call @tine_tile_bytes(%s, %t) : (!llvm.ptr, i64) -> i64
  %a_bytes = func.call @tine_tile_bytes(%s, %a) : (!llvm.ptr, i64) -> i64
  %columns = arith.divui %bytes, %c4 : i64
  %deep = arith.divui %a_bytes, %c4 : i64
  scf.for %m = %c0 to %rows step %c1 : i64 {
    %t_row = func.call @tine_tile_row(%s, %t, %m) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    %a_row = func.call @tine_tile_row(%s, %a, %m) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    scf.for %n = %c0 to %columns step %c1 : i64 {
      %n0 = arith.muli %n, %c2 : i64
      %n1 = arith.addi %n0, %c1 : i64
      %even, %odd = scf.for %k = %c0 to %deep step %c1 iter_args(%x = %zero, %y = %zero) -> (f32, f32) : i64 {
        %b_row = func.call @tine_tile_row(%s, %b, %k) : (!llvm.ptr, i64, i64) -> !llvm.ptr
        %k0 = arith.muli %k, %c2 : i64
        %k1 = arith.addi %k0, %c1 : i64
        %p0 = func.call @tine_tile_bf16(%a_row, %k0) : (!llvm.ptr, i64) -> f32
        %p1 = func.call @tine_tile_bf16(%a_row, %k1) : (!llvm.ptr, i64) -> f32
        %q0 = func.call @tine_tile_bf16(%b_row, %n0) : (!llvm.ptr, i64) -> f32
        %q1 = func.call @tine_tile_bf16(%b_row, %n1) : (!llvm.ptr, i64) -> f32
        %x0 = llvm.intr.fma(%p0, %q0, %x) : (f32, f32, f32) -> f32
        %y0 = llvm.intr.fma(%p1, %q1, %y) : (f32, f32, f32) -> f32
        %x1 = func.call @tine_tile_flush(%x0) : (f32) -> f32
        %y1 = func.call @tine_tile_flush(%y0) : (f32) -> f32
        scf.yield %x1, %y1 : f32, f32
      }
      %p = llvm.getelementptr %t_row[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %c = llvm.load %p : !llvm.ptr -> f32
      %old = func.call @tine_tile_flush(%c) : (f32) -> f32
      %both = arith.addf %even, %odd : f32
      %sum = func.call @tine_tile_flush(%both) : (f32) -> f32
      %new = arith.addf %old, %sum : f32
      %r = func.call @tine_tile_flush(%new) : (f32) -> f32
      llvm.store %r, %p : f32, !llvm.ptr
    }
  }
  func.call @tine_tile_clear(%s, %t, %rows) : (!llvm.ptr, i64, i64) -> ()
  return
}
)";

// Products of four neighbours are added to the sum, which wraps.
constexpr const char* bytes = R"(
func.func private @tine_tile_NAME(%s: !llvm.ptr, %t: i64, %a: i64, %b: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  func.call @tine_tile_fit(%s, %t, %a, %b) : (!llvm.ptr, i64, i64, i64) -> ()
  %rows = func.call @tine_tile_rows(%s, %t) : (!llvm.ptr, i64) -> i64
  %bytes = func.call @tine_tile_bytes(%s, %t) : (!llvm.ptr, i64) -> i64
  %a_bytes = func.call @tine_tile_bytes(%s, %a) : (!llvm.ptr, i64) -> i64
  %columns = arith.divui %bytes, %c4 : i64
  scf.for %m = %c0 to %rows step %c1 : i64 {
    %t_row = func.call @tine_tile_row(%s, %t, %m) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    %a_row = func.call @tine_tile_row(%s, %a, %m) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    scf.for %n = %c0 to %columns step %c1 : i64 {
      %p = llvm.getelementptr %t_row[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.load %p : !llvm.ptr -> i32
      %start = arith.muli %n, %c4 : i64
      %new = scf.for %k = %c0 to %a_bytes step %c1 iter_args(%sum = %old) -> (i32) : i64 {
        %group = arith.divui %k, %c4 : i64
        %within = arith.remui %k, %c4 : i64
        %b_row = func.call @tine_tile_row(%s, %b, %group) : (!llvm.ptr, i64, i64) -> !llvm.ptr
        %at = arith.addi %start, %within : i64
        %pa = llvm.getelementptr %a_row[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %pb = llvm.getelementptr %b_row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %va = llvm.load %pa : !llvm.ptr -> i8
        %vb = llvm.load %pb : !llvm.ptr -> i8
        %wa = arith.A_WIDENS %va : i8 to i32
        %wb = arith.B_WIDENS %vb : i8 to i32
        %product = arith.muli %wa, %wb : i32
        %next = arith.addi %sum, %product : i32
        scf.yield %next : i32
      }
      llvm.store %new, %p : i32, !llvm.ptr
    }
  }
  func.call @tine_tile_clear(%s, %t, %rows) : (!llvm.ptr, i64, i64) -> ()
  return
}
)";

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
}

}  // namespace

void define_emulated_tiles(ModuleOp module) {
  bool used = false;
  module.walk([&](func::CallOp call) { used |= call.getCallee().starts_with("tine_tile_"); });
  if (!used) return;
  std::string text = common;
  for (char a : {'s', 'u'})
    for (char b : {'s', 'u'}) {
      std::string one = bytes;
      replace(one, "NAME", std::string("tdpb") + a + b + "d");
      replace(one, "A_WIDENS", a == 's' ? "extsi" : "extui");
      replace(one, "B_WIDENS", b == 's' ? "extsi" : "extui");
      text += one;
    }
  OwningOpRef<ModuleOp> unit = parseSourceString<ModuleOp>(text, module.getContext());
  for (Operation& op : llvm::make_early_inc_range(unit->getBody()->getOperations())) {
    op.remove();
    module.push_back(&op);
  }
}

}  // namespace tine::cpu
