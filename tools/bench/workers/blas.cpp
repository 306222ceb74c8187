// Contestant: a library with BLAS's C interface, opened at run time: bench_blas FILE. OpenBLAS tells its core type, MKL
// its version; MKL also multiplies bf16, f16 and int8.
#include <dlfcn.h>

#include <cstdio>
#include <memory>

#include "tools/bench/workers/worker.hpp"

namespace {

using bench::Case;
using bench::Job;

constexpr int row_major = 101, no_transpose = 111, fix_offset = 173;
void* library = nullptr;

template <class F>
F* symbol(const char* name) {
  return reinterpret_cast<F*>(dlsym(library, name));
}
template <class F>
F* needed(const char* name) {
  if (F* f = symbol<F>(name)) return f;
  throw bench::Missing{std::string("the library has no ") + name};
}

using Sgemm = void(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
using Gemm16 = void(int, int, int, int, int, int, float, const uint16_t*, int, const uint16_t*, int, float, float*,
                    int);
using Hgemm = void(int, int, int, int, int, int, uint16_t, const uint16_t*, int, const uint16_t*, int, uint16_t,
                   uint16_t*, int);
using Gemm8 = void(int, int, int, int, int, int, int, float, const void*, int, int8_t, const void*, int, int8_t, float,
                   int32_t*, int, const int32_t*);

Job prepare(const Case& c) {
  if (c.operation != "matmul") throw bench::Missing{"BLAS has products only"};
  const int m = int(c[0]), n = int(c[1]), k = int(c[2]);
  const auto y = std::make_shared<std::vector<float>>(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  const auto result = [=] { return *y; };
  const bool integers = c.type == "i8";
  const auto a = std::make_shared<std::vector<float>>(bench::data(c[0] * c[2], 1, integers ? 127.f : 1));
  const auto b = std::make_shared<std::vector<float>>(bench::data(c[2] * c[1], 2, integers ? 127.f : 1));
  if (c.type == "f32") {
    Sgemm* f = needed<Sgemm>("cblas_sgemm");
    return {[=] { f(row_major, no_transpose, no_transpose, m, n, k, 1, a->data(), k, b->data(), n, 0, y->data(), n); },
            result, ""};
  }
  if (c.type == "bf16" || c.type == "f16") {
    const bool bf16 = c.type == "bf16";
    Gemm16* f = needed<Gemm16>(bf16 ? "cblas_gemm_bf16bf16f32" : "cblas_gemm_f16f16f32");
    const auto narrow = [&](const std::vector<float>& v) {
      auto out = std::make_shared<std::vector<uint16_t>>();
      for (const float x : v) out->push_back(bf16 ? bench::to_bf16(x) : bench::to_f16(x));
      return out;
    };
    const auto a16 = narrow(*a), b16 = narrow(*b);
    return {
        [=] { f(row_major, no_transpose, no_transpose, m, n, k, 1, a16->data(), k, b16->data(), n, 0, y->data(), n); },
        result, "result f32"};
  }
  if (integers) {
    Gemm8* f = needed<Gemm8>("cblas_gemm_s8u8s32");
    // One of its operands is unsigned: the same work on other numbers.
    const auto a8 = std::make_shared<std::vector<int8_t>>(a->begin(), a->end());
    const auto b8 = std::make_shared<std::vector<uint8_t>>();
    for (const float x : *b) b8->push_back(static_cast<uint8_t>(x + 128));
    const auto y32 = std::make_shared<std::vector<int32_t>>(y->size());
    return {[=] {
              const int32_t zero = 0;
              f(row_major, no_transpose, no_transpose, fix_offset, m, n, k, 1, a8->data(), k, 0, b8->data(), n, 0, 0,
                y32->data(), n, &zero);
            },
            [] { return std::vector<float>(); }, "s8 times u8"};
  }
  throw bench::Missing{"not for this element type"};
}

std::string version() {
  if (auto* config = symbol<char*()>("openblas_get_config"))
    return std::string(config()) + ", core type " + symbol<char*()>("openblas_get_corename")();
  if (auto* text = symbol<void(char*, int)>("MKL_Get_Version_String")) {
    char buffer[256] = {};
    text(buffer, sizeof buffer - 1);
    std::string s = buffer;
    return s.substr(0, s.find_last_not_of(' ') + 1);
  }
  return "unknown BLAS";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !(library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))) {
    std::fprintf(stderr, "bench_blas LIBRARY: %s\n", argc == 2 ? dlerror() : "one argument is needed");
    return 2;
  }
  return bench::serve(version(), prepare);
}
