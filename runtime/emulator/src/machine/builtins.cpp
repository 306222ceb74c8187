// Functions that PTX declares .extern and the driver provides: vprintf and __assertfail.
#include <algorithm>
#include <cstdio>

#include "machine/exec.hpp"

namespace tine::emulator::detail {
namespace {

// One byte of generic memory, 0 beyond its end.
bool byte_at(Exec& x, const Instr& in, std::uint64_t address, int lane, std::uint8_t& out) {

  Place p;
  if (in_window(address, kSharedWindow)) {
    const std::uint64_t at = address - kSharedWindow;
    if (at < x.block->shared.size()) p.host = x.block->shared.data() + at;
  } else if (in_window(address, kLocalWindow)) {
    const std::uint64_t at = address - kLocalWindow;
    if (at < x.group->frame.local + x.linked->fn->local_bytes) p.host = x.warp->local[static_cast<std::size_t>(lane)].data() + at;
  } else if (const Allocation* a = x.launch->memory->find(address)) {
    p.host = a->host + (address - a->base);
  }
  if (p.host == nullptr) {
    x.report(DiagnosticClass::out_of_bounds, in, lane, "a builtin reads " + hex(address) + ", which is nobody's memory");
    return false;
  }
  out = peek<std::uint8_t>(p.host);
  return true;
}

std::string text_at(Exec& x, const Instr& in, std::uint64_t address, int lane) {
  std::string s;
  std::uint8_t c = 0;
  while (s.size() < 65536 && byte_at(x, in, address++, lane, c) && c != 0) s += static_cast<char>(c);
  return s;
}

// The conversion is ours, one at a time, with a format that cannot be hostile.
std::string format(Exec& x, const Instr& in, int lane, const std::string& f, std::uint64_t args) {
  std::string out;
  std::uint64_t at = args;
  auto fetch = [&](unsigned size) {
    at = (at + size - 1) / size * size;
    std::uint64_t v = 0;
    for (unsigned i = 0; i < size; ++i) {
      std::uint8_t b = 0;
      if (!byte_at(x, in, at + i, lane, b)) break;
      v |= std::uint64_t{b} << (8 * i);
    }
    at += size;
    return v;
  };
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f[i] != '%') {
      out += f[i];
      continue;
    }
    std::string spec = "%";
    ++i;
    while (i < f.size() && std::strchr("-+ #0", f[i]) != nullptr && spec.size() < 8) spec += f[i++];
    auto digits = [&] {
      if (i < f.size() && f[i] == '*') {
        const auto v = static_cast<std::int32_t>(fetch(4));
        spec += std::to_string(std::max(-512, std::min(512, v)));
        ++i;
        return;
      }
      std::size_t n = 0;
      while (i < f.size() && f[i] >= '0' && f[i] <= '9' && n++ < 3) spec += f[i++];
    };
    digits();
    if (i < f.size() && f[i] == '.') {
      spec += f[i++];
      digits();
    }
    bool longer = false;
    while (i < f.size() && std::strchr("hlLzjt", f[i]) != nullptr) {
      if (f[i] == 'l' || f[i] == 'z' || f[i] == 'j' || f[i] == 't') longer = true;
      ++i;
    }
    if (i >= f.size()) break;
    const char c = f[i];
    char text[2048];
    text[0] = 0;
    switch (c) {
      case '%': out += '%'; continue;
      case 'd':
      case 'i': {
        const std::uint64_t v = fetch(longer ? 8 : 4);
        std::snprintf(text, sizeof text, (spec + "lld").c_str(), longer ? static_cast<long long>(v) : static_cast<long long>(static_cast<std::int32_t>(v)));
        break;
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o': std::snprintf(text, sizeof text, (spec + "ll" + c).c_str(), static_cast<unsigned long long>(fetch(longer ? 8 : 4))); break;
      case 'c': std::snprintf(text, sizeof text, (spec + "c").c_str(), static_cast<int>(fetch(4) & 0xFF)); break;
      case 'p': std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(fetch(8))); break;
      case 's': {
        const std::string s = text_at(x, in, fetch(8), lane);
        std::snprintf(text, sizeof text, (spec + "s").c_str(), s.c_str());
        break;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': std::snprintf(text, sizeof text, (spec + c).c_str(), std::bit_cast<double>(fetch(8))); break;
      default: out += spec + c; continue;
    }
    out += text;
  }
  return out;
}

std::uint64_t argument(Exec& x, const Actual& a, int lane) {
  if (a.in_register) return x.slot(a.slot)[lane];
  std::uint64_t v = 0;
  std::memcpy(&v, x.warp->local[static_cast<std::size_t>(lane)].data() + x.group->frame.local + a.offset, std::min(a.size, 8u));
  return v;
}

}  // namespace

void call_builtin(Exec& x, const Instr& in, std::uint32_t mask, std::int32_t which) {
  const CallSite& site = x.linked->fn->calls[in.aux];
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    if (which == kVprintf) {
      const std::string f = text_at(x, in, argument(x, site.arguments[0], lane), lane);
      const std::string s = format(x, in, lane, f, argument(x, site.arguments[1], lane));
      if (x.block->result.output.size() < (std::size_t{1} << 24)) x.block->result.output += s;
      if (!site.results.empty()) {
        const Actual& r = site.results[0];
        const auto n = static_cast<std::uint32_t>(s.size());
        if (r.in_register)
          x.slot(r.slot)[lane] = n;
        else
          std::memcpy(x.warp->local[static_cast<std::size_t>(lane)].data() + x.group->frame.local + r.offset, &n, std::min(r.size, 4u));
      }
    } else if (which == kAssertFail) {
      const std::string message = text_at(x, in, argument(x, site.arguments[0], lane), lane);
      const std::string file = text_at(x, in, argument(x, site.arguments[1], lane), lane);
      const auto line = static_cast<std::uint32_t>(argument(x, site.arguments[2], lane));
      const std::string function = text_at(x, in, argument(x, site.arguments[3], lane), lane);
      x.report(DiagnosticClass::assertion, in, lane, "assertion `" + message + "` failed in " + function + " (" + file + ":" + std::to_string(line) + ")", 0, true);
      x.block->ended = true;
      x.launch->abort.store(true, std::memory_order_relaxed);
      return;
    } else {
      x.report(DiagnosticClass::bad_call, in, lane, "a call of a function that is not there", 0, true);
      x.block->ended = true;
      return;
    }
  }
}

}  // namespace tine::emulator::detail
