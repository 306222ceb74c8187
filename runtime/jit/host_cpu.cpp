#include "runtime/jit/host_cpu.hpp"

#include <cstdint>
#include <cstdio>
#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

namespace tine::jit {
namespace {

#if defined(__x86_64__)
std::string describe() {
  std::string out = "x86_64";
  const auto leaf = [&](unsigned number, unsigned sub, unsigned keep_b) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(number, sub, &a, &b, &c, &d);
    char text[64];
    std::snprintf(text, sizeof text, ";%x.%x:%08x,%08x,%08x,%08x", number, sub, a, b & keep_b, c, d);
    out += text;
    return c;
  };
  leaf(0, 0, ~0u);
  const unsigned features = leaf(1, 0, 0);  // b holds the number of this core
  for (unsigned sub : {0u, 1u}) leaf(7, sub, ~0u);
  leaf(0x24, 0, ~0u);
  leaf(0x80000001, 0, ~0u);
  leaf(0x80000008, 0, ~0u);
  if (features >> 27 & 1) {  // what the system saves of the registers
    unsigned low, high;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    out += ";xcr0:" + std::to_string(low) + "," + std::to_string(high);
  }
  return out;
}
#else
std::string describe() {
  std::string out = std::to_string(getauxval(AT_HWCAP)) + "," + std::to_string(getauxval(AT_HWCAP2));
  if (const auto* platform = reinterpret_cast<const char*>(getauxval(AT_PLATFORM))) out += std::string(",") + platform;
  return out;
}
#endif

}  // namespace

const std::string& host_cpu() {
  static const std::string text = describe();
  return text;
}

}  // namespace tine::jit
