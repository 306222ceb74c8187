// The C++ header on a GPU, through the driver that TINE_CUDA_LIBRARY names. The kernels are those of kernels.hpp.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lib.hpp"

namespace {

using Pointer = unsigned long long;
void* driver;

template <class F> F* find(const char* name) {
  void* f = dlsym(driver, name);
  if (!f) std::printf("no %s\n", name), std::exit(1);
  return reinterpret_cast<F*>(f);
}

int failures = 0;

void check(int code, const char* what) {
  if (code) std::printf("%s: error %d of the driver\n", what, code), std::exit(1);
}

Pointer upload(const std::vector<float>& x) {
  Pointer p = 0;
  check(find<int(Pointer*, std::size_t)>("cuMemAlloc_v2")(&p, x.size() * sizeof(float)), "cuMemAlloc");
  check(find<int(Pointer, const void*, std::size_t)>("cuMemcpyHtoD_v2")(p, x.data(), x.size() * sizeof(float)), "cuMemcpyHtoD");
  return p;
}

void download(std::vector<float>& x, Pointer p) {
  check(find<int(void*)>("cuStreamSynchronize")(nullptr), "cuStreamSynchronize");
  check(find<int(void*, Pointer, std::size_t)>("cuMemcpyDtoH_v2")(x.data(), p, x.size() * sizeof(float)), "cuMemcpyDtoH");
}

float* at(Pointer p) { return reinterpret_cast<float*>(static_cast<std::uintptr_t>(p)); }

void scaled(int n) {
  std::vector<float> x(static_cast<std::size_t>(n)), y(x.size(), std::nanf(""));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37 + 11) % 101) / 8.0f - 6.0f;
  const Pointer dx = upload(x), dy = upload(y);
  lib::scaled(nullptr, {at(dx), {n}}, 2.5, {at(dy), {n}});
  download(y, dy);
  for (std::size_t i = 0; i < x.size(); ++i) failures += y[i] != 2.5f * x[i];
}

void row_sum(int rows, int columns) {
  std::vector<float> x(static_cast<std::size_t>(rows * columns)), y(static_cast<std::size_t>(rows), std::nanf(""));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(static_cast<int>(i * 7919 % 64) - 31);  // sums are exact
  const Pointer dx = upload(x), dy = upload(y);
  lib::row_sum(nullptr, {at(dx), {rows, columns}}, {at(dy), {rows}});
  download(y, dy);
  for (int i = 0; i < rows; ++i) {
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += x[static_cast<std::size_t>(i * columns + j)];
    failures += y[static_cast<std::size_t>(i)] != sum;
  }
}

}  // namespace

int main() {
  driver = dlopen(std::getenv("TINE_CUDA_LIBRARY"), RTLD_NOW);
  if (!driver) return std::puts(dlerror()), 1;
  void* context = nullptr;
  check(find<int(unsigned)>("cuInit")(0), "cuInit");
  check(find<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0), "cuDevicePrimaryCtxRetain");
  check(find<int(void*)>("cuCtxSetCurrent")(context), "cuCtxSetCurrent");
  for (int n : {1, 64, 1000}) scaled(n);
  row_sum(5, 64);
  row_sum(7, 33);
  row_sum(2, 300);
  std::printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
