// A kernel for the cases of this folder. Each case is a host program with one mistake; its first line is the sentence that
// both compilers must give, once.
#include <array>
#include <span>
#include <tine/tine.hpp>
#include <vector>
namespace nt = tine;
struct Scale {
  nt::BlockSize bm{64};
  static constexpr auto names = nt::names("x", "factor", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Scalar<int> factor, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({1, bm}), factor, y.tile({1, bm})};
  }
  void application(auto x, auto factor, auto y) const { y = x * factor; }
};
inline float p[6];
