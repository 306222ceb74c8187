// Views by pointer, shape and strides: a transposed copy of an image's channels without laying them out anew.
#include "examples/kernels/transpose.hpp"

#include "examples/support/compare.hpp"
#include "examples/support/reference.hpp"

using namespace examples;

namespace {

template <class T>
int whole_matrix(const char* what) {
  const int64_t rows = 333, columns = 1537;
  auto transpose = tine::make(Transpose<T>{});
  const auto x = random_vector<T>(rows * columns, 1);
  std::vector<T> y(x.size());
  transpose(tine::view(x, {rows, columns}), tine::view(y, {columns, rows}));
  return report(what, compare(y, reference::transpose(widened(x), rows, columns), {}));
}

// Channel 1 of pixels (r, g, b): elements lie 3 apart. A negative stride turns the rows upside down.
int channel() {
  const int64_t h = 50, w = 70;
  auto transpose = tine::make(Transpose<float>{});
  const auto image = random_vector<float>(h * w * 3, 2);
  std::vector<float> y(static_cast<std::size_t>(h * w));
  const tine::View<const float, 2> green(image.data() + 1 + (h - 1) * w * 3, {h, w}, {-w * 3, 3});
  transpose(green, tine::view(y, {w, h}));
  Doubles want;
  for (int64_t c = 0; c < w; ++c)
    for (int64_t r = h - 1; r >= 0; --r)
      want.push_back(static_cast<double>(image[static_cast<std::size_t>((r * w + c) * 3 + 1)]));
  return report("transpose, a channel upside down", compare(y, want, {}));
}

}  // namespace

int main() {
  return whole_matrix<float>("transpose, f32") + whole_matrix<tine::f16>("transpose, f16") + channel() ? 1 : 0;
}
