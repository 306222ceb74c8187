// The differential fuzzer.
//   fuzz [--seed N] [--count N] [--seconds S] [--target T] [--keep-going]    random programs
//   fuzz --replay SEED or --choices 1,2,3 [--target T]                       one of them, with its text
// Programs run in a child process, so that a crash is a finding like any other. Failures are shrunk and printed. The
// exit code is 1 if there are any.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <new>
#include <sstream>
#include <string>

#include "execute.hpp"
#include "shrink.hpp"
#include "tests/amx/provide.hpp"

using namespace tine::fuzz;

namespace {

struct Options {
  uint64_t seed = 1, count = UINT64_MAX;
  double seconds = 20;
  std::string target;  // empty: all that this processor runs, in turn
  bool keep_going = false, replay = false, amx = false;
  std::vector<uint32_t> choices;
};

constexpr int found = 42;  // exit code of a child that reported a failure itself; LLVM ends a process with 1

// What the child tells while it works and after it died.
struct Shared {
  uint64_t seed, done;
  uint64_t kinds[5];
  uint64_t failed;
};

std::vector<std::string> targets(const Options& o) {
  if (!o.target.empty()) return {o.target};
  std::vector<std::string> t = {"cpu", "cpu:x86-64-v3"};
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    t.push_back("cpu:x86-64-v4");
  if (o.amx) t.push_back("cpu:amx");
  return t;
}
std::string target_of(const Options& o, uint64_t seed) {
  const std::vector<std::string> t = targets(o);
  return t[seed % t.size()];
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string text(const std::vector<uint32_t>& list) {
  std::string s;
  for (uint32_t v : list) s += (s.empty() ? "" : ",") + std::to_string(v);
  return s.empty() ? "0" : s;
}

void print(const char* title, const Outcome& o) {
  std::printf("%s\n%s\n%s\n", title, o.message.c_str(), o.program.c_str());
}

/// How f ended when it ran in a child: its exit code, or 128 + signal.
int in_child(const std::function<int()>& f) {
  std::fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(60);  // a program that does not end
    const int code = f();
    std::fflush(stdout);
    _exit(code);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_failure(Outcome::Kind k) { return k >= Outcome::refused; }

// The kind of failure, so that shrinking does not slip to another: the kind and the first words of the message.
std::string signature(const Outcome& o) {
  std::string s = std::to_string(o.kind) + o.message.substr(0, 6);
  if (o.kind == Outcome::refused || o.kind == Outcome::broken) {
    const std::size_t at = o.message.rfind(": ");
    s += o.message.substr(at == o.message.npos ? 0 : at, 12);
  }
  return s;
}

void report(uint64_t seed, const std::string& target, const Outcome& first, const std::vector<uint32_t>& list) {
  std::printf("seed %llu, target %s: FAILED\n", static_cast<unsigned long long>(seed), target.c_str());
  print("as generated:", first);
  const std::string wanted = signature(first);
  const std::vector<uint32_t> small = shrink(
      list,
      [&](const std::vector<uint32_t>& next) {
        Choices c(next);
        const Outcome o = execute(c, target);
        return is_failure(o.kind) && signature(o) == wanted;
      },
      800);
  Choices c(small);
  print("shrunk:", execute(c, target, true));
  std::printf("replay with --target %s --choices %s\n\n", target.c_str(), text(small).c_str());
}

void report_crash(uint64_t seed, const std::string& target, int code) {
  std::printf("seed %llu, target %s: the process ended with code %d\n", static_cast<unsigned long long>(seed),
              target.c_str(), code);
  if (code == 128 + SIGALRM) return;  // each try of shrinking would take as long
  // The list of choices is made in a child too, up to the crash: all that it needs is the seed, drawn on without
  // running.
  auto* shared =
      static_cast<uint32_t*>(mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  in_child([&] {
    Choices c(seed);
    execute_front(c);
    shared[0] = static_cast<uint32_t>(c.list().size());
    std::memcpy(shared + 1, c.list().data(), c.list().size() * sizeof(uint32_t));
    return 0;
  });
  const std::vector<uint32_t> small = shrink(
      {shared + 1, shared + 1 + shared[0]},
      [&](const std::vector<uint32_t>& next) {
        return in_child([&] {
                 Choices c(next);
                 execute(c, target);
                 return 0;
               }) == code;
      },
      150);
  munmap(shared, 1 << 16);
  in_child([&] {
    Choices c(small);
    print("shrunk:", execute_front(c));
    return 0;
  });
  std::printf("replay with --target %s --choices %s\n\n", target.c_str(), text(small).c_str());
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (a == "--seed")
      o.seed = std::stoull(value());
    else if (a == "--count")
      o.count = std::stoull(value());
    else if (a == "--seconds")
      o.seconds = std::stod(value());
    else if (a == "--target")
      o.target = value();
    else if (a == "--keep-going")
      o.keep_going = true;
    else if (a == "--replay")
      o.replay = true, o.seed = std::stoull(value());
    else if (a == "--choices") {
      o.replay = true;
      std::stringstream list(value());
      for (std::string item; std::getline(list, item, ',');)
        o.choices.push_back(static_cast<uint32_t>(std::stoul(item)));
    } else {
      std::fprintf(stderr, "unknown option %s\n", a.c_str());
      std::exit(2);
    }
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  Options o = parse(argc, argv);
  const tine::amx::Provided unit = tine::amx::provide_tile_unit();
  std::printf("%s\n", unit.how.c_str());
  o.amx = unit.runs;
  setenv("TINE_CACHE", "off", 0);
  if (o.replay) {
    Choices c = o.choices.empty() ? Choices(o.seed) : Choices(o.choices);
    const Outcome outcome = execute(c, target_of(o, o.seed), true);
    print("", outcome);
    return is_failure(outcome.kind);
  }
  auto* shared =
      new (mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Shared{};
  const double end = now() + o.seconds;
  shared->seed = o.seed;
  while (shared->done < o.count && now() < end && (o.keep_going || shared->failed == 0)) {
    const int code = in_child([&] {
      for (; shared->done < o.count && now() < end; ++shared->seed) {
        alarm(60);
        ++shared->done;
        Choices c(shared->seed);
        const std::string target = target_of(o, shared->seed);
        const Outcome outcome = execute(c, target);
        ++shared->kinds[outcome.kind];
        if (!is_failure(outcome.kind)) continue;
        ++shared->failed;
        alarm(0);
        report(shared->seed, target, outcome, c.list());
        if (!o.keep_going) return found;
      }
      return 0;
    });
    if (code == found) break;
    if (code == 0) continue;
    ++shared->failed;
    report_crash(shared->seed, target_of(o, shared->seed), code);
    ++shared->seed;
  }
  std::printf(
      "%llu programs from seed %llu: %llu same, %llu undetermined, %llu refused, %llu different, %llu broken, %llu "
      "failures\n",
      static_cast<unsigned long long>(shared->done), static_cast<unsigned long long>(o.seed),
      static_cast<unsigned long long>(shared->kinds[0]), static_cast<unsigned long long>(shared->kinds[1]),
      static_cast<unsigned long long>(shared->kinds[2]), static_cast<unsigned long long>(shared->kinds[3]),
      static_cast<unsigned long long>(shared->kinds[4]), static_cast<unsigned long long>(shared->failed));
  return shared->failed != 0;
}
