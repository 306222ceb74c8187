// The C++ header: typed tensors, scalars, exceptions. The kernels are those of kernels.hpp.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "lib.hpp"

namespace {

int failures = 0;

void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

float number(int i) { return static_cast<float>((i * 37 + 11) % 101 - 50) / 8.0f; }

void axpy_is_right() {
  const int n = 1000;
  std::vector<float> x(n), y(n, std::nanf(""));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = number(i);
  lib::scaled(TINE_STREAM_CPU, {x.data(), {n}}, 2.5, {y.data(), {n}});
  bool same = true;
  for (int i = 0; i < n; ++i) same &= y[static_cast<std::size_t>(i)] == 2.5f * number(i);
  expect(same, "scaled of floats");

  // Backwards, every second element, by the same function.
  std::vector<float> half(n / 2, std::nanf(""));
  lib::scaled(TINE_STREAM_CPU, {x.data() + n - 1, {n / 2}, {-2}}, 1, {half.data(), {n / 2}});
  same = true;
  for (int i = 0; i < n / 2; ++i) same &= half[static_cast<std::size_t>(i)] == number(n - 1 - 2 * i);
  expect(same, "scaled backwards");

  // In place: the memory overlaps, which the generic variant is for.
  std::vector<float> z = x;
  lib::scaled(TINE_STREAM_CPU, {z.data(), {n}}, -1, {z.data(), {n}});
  same = true;
  for (int i = 0; i < n; ++i) same &= z[static_cast<std::size_t>(i)] == -number(i);
  expect(same, "scaled in place");
}

void types_choose_the_instance() {
  std::vector<std::int32_t> x{1, -2, 3}, y(3, 99);
  lib::scaled(TINE_STREAM_CPU, {x.data(), {3}}, 7, {y.data(), {3}});
  expect(y[0] == 7 && y[1] == -14 && y[2] == 21, "scaled of integers");
  // Half floats as bits: 1.5 * 2 = 3.
  std::uint16_t h = 0x3e00, r = 0xffff;
  lib::scaled(TINE_STREAM_CPU, {&h, TINE_F16, {1}}, 2.0, {&r, TINE_F16, {1}});
  expect(r == 0x4200, "scaled of half floats");
}

// The whole sentence; one that begins with a place in a header may have the header's folder before it.
template <class F> void refused(const std::string& sentence, F call) {
  try {
    call();
    expect(false, sentence.c_str());
  } catch (const lib::error& e) {
    expect(e.status == TINE_REFUSED, "status");
    const std::string said = e.what();
    const std::size_t folder = said.size() - std::min(said.size(), sentence.size());
    expect(said.substr(folder) == sentence && (folder == 0 || said[folder - 1] == '/'), e.what());
  }
}

void refusals() {
  std::vector<float> x(4), y(4);
  std::vector<std::int32_t> i(4);
  refused("kernel `scaled` was not built for `x` i32 of rank 1, `s` f64 of rank 0, `y` f32 of rank 1: it differs in `x`; it was built for "
          "`Scaled<float>` (`x` f32 of rank 1, `s` f32 scalar, `y` f32 of rank 1); `Scaled<tine::f16>` (`x` f16 of rank 1, `s` f32 scalar, `y` f16 of rank 1); "
          "`Scaled<int>` (`x` i32 of rank 1, `s` i32 scalar, `y` i32 of rank 1)",
          [&] { lib::scaled(TINE_STREAM_CPU, {i.data(), {4}}, 1.0, {y.data(), {4}}); });
  refused("kernel `scaled`: parameter `s` is the scalar 1e+39, which does not fit its type f32",
          [&] { lib::scaled(TINE_STREAM_CPU, {x.data(), {4}}, 1e39, {y.data(), {4}}); });
  refused("kernel `scaled`: parameter `s` is the scalar 3000000000, which does not fit its type i32",
          [&] { lib::scaled(TINE_STREAM_CPU, {i.data(), {4}}, 3000000000, {i.data(), {4}}); });
  refused("kernels.hpp:13: kernel `Scaled<float>`: requirement `x.size(0)` == `y.size(0)` does not hold: `x.size(0)` is 4 and `y.size(0)` is 3; called with `x` 4, `y` 3",
          [&] { lib::scaled(TINE_STREAM_CPU, {x.data(), {4}}, 1.0, {y.data(), {3}}); });
  refused("kernel `scaled`: parameter `x` has shape -1; sizes cannot be negative", [&] { lib::scaled(TINE_STREAM_CPU, {x.data(), {-1}}, 1.0, {y.data(), {-1}}); });
  refused("kernel `scaled`: parameter `x` with shape 4 and strides 4611686018427387903 reaches beyond a 64-bit address space",
          [&] { lib::scaled(TINE_STREAM_CPU, {x.data(), {4}, {INT64_MAX / 2}}, 1.0, {y.data(), {4}}); });
}

}  // namespace

int main() {
  axpy_is_right();
  types_choose_the_instance();
  refusals();
  std::printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
