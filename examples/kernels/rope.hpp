// Rotary position embedding of x (batch, position, head, dim): pairs of elements are rotated by angles that depend on
// the position, whose sines and cosines are given as tables (position, dim / 2). A pair is elements j and j + dim/2
// (`Pairs::halves`), or 2j and 2j + 1 (`Pairs::neighbours`). May run in place.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

enum class Pairs { halves, neighbours };

template <class T, class Table = float>
struct Rope {
  nt::BlockSize positions{16, 64};
  Pairs pairs = Pairs::halves;
  static constexpr auto names = nt::names("x", "sin", "cos", "y");

  auto arrangement(nt::Tensor<T, 4> x, nt::Tensor<Table, 2> sin, nt::Tensor<Table, 2> cos, nt::Tensor<T, 4> y) const {
    for (int d : {0, 1, 2, 3}) nt::require(x.size(d) == y.size(d));
    auto half = nt::floordiv(x.size(3), 2);
    nt::require(x.size(3) == half * 2);
    for (auto t : {sin, cos}) nt::require(t.size(0) == x.size(1)), nt::require(t.size(1) == half);
    auto tiles = [&](auto t) { return t.tile({1, positions, 1, nt::whole}).squeeze({0, 2}, nt::level<1>); };
    auto first = [&](auto t) {
      return tiles(t(nt::ellipsis, pairs == Pairs::halves ? nt::slice(half) : nt::slice(nt::none, nt::none, 2)));
    };
    auto second = [&](auto t) {
      return tiles(t(nt::ellipsis, pairs == Pairs::halves ? nt::slice(half, nt::none) : nt::slice(1, nt::none, 2)));
    };
    auto table = [&](auto t) {
      return t.tile({positions, nt::whole})
          .unsqueeze(1)
          .unsqueeze(0)
          .expand({x.size(0), nt::keep, x.size(2), nt::keep});
    };
    return std::tuple{first(x), second(x), table(sin), table(cos), first(y), second(y)};
  }
  void application(auto x1, auto x2, auto sin, auto cos, auto& y1, auto& y2) const {
    auto a = nt::cast<float>(x1), b = nt::cast<float>(x2);  // both are read before either is stored
    auto s = nt::cast<float>(sin), c = nt::cast<float>(cos);
    y1 = a * c - b * s;
    y2 = b * c + a * s;
  }
};

TINE_EXPORT(Rope, float, tine::f16, tine::bf16);
