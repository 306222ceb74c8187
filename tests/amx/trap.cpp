#include "trap.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "half.hpp"
#include "tiles.hpp"

namespace tine::amx {
namespace {

thread_local Tiles tiles;
bool installed = false;
struct sigaction others {};  // what would handle SIGILL without the trap

int system_sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  static const auto next = reinterpret_cast<decltype(&sigaction)>(::dlsym(RTLD_NEXT, "sigaction"));
  return next(signal, action, old);
}

// Instructions on tiles: VEX, no vector length, W 0, map 2, and no register beyond eight.
Done execute_tiles(const Instruction& in, const Registers& r, const char*& why) {
  if (in.encoding != Instruction::vex || in.map != 2 || in.wide || in.vector_length) return Done::other;
  const auto from = reinterpret_cast<uint8_t*>(r.base_address(in));
  const auto stride = static_cast<int64_t>(r.scaled_index(in));
  const auto on_tile = [&](bool operands_fit) { return operands_fit && in.vvvv == 0 && in.reg < Tiles::count; };
  const auto on_three = [&] {
    return !in.in_memory && in.reg < Tiles::count && in.rm < Tiles::count && in.vvvv < Tiles::count;
  };
  bool known = true;
  if (in.opcode == 0x49 && in.prefix == Instruction::np && in.reg == 0 && in.vvvv == 0 && in.in_memory)
    why = tiles.ldtilecfg(from + stride);
  else if (in.opcode == 0x49 && in.prefix == Instruction::np && in.reg == 0 && in.vvvv == 0 && in.rm == 0)
    tiles.tilerelease();
  else if (in.opcode == 0x49 && in.prefix == Instruction::pf2 && on_tile(!in.in_memory && in.rm == 0))
    why = tiles.tilezero(in.reg);
  else if (in.opcode == 0x4b && in.prefix == Instruction::pf2 && on_tile(in.sib))
    why = tiles.tileloadd(in.reg, from, stride);
  else if (in.opcode == 0x4b && in.prefix == Instruction::pf3 && on_tile(in.sib))
    why = tiles.tilestored(in.reg, from, stride);
  else if (in.opcode == 0x5c && in.prefix == Instruction::pf3 && on_three())
    why = tiles.tdpbf16ps(in.reg, in.rm, in.vvvv);
  else if (in.opcode == 0x5e && on_three())
    why = tiles.tdpb(in.reg, in.rm, in.vvvv, in.prefix == Instruction::pf2 || in.prefix == Instruction::pf3,
                     in.prefix == Instruction::pf2 || in.prefix == Instruction::p66);
  else
    known = false;
  return !known ? Done::other : why ? Done::no : Done::yes;
}

void report(const uint8_t* bytes, int size, const char* why) {
  char text[256];
  int n = std::snprintf(text, sizeof text, "emulated instruction");
  for (int i = 0; i < size; ++i)
    n += std::snprintf(text + n, sizeof text - static_cast<std::size_t>(n), " %02x", bytes[i]);
  n += std::snprintf(text + n, sizeof text - static_cast<std::size_t>(n), ": %s\n", why);
  if (::write(STDERR_FILENO, text, static_cast<std::size_t>(n)) < 0) return;
}

// The kernel gives a handler floating-point arithmetic in its initial state, whatever the thread had set.
void on_illegal(int, siginfo_t* info, void* context) {
  const Registers registers(*static_cast<ucontext_t*>(context));
  const auto* bytes = reinterpret_cast<const uint8_t*>(registers.rip());
  Instruction in;
  const char* why = nullptr;
  Done done = Done::other;
  const bool sent = info->si_code <= 0;  // by somebody, not by an instruction
  if (!sent && decode(bytes, in)) {
    done = execute_tiles(in, registers, why);
    if (done == Done::other) done = execute_half(in, registers, why);
  }
  if (done == Done::yes) {
    registers.rip() += static_cast<uint64_t>(in.size);
    return;
  }
  if (done == Done::no) report(bytes, in.size, why);
  installed = false;
  system_sigaction(SIGILL, &others, nullptr);  // and the instruction is tried again
  if (sent) ::raise(SIGILL);
}

}  // namespace

void install_trap() {
  struct sigaction action {};
  action.sa_sigaction = on_illegal;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  if (!installed) system_sigaction(SIGILL, &action, &others);
  installed = true;
}

}  // namespace tine::amx

// In place of the C library's, so that the trap stays before all handlers that are set later: Catch sets one for each
// test, and LLVM while it links.
extern "C" int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  using namespace tine::amx;
  if (signal != SIGILL || !installed) return system_sigaction(signal, action, old);
  if (old) *old = others;
  if (action) others = *action;
  return 0;
}
