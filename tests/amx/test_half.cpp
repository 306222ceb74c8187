// The instructions of AVX512-FP16 that code for `cpu:amx` holds, executed, against arithmetic on whole numbers and
// against AVX-512's own instructions of f32.
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <utility>

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

namespace {

constexpr int halves = 0x10000;

// The value of an f16, by its definition.
float value(int h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  const float magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                          : exponent     ? std::ldexp(float(1024 + fraction), exponent - 25)
                                         : std::ldexp(float(fraction), -24);
  return h & 0x8000 ? -magnitude : magnitude;
}
// The f16 nearest to a value; of two, the even one.
uint16_t nearest(double x) {
  if (std::isnan(x)) return 0x7e00;
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  x = std::fabs(x);
  const int exponent = x == 0 ? -14 : std::max(-14, std::ilogb(x));
  const double units = std::nearbyint(std::ldexp(x, 10 - exponent));  // of 2^(exponent - 10)
  if (std::ldexp(units, exponent - 10) >= 65520) return sign | 0x7c00;
  return static_cast<uint16_t>(sign | (int(units) + ((exponent + 14) << 10)));
}
bool same(uint16_t got, uint16_t want) { return std::isnan(value(want)) ? std::isnan(value(got)) : got == want; }

struct alignas(64) Bytes {
  uint8_t v[64];
};
template <class T>
T lane(const Bytes& b, int i) {
  T x;
  std::memcpy(&x, b.v + std::size_t(i) * sizeof x, sizeof x);
  return x;
}
template <class T>
void set(Bytes& b, int i, T x) {
  std::memcpy(b.v + std::size_t(i) * sizeof x, &x, sizeof x);
}

}  // namespace

TEST_CASE("vcvtph2psx: all f16", "[executes]") {
  const auto convert = [](const Bytes& in, Bytes& out) WITH_AVX512 {
    asm volatile("vmovups %1, %%ymm17\n\tvcvtph2psx %%ymm17, %%zmm30\n\tvmovups %%zmm30, %0"
                 : "=m"(out)
                 : "m"(in)
                 : "xmm17", "xmm30");
  };
  int wrong = 0;
  for (int h = 0; h < halves; h += 16) {
    Bytes in{}, out;
    for (int i = 0; i < 16; ++i) set(in, i, static_cast<uint16_t>(h + i));
    convert(in, out);
    for (int i = 0; i < 16; ++i) {
      const float got = lane<float>(out, i), want = value(h + i);
      wrong += std::isnan(want) ? !std::isnan(got) : got != want || std::signbit(got) != std::signbit(want);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("vcvtph2pd and vcvtsh2sd: all f16", "[executes]") {
  const auto convert = [](const Bytes& in, Bytes& out, double& first) WITH_AVX512 {
    asm volatile("vcvtph2pd %2, %%zmm30\n\tvmovups %%zmm30, %0\n\tvcvtsh2sd %2, %%xmm30, %%xmm30\n\tvmovsd %%xmm30, %1"
                 : "=m"(out), "=m"(first)
                 : "m"(in)
                 : "xmm30");
  };
  int wrong = 0;
  for (int h = 0; h < halves; h += 8) {
    Bytes in{}, out;
    double first = 0;
    for (int i = 0; i < 8; ++i) set(in, i, static_cast<uint16_t>(h + i));
    convert(in, out, first);
    for (int i = 0; i < 8; ++i) {
      const double got = lane<double>(out, i), want = value(h + i);
      wrong += std::isnan(want) ? !std::isnan(got) : got != want || std::signbit(got) != std::signbit(want);
      if (i == 0) wrong += std::isnan(want) ? !std::isnan(first) : first != want;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("vcvtps2phx: all f16, and the values between", "[executes]") {
  const auto convert = [](const Bytes& in, Bytes& out) WITH_AVX512 {
    asm volatile("vcvtps2phx %1, %%ymm3\n\tvmovups %%zmm3, %0" : "=m"(out) : "m"(in) : "xmm3");
  };
  int wrong = 0;
  for (int h = 0; h < halves; h += 4) {
    Bytes in, out;
    for (int i = 0; i < 4; ++i) {
      const float x = value(h + i),
                  next = (h + i & 0x7fff) == 0x7bff ? std::copysign(65536.0f, x) : value(h + i + 1 & 0xffff);
      const float middle = std::isfinite(next) ? (x + next) / 2 : x;
      set(in, 4 * i, x);
      set(in, 4 * i + 1, middle);
      set(in, 4 * i + 2, std::nextafter(middle, x));
      set(in, 4 * i + 3, std::nextafter(middle, next));
    }
    convert(in, out);
    for (int i = 0; i < 16; ++i) wrong += !same(lane<uint16_t>(out, i), nearest(lane<float>(in, i)));
    for (int i = 16; i < 32; ++i) wrong += lane<uint16_t>(out, i) != 0;
  }
  CHECK(wrong == 0);
}

namespace {

using Work = void (*)(const Bytes& a, const Bytes& b, Bytes& out, Bytes& first);
#define TINE_ARITHMETIC(name)                                                                    \
  [](const Bytes& a, const Bytes& b, Bytes& out, Bytes& first) WITH_AVX512 {                     \
    asm volatile("vmovups %2, %%zmm8\n\tv" name                                                  \
                 "ph %3, %%zmm8, %%zmm16\n\tvmovups %%zmm16, %0\n\t"                             \
                 "vmovups %2, %%zmm16\n\tv" name "sh %3, %%xmm8, %%xmm16\n\tvmovups %%zmm16, %1" \
                 : "=m"(out), "=m"(first)                                                        \
                 : "m"(a), "m"(b)                                                                \
                 : "xmm8", "xmm16");                                                             \
  }

}  // namespace

TEST_CASE("arithmetic on f16 rounds once", "[executes]") {
  struct Operation {
    const char* name;
    Work work;
    double (*exact)(double, double);
  };
  const Operation all[] = {{"add", TINE_ARITHMETIC("add"), [](double a, double b) { return a + b; }},
                           {"sub", TINE_ARITHMETIC("sub"), [](double a, double b) { return a - b; }},
                           {"mul", TINE_ARITHMETIC("mul"), [](double a, double b) { return a * b; }},
                           {"div", TINE_ARITHMETIC("div"), [](double a, double b) { return a / b; }},
                           // Of two zeros, and with NaN, the second.
                           {"min", TINE_ARITHMETIC("min"), [](double a, double b) { return a < b ? a : b; }},
                           {"max", TINE_ARITHMETIC("max"), [](double a, double b) { return a > b ? a : b; }}};
  for (const Operation& o : all) {
    int wrong = 0;
    for (int h = 0; h < halves; h += 61) {
      Bytes a, b, out, first;
      for (int i = 0; i < 32; ++i)
        set(a, i, static_cast<uint16_t>(h * 32 + i * 2027)), set(b, i, static_cast<uint16_t>(h + i * 2411));
      if (h % 2) set(a, 5, uint16_t{0x8000}), set(b, 5, uint16_t{0});
      o.work(a, b, out, first);
      for (int i = 0; i < 32; ++i) {
        const uint16_t want = nearest(o.exact(value(lane<uint16_t>(a, i)), value(lane<uint16_t>(b, i))));
        wrong += !same(lane<uint16_t>(out, i), want);
        if (i == 0) wrong += !same(lane<uint16_t>(first, 0), want);
        if (i > 0) wrong += lane<uint16_t>(first, i) != (i < 8 ? lane<uint16_t>(a, i) : 0);
      }
    }
    INFO(o.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("vcvtw2ph and vcvtuw2ph: all numbers", "[executes]") {
  const auto convert = [](const Bytes& in, Bytes& with_sign, Bytes& without) WITH_AVX512 {
    asm volatile("vcvtw2ph %2, %%zmm3\n\tvmovups %%zmm3, %0\n\tvcvtuw2ph %2, %%zmm3\n\tvmovups %%zmm3, %1"
                 : "=m"(with_sign), "=m"(without)
                 : "m"(in)
                 : "xmm3");
  };
  int wrong = 0;
  for (int v = 0; v < halves; v += 32) {
    Bytes in, with_sign, without;
    for (int i = 0; i < 32; ++i) set(in, i, static_cast<uint16_t>(v + i));
    convert(in, with_sign, without);
    for (int i = 0; i < 32; ++i) {
      wrong += lane<uint16_t>(with_sign, i) != nearest(static_cast<int16_t>(v + i));
      wrong += lane<uint16_t>(without, i) != nearest(v + i);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("vcvtdq2ph, vcvtudq2ph, vcvtpd2ph and vcvtsd2sh round once", "[executes]") {
  const auto convert = [](const Bytes& whole, const Bytes& wide, Bytes(&out)[4]) WITH_AVX512 {
    asm volatile(
        "vpxor %%xmm7, %%xmm7, %%xmm7\n\t"
        "vcvtdq2ph %[whole], %%ymm3\n\tvmovups %%zmm3, %[a]\n\tvcvtudq2ph %[whole], %%ymm3\n\tvmovups %%zmm3, %[b]\n\t"
        "vcvtpd2phz %[wide], %%xmm3\n\tvmovups %%zmm3, %[c]\n\tvcvtsd2sh %[wide], %%xmm7, %%xmm3\n\tvmovups %%zmm3, "
        "%[d]"
        : [a] "=m"(out[0]), [b] "=m"(out[1]), [c] "=m"(out[2]), [d] "=m"(out[3])
        : [whole] "m"(whole), [wide] "m"(wide)
        : "xmm3", "xmm7");
  };
  int wrong = 0;
  for (int h = 0; h < halves; h += 5) {
    Bytes whole, wide, out[4];
    // Between two f16, and so close to the middle that f32 does not tell them apart.
    const double x = value(h), next = value((h & 0x7fff) < 0x7bff ? h + 1 : h), middle = (x + next) / 2;
    const double near[8] = {
        middle, std::nextafter(middle, x), std::nextafter(middle, next), x, std::nextafter(x, next), 1e300, -1e-300,
        x * 3};
    for (int i = 0; i < 8; ++i) set(wide, i, near[i]);
    for (int i = 0; i < 16; ++i) set(whole, i, static_cast<uint32_t>(h * 97 + 33 * i) << (i % 4 * 5));
    if (h % 2) set(whole, 3, uint32_t{0xffffffff}), set(whole, 4, uint32_t{0x80000000});
    convert(whole, wide, out);
    for (int i = 0; i < 16; ++i) {
      wrong += lane<uint16_t>(out[0], i) != nearest(lane<int32_t>(whole, i));
      wrong += lane<uint16_t>(out[1], i) != nearest(lane<uint32_t>(whole, i));
    }
    for (int i = 0; i < 8; ++i) wrong += !same(lane<uint16_t>(out[2], i), nearest(near[i]));
    wrong += !same(lane<uint16_t>(out[3], 0), nearest(near[0]));
    for (int i = 8; i < 32; ++i) wrong += lane<uint16_t>(out[2], i) != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("vcvtsi2sh and vcvtusi2sh: 32 and 64 bits, from registers and memory", "[executes]") {
  const auto convert = [](int64_t v, uint16_t(&out)[8]) WITH_AVX512 {
#define ONE(text, to) text ", %%xmm7, %%xmm1\n\tvpextrw $0, %%xmm1, %[" to "]\n\t"
    asm volatile("vpxor %%xmm7, %%xmm7, %%xmm7\n\t"                         //
                 ONE("vcvtsi2sh %k[v]", "a") ONE("vcvtsi2sh %q[v]", "b")    //
                 ONE("vcvtsi2shl %[m]", "c") ONE("vcvtsi2shq %[m]", "d")    //
                 ONE("vcvtusi2sh %k[v]", "e") ONE("vcvtusi2sh %q[v]", "f")  //
                 ONE("vcvtusi2shl %[m]", "g") ONE("vcvtusi2shq %[m]", "h")
                 : [a] "=m"(out[0]), [b] "=m"(out[1]), [c] "=m"(out[2]), [d] "=m"(out[3]), [e] "=m"(out[4]),
                   [f] "=m"(out[5]), [g] "=m"(out[6]), [h] "=m"(out[7])
                 : [v] "r"(v), [m] "m"(v)
                 : "xmm1", "xmm7");
#undef ONE
  };
  for (int64_t v : {int64_t{0}, int64_t{-3}, int64_t{2049}, int64_t{2051}, int64_t{65519}, int64_t{65520},
                    int64_t{0x7fffffff}, int64_t{1} << 40, (int64_t{5} << 32) + 7, -(int64_t{1} << 62) + 9}) {
    uint16_t out[8];
    convert(v, out);
    INFO(v);
    for (int from : {0, 2}) {
      CHECK(out[from] == nearest(static_cast<int32_t>(v)));
      CHECK(out[from + 1] == nearest(double(v)));
      CHECK(out[from + 4] == nearest(static_cast<uint32_t>(v)));
      CHECK(out[from + 5] == nearest(double(static_cast<uint64_t>(v))));
    }
  }
}

namespace {

constexpr uint16_t samples[] = {0x3c00, 0xbc00, 0,      0x8000,
                                1,      0x7c00, 0xfc00, 0x7e00};  // 1, -1, 0, -0, 2^-24, inf, -inf, NaN

struct Compared {
  uint64_t packed = 0, scalar = 0, single = 0;
};
template <int predicate>
WITH_AVX512 void compare(const Bytes& a, const Bytes& b, const Bytes& wide_a, const Bytes& wide_b, Compared& out) {
  asm volatile(
      "vmovups %[a], %%zmm1\n\tvcmpph %[p], %[b], %%zmm1, %%k3\n\tkmovq %%k3, %[packed]\n\t"
      "vcmpsh %[p], %[b], %%xmm1, %%k3\n\tkmovq %%k3, %[scalar]\n\t"
      "vmovups %[wide_a], %%zmm1\n\tvcmpps %[p], %[wide_b], %%zmm1, %%k4\n\tkmovq %%k4, %[single]"
      : [packed] "=&r"(out.packed), [scalar] "=&r"(out.scalar), [single] "=&r"(out.single)
      : [a] "m"(a), [b] "m"(b), [wide_a] "m"(wide_a), [wide_b] "m"(wide_b), [p] "i"(predicate)
      : "xmm1", "k3", "k4");
}
template <int... predicate>
int wrong_predicates(const Bytes& a, const Bytes& b, const Bytes& wide_a, const Bytes& wide_b,
                     std::integer_sequence<int, predicate...>) {
  int wrong = 0;
  const auto one = [&](auto run) {
    Compared out;
    run(a, b, wide_a, wide_b, out);
    wrong += (out.packed & 0xffff) != out.single || out.scalar != (out.single & 1);
  };
  (one(compare<predicate>), ...);
  return wrong;
}

}  // namespace

TEST_CASE("vcmpph, vcmpsh and vucomish agree with the comparisons of f32", "[executes]") {
  for (int x = 0; x < 64; ++x) {  // all pairs, each of them first once
    Bytes a{}, b{}, wide_a{}, wide_b{};
    for (int i = 0; i < 16; ++i) {
      const uint16_t l = samples[(x + i) / 8 % 8], r = samples[(x + i) % 8];
      set(a, i, l), set(b, i, r), set(wide_a, i, value(l)), set(wide_b, i, value(r));
    }
    CHECK(wrong_predicates(a, b, wide_a, wide_b, std::make_integer_sequence<int, 32>()) == 0);
  }
  const auto flags = [](uint16_t l, uint16_t r, float wide_l, float wide_r, uint64_t& half, uint64_t& single)
                         WITH_AVX512 {
                           asm volatile(  // SF, ZF, AF, PF, CF, and OF
                               "vmovw %2, %%xmm18\n\tvucomish %3, %%xmm18\n\tlahf\n\tseto %%al\n\tmovzx %%ax, %0\n\t"
                               "vmovss %4, %%xmm18\n\tvucomiss %5, %%xmm18\n\tlahf\n\tseto %%al\n\tmovzx %%ax, %1"
                               : "=&r"(half), "=&r"(single)
                               : "m"(l), "m"(r), "m"(wide_l), "m"(wide_r)
                               : "xmm18", "rax", "cc");
                         };
  for (uint16_t l : samples)
    for (uint16_t r : samples) {
      uint64_t half = 0, single = 0;
      flags(l, r, value(l), value(r), half, single);
      INFO("of " << value(l) << " and " << value(r));
      CHECK(half == single);
    }
}

TEST_CASE("masks, and memory that a mask keeps from being touched", "[executes]") {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* two =
      static_cast<uint8_t*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(two != MAP_FAILED);
  mprotect(two + page, page, PROT_NONE);
  const auto work = [](const uint8_t* from, Bytes& merged, Bytes& zeroed, Bytes& all) WITH_AVX512 {
    asm volatile(
        "mov $0x15, %%eax\n\tkmovq %%rax, %%k5\n\t"
        "vmovups %0, %%zmm20\n\tvcvtph2psx (%3), %%zmm20 %{%%k5%}\n\tvmovups %%zmm20, %0\n\t"
        "vmovups %1, %%zmm21\n\tvcvtph2psx (%3), %%zmm21 %{%%k5%} %{z%}\n\tvmovups %%zmm21, %1\n\t"
        "vcvtph2psx 8(%3) %{1to16%}, %%zmm31\n\tvmovups %%zmm31, %2"
        : "+m"(merged), "+m"(zeroed), "=m"(all)
        : "r"(from)
        : "rax", "k5", "xmm20", "xmm21", "xmm31", "memory");
  };
  uint8_t* from = two + page - 10;  // five f16: 1, 2, 3, 4, 5
  for (int i = 0; i < 5; ++i) {
    const uint16_t h = nearest(i + 1);
    std::memcpy(from + 2 * i, &h, 2);
  }
  Bytes merged, zeroed, all;
  for (int i = 0; i < 16; ++i) set(merged, i, -1.0f), set(zeroed, i, -1.0f);
  work(from, merged, zeroed, all);
  for (int i = 0; i < 16; ++i) {
    const bool on = 0x15 >> i & 1;
    CHECK(lane<float>(merged, i) == (on ? float(i + 1) : -1.0f));
    CHECK(lane<float>(zeroed, i) == (on ? float(i + 1) : 0.0f));
    CHECK(lane<float>(all, i) == 5.0f);
  }
  munmap(two, 2 * page);
}

TEST_CASE("scalars: vmovw, vmovsh, vcvtsh2ss, vcvtss2sh", "[executes]") {
  struct Out {
    uint64_t general = ~uint64_t{0};
    uint16_t stored = 0xcbcb, masked = 0xcbcb, moved = 0xcbcb;
    Bytes loaded, word, merged, single, half;
  } out;
  Bytes old;
  for (int i = 0; i < 32; ++i) set(old, i, static_cast<uint16_t>(0x4000 + i));
  const uint16_t three = nearest(3);
  const float tenth = 0.1f;
  const auto work = [](const Bytes& old, const uint16_t& three, const float& tenth, Out& out) WITH_AVX512 {
    asm volatile(
        "mov $0, %%ecx\n\tkmovq %%rcx, %%k2\n\t"
        "vmovups %[old], %%zmm2\n\tvmovups %[old], %%zmm9\n\t"
        "vmovsh %[three], %%xmm2\n\tvmovups %%zmm2, %[loaded]\n\t"
        "vmovw %%xmm2, %%ecx\n\tmov %%rcx, %[general]\n\tvmovw %%xmm2, %[stored]\n\t"
        "vmovsh %%xmm2, %[masked] %{%%k2%}\n\tvmovsh %%xmm2, %[moved]\n\t"
        "vmovups %[old], %%zmm3\n\tmov $0xabcd1234, %%ecx\n\tvmovw %%ecx, %%xmm3\n\tvmovups %%zmm3, %[word]\n\t"
        "vmovups %[old], %%zmm4\n\tvmovsh %%xmm2, %%xmm9, %%xmm4\n\tvmovups %%zmm4, %[merged]\n\t"
        "vmovups %[old], %%zmm5\n\tvcvtsh2ss %%xmm2, %%xmm9, %%xmm5\n\tvmovups %%zmm5, %[single]\n\t"
        "vmovups %[old], %%zmm6\n\tvcvtss2sh %[tenth], %%xmm9, %%xmm6\n\tvmovups %%zmm6, %[half]"
        : [general] "=m"(out.general), [stored] "=m"(out.stored), [masked] "+m"(out.masked), [moved] "=m"(out.moved),
          [loaded] "=m"(out.loaded), [word] "=m"(out.word), [merged] "=m"(out.merged), [single] "=m"(out.single),
          [half] "=m"(out.half)
        : [old] "m"(old), [three] "m"(three), [tenth] "m"(tenth)
        : "rcx", "k2", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm9");
  };
  work(old, three, tenth, out);
  CHECK(out.general == three);
  CHECK(out.stored == three);
  CHECK(out.masked == 0xcbcb);
  CHECK(out.moved == three);
  CHECK(lane<float>(out.single, 0) == 3.0f);
  for (int i = 0; i < 32; ++i) {
    INFO("lane " << i);
    CHECK(lane<uint16_t>(out.loaded, i) == (i ? 0 : three));
    CHECK(lane<uint16_t>(out.word, i) == (i ? 0 : 0x1234));
    CHECK(lane<uint16_t>(out.merged, i) == (i == 0 ? three : i < 8 ? lane<uint16_t>(old, i) : 0));
    if (i > 1) CHECK(lane<uint16_t>(out.single, i) == (i < 8 ? lane<uint16_t>(old, i) : 0));
    CHECK(lane<uint16_t>(out.half, i) == (i == 0 ? nearest(double(tenth)) : i < 8 ? lane<uint16_t>(old, i) : 0));
  }
}
