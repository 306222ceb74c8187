#include "tools/tinec/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

sigset_t held_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, s);
  return set;
}

// Owns the two structures that posix_spawn wants.
struct SpawnSettings {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  SpawnSettings(const sigset_t& mask, bool silent) {
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    // A group of its own: a compiler starts further programs, and all of them are ended together.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &mask);
    const sigset_t defaults = held_signals();
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (silent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

HoldSignals::HoldSignals() {
  ::signal(SIGCHLD, SIG_DFL);  // a parent may have left it ignored, and then nobody could wait for a child
  const sigset_t set = held_signals();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}
HoldSignals::~HoldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

int run_program(const std::vector<std::string>& words, const HoldSignals& hold, bool silent) {
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  const SpawnSettings settings(hold.before(), silent);
  pid_t child = 0;
  if (const int error = ::posix_spawnp(&child, argv[0], &settings.actions, &settings.attributes, argv.data(), environ))
    throw Failure(ticked(words[0]) + " cannot be started: " + std::strerror(error));
  const sigset_t set = held_signals();
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR) throw Failure(ticked(words[0]) + " was lost: " + std::strerror(errno));
    const int signal = ::sigwaitinfo(&set, nullptr);
    if (signal < 0 || signal == SIGCHLD) continue;
    ::kill(-child, SIGTERM);
    ::waitpid(child, &status, 0);
    throw Interrupted{signal};
  }
}

}  // namespace tinec
