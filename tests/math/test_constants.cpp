// Constants, extremes and identities, as the attributes they become.
#include <catch2/catch.hpp>
#include <cmath>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/values.hpp"

using namespace tine;
using namespace tine::math;
using namespace tine::math::test;
using graph::DType;
using graph::Op;

namespace {
struct Scratch {
  mlir::OpBuilder b{&context()};
  mlir::Location loc = b.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  Scratch() { b.setInsertionPointToEnd(module->getBody()); }
};

Bits pattern(mlir::Value v) {
  mlir::Attribute a = v.getDefiningOp<mlir::arith::ConstantOp>().getValue();
  if (auto d = mlir::dyn_cast<mlir::DenseElementsAttr>(a)) {
    REQUIRE(d.isSplat());
    a = d.getSplatValue<mlir::Attribute>();
  }
  if (auto f = mlir::dyn_cast<mlir::FloatAttr>(a)) return f.getValue().bitcastToAPInt().getZExtValue();
  return mlir::cast<mlir::IntegerAttr>(a).getValue().getZExtValue();
}
}  // namespace

TEST_CASE("constants round, saturate and wrap as casts do") {
  Scratch s;
  const mlir::Type scalar = s.b.getF32Type(), vector = mlir::VectorType::get({8}, s.b.getF32Type());
  const double reals[] = {0,      -0.0,   1,       -1,     0.1,      2.5,       -2.5,    300,
                          448,    464,    465,     57344,  61440,    65504,     65520,   1e10,
                          -1e10,  3.5e38, 1e300,   0x1p-9, 0x1p-10,  0x1p-24,   0x1p-25, 0x1p-149,
                          1e-320, 0x1p63, -0x1p63, 0x1p64, INFINITY, -INFINITY, NAN};
  const int64_t integers[] = {0,         1,         -1,        127,      128,
                              255,       256,       65535,     65536,    INT32_MAX,
                              INT32_MIN, INT64_MAX, INT64_MIN, 16777217, (int64_t{1} << 53) + 1};
  for (DType t : all_types())
    for (mlir::Type like : {scalar, vector}) {
      for (double x : reals) {
        const Bits want = cast_reference(DType::f64, t, std::bit_cast<Bits>(x), Overflow::saturate),
                   got = pattern(emit_constant(s.b, s.loc, t, like, x));
        INFO(name_of(t) << " " << x);
        CHECK((got == want || (is_nan(t, got) && is_nan(t, want))));
      }
      for (int64_t x : integers) {
        INFO(name_of(t) << " " << x);
        CHECK(pattern(emit_constant(s.b, s.loc, t, like, x)) ==
              cast_reference(DType::i64, t, Bits(x), Overflow::saturate));
      }
    }
}

TEST_CASE("identities leave every value as it is") {
  for (DType t : all_types()) {
    Scratch s;
    const mlir::Type like = element_type(&context(), t);
    const bool fp8 = t == DType::f8e4m3fn || t == DType::f8e5m2;
    for (Bits b : edges(t)) {
      if (is_nan(t, b)) continue;
      const long double low = decode(t, pattern(emit_lowest(s.b, s.loc, t, like))),
                        high = decode(t, pattern(emit_highest(s.b, s.loc, t, like)));
      CHECK(low <= decode(t, b));
      CHECK(high >= decode(t, b));
    }
    if (fp8) continue;
    for (Op op : {Op::sum, Op::prod, Op::rmax, Op::rmin, Op::any, Op::all, Op::rxor}) {
      if ((op == Op::any || op == Op::all) != (t == DType::b1)) continue;
      if (op == Op::rxor && graph::is_float(t)) continue;
      const Bits identity = pattern(emit_identity(s.b, s.loc, op, t, like));
      Spec spec;
      spec.op = op;
      spec.in = spec.out = t;
      spec.operands = 2;
      const auto e = edges(t);
      const Array x(t, e), y(t, std::vector<Bits>(e.size(), identity));
      Array r(t, e.size());
      compile(spec).run(e.size(), r.bytes.data(), x.bytes.data(), y.bytes.data());
      for (size_t k = 0; k < e.size(); ++k) {
        INFO(name_of(op) << " " << show(t, e[k]));
        CHECK((decode(t, r.get(k)) == decode(t, e[k]) || (is_nan(t, e[k]) && is_nan(t, r.get(k)))));
      }
    }
  }
}
