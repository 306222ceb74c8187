// Instructions of tiles executed where they stand, and what the trap hands on.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

struct alignas(64) Shapes {
  uint8_t bytes[64] = {1};
  Shapes& tile(int t, int rows, int row_bytes) {
    bytes[16 + 2 * t] = static_cast<uint8_t>(row_bytes), bytes[48 + t] = static_cast<uint8_t>(rows);
    return *this;
  }
};
void configure(const Shapes& s) { asm volatile("ldtilecfg %0" ::"m"(s.bytes)); }
void release() { asm volatile("tilerelease"); }

// What a child process writes to stderr, and how it ends: its exit code, or 128 + signal.
template <class F>
std::pair<int, std::string> in_child(F f) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDERR_FILENO);
    struct sigaction standard {};  // not Catch's
    standard.sa_handler = SIG_DFL;
    sigaction(SIGILL, &standard, nullptr);
    f();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text};
}

}  // namespace

// Functions (base, index, into): load tile 1 from base + 3 with rows 2 * index apart, with the two in each pair of
// registers, and store it into rows of 64 bytes. One more stores on the stack first.
asm(R"(
.pushsection .text.tine_pairs, "ax", @progbits
.macro save
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  push %rdx
.endm
.macro store_and_return
  pop %rdx
  mov $64, %ecx
  tilestored %tmm1, (%rdx, %rcx)
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
.endm
.irp base, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
  .irp index, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
    .ifnc \base, \index
      1: save
      push %rsi
      push %rdi
      pop %\base
      pop %\index
      tileloadd 3(%\base, %\index, 2), %tmm1
      store_and_return
      .pushsection .data.rel.ro.tine_pairs, "aw", @progbits
      .quad 1b
      .popsection
    .endif
  .endr
.endr
tine_by_stack:
  save
  tileloadd 3(%rdi, %rsi, 2), %tmm1
  sub $1024, %rsp
  mov $64, %ecx
  tilestored %tmm1, (%rsp, %rcx)
  tilezero %tmm1
  tileloadd (%rsp, %rcx), %tmm1
  add $1024, %rsp
  store_and_return
.pushsection .data.rel.ro.tine_pairs, "aw", @progbits
.quad tine_by_stack
.popsection
.popsection
.pushsection .data.rel.ro.tine_pairs, "aw", @progbits
tine_pairs_end:
.popsection
)");

TEST_CASE("tileloadd and tilestored by every register", "[executes]") {
  using Function = void (*)(const uint8_t*, int64_t, uint8_t*);
  const Function* pairs;
  const Function* end;
  asm("lea .data.rel.ro.tine_pairs(%%rip), %0\n\tlea tine_pairs_end(%%rip), %1" : "=r"(pairs), "=r"(end));
  REQUIRE(end - pairs == 15 * 14 + 1);
  std::mt19937 random(1);
  configure(Shapes().tile(1, 13, 50));
  for (; pairs != end; ++pairs) {
    const int64_t half = 25 + int64_t(random() % 20);  // of a stride
    std::vector<uint8_t> from(3 + 13 * 2 * 45), into(16 * 64, 0xcb);
    for (uint8_t& v : from) v = static_cast<uint8_t>(random());
    (*pairs)(from.data(), half, into.data());
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 64; ++c)
        REQUIRE(int(into[std::size_t(r * 64 + c)]) ==
                (r < 13 && c < 50 ? int(from[std::size_t(3 + r * 2 * half + c)]) : 0xcb));
  }
  release();
}

TEST_CASE("each product instruction, with its own tiles", "[executes]") {
  // 3 x 2 sums of 2 units of four bytes.
  uint8_t a[3][8], b[2][8];
  int32_t out[5][3][2];
  std::mt19937 random(2);
  for (auto& row : a)
    for (uint8_t& v : row) v = static_cast<uint8_t>(random());
  for (auto& row : b)
    for (uint8_t& v : row) v = static_cast<uint8_t>(random());
  // Small whole numbers in bf16 are their upper bytes' business: 1 to 16.
  uint16_t fa[3][4], fb[2][4];
  float fout[3][2];
  const auto bf16 = [&](uint16_t& v) {
    const float f = float(1 + random() % 16);
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return v = static_cast<uint16_t>(bits >> 16), f;
  };
  float wa[3][4], wb[2][4];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) wa[i][j] = bf16(fa[i][j]);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) wb[i][j] = bf16(fb[i][j]);

  configure(Shapes().tile(2, 3, 8).tile(4, 3, 8).tile(7, 2, 8));
  const int64_t stride = 8;
  asm volatile(
      "tileloadd (%[a], %[stride]), %%tmm4\n\t"
      "tileloadd (%[b], %[stride]), %%tmm7\n\t"
      "tilezero %%tmm2\n\t tdpbssd %%tmm7, %%tmm4, %%tmm2\n\t tilestored %%tmm2, (%[out], %[stride])\n\t"
      "tilezero %%tmm2\n\t tdpbsud %%tmm7, %%tmm4, %%tmm2\n\t tilestored %%tmm2, 24(%[out], %[stride])\n\t"
      "tilezero %%tmm2\n\t tdpbusd %%tmm7, %%tmm4, %%tmm2\n\t tilestored %%tmm2, 48(%[out], %[stride])\n\t"
      "tilezero %%tmm2\n\t tdpbuud %%tmm7, %%tmm4, %%tmm2\n\t tilestored %%tmm2, 72(%[out], %[stride])\n\t"
      "tdpbuud %%tmm7, %%tmm4, %%tmm2\n\t tilestored %%tmm2, 96(%[out], %[stride])\n\t"
      "tileloadd (%[fa], %[stride]), %%tmm4\n\t"
      "tileloadd (%[fb], %[stride]), %%tmm7\n\t"
      "tilezero %%tmm2\n\t tdpbf16ps %%tmm7, %%tmm4, %%tmm2\n\t tilestored %%tmm2, (%[fout], %[stride])"
      :
      : [a] "r"(a), [b] "r"(b), [out] "r"(out), [fa] "r"(fa), [fb] "r"(fb), [fout] "r"(fout), [stride] "r"(stride)
      : "memory");
  release();
  const auto value = [](uint8_t v, bool is_signed) { return is_signed ? int{static_cast<int8_t>(v)} : int{v}; };
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 2; ++n) {
      for (int kind = 0; kind < 5; ++kind) {
        int sum = 0;
        for (int k = 0; k < 8; ++k)
          sum += value(a[m][k], kind < 2) * value(b[k / 4][4 * n + k % 4], kind == 0 || kind == 2);
        CHECK(out[kind][m][n] == (kind == 4 ? 2 * sum : sum));
      }
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += wa[m][k] * wb[k / 2][2 * n + k % 2];
      CHECK(fout[m][n] == sum);
    }
}

TEST_CASE("each thread has tiles of its own", "[executes]") {
  std::vector<std::thread> threads;
  int wrong[4] = {};
  for (int id = 0; id < 4; ++id)
    threads.emplace_back([id, &wrong] {
      std::vector<uint8_t> from(16 * 64, static_cast<uint8_t>(id + 1)), into(16 * 64);
      const int64_t stride = 64;
      configure(Shapes().tile(0, 4 + id, 60 - id));
      for (int round = 0; round < 200; ++round) {
        asm volatile("tileloadd (%0, %1), %%tmm0" ::"r"(from.data()), "r"(stride) : "memory");
        std::this_thread::yield();
        std::fill(into.begin(), into.end(), uint8_t{0});
        asm volatile("tilestored %%tmm0, (%0, %1)" ::"r"(into.data()), "r"(stride) : "memory");
        int sum = 0;
        for (uint8_t v : into) sum += v;
        wrong[id] += sum != (4 + id) * (60 - id) * (id + 1);
      }
      release();
    });
  for (std::thread& t : threads) t.join();
  for (int w : wrong) CHECK(w == 0);
}

TEST_CASE("what would be #UD or #GP ends the process, with the instruction's bytes", "[executes][trap]") {
  auto [code, text] = in_child([] { asm volatile("tilezero %tmm1"); });
  CHECK(code == 128 + SIGILL);
  CHECK(text == "emulated instruction c4 e2 7b 49 c8: #UD: no tile is configured\n");
  std::tie(code, text) = in_child([] { configure(Shapes().tile(0, 17, 64)); });
  CHECK(code == 128 + SIGILL);
  CHECK(text.ends_with(": #GP: a shape larger than a tile\n"));
  std::tie(code, text) = in_child([] {
    Shapes into;
    asm volatile("sttilecfg %0" : "=m"(into.bytes));
  });
  CHECK(code == 128 + SIGILL);
  CHECK(text.empty());  // code for `cpu:amx` has none
}

namespace {
volatile std::sig_atomic_t seen = 0;
void count_and_step(int, siginfo_t*, void* context) {
  seen = seen + 1;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] += 2;
}
}  // namespace

TEST_CASE("other illegal instructions are others'", "[executes][trap]") {
  CHECK(in_child([] { asm volatile("ud2"); }) == std::pair{128 + SIGILL, std::string()});
  // Signals that are sent, too, whatever the instruction is at which they come.
  CHECK(in_child([] { ::raise(SIGILL); }) == std::pair{128 + SIGILL, std::string()});
  // A handler that is set after the trap gets these alone, and sees its own when it asks.
  CHECK(in_child([] {
          struct sigaction mine {
          }, found{};
          mine.sa_sigaction = count_and_step;
          mine.sa_flags = SA_SIGINFO;
          sigaction(SIGILL, &mine, nullptr);
          configure(Shapes().tile(0, 4, 4));
          asm volatile("ud2");
          sigaction(SIGILL, nullptr, &found);
          _exit(seen == 1 && found.sa_sigaction == count_and_step ? 7 : 1);
        }).first == 7);
}
