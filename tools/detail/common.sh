# What the scripts in tools/ share. Sourced, with `root` set to the repository's top folder.

say() { [ "${quiet:-0}" = 1 ] || printf '%s\n' "$*"; }
fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
usage_error() { printf '%s: %s (see --help)\n' "${0##*/}" "$*" >&2; exit 2; }

# The value of an option, or a usage error: `x=$(option_value --label "$@")`, with the option already shifted away.
option_value() {
  local name=$1
  shift
  [ $# -gt 0 ] || usage_error "$name needs a value"
  printf '%s' "$1"
}

# As many compile jobs as there are cores, fewer where memory is short: a unit that sees MLIR takes up to 1.5 GB.
default_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  [ "$cores" -lt "$memory" ] && echo "$cores" || echo "$memory"
}

# Where a preset builds (CMakePresets.json).
build_folder() {
  case $1 in
    release) echo "$root/build" ;;
    debug | asan) echo "$root/build-$1" ;;
    *) return 1 ;;
  esac
}

# configure_and_build PRESET JOBS [TARGET...]
configure_and_build() {
  local preset=$1 jobs=$2 folder log
  shift 2
  folder=$(build_folder "$preset")
  mkdir -p "$folder"
  log=$folder/configure.log
  say "configuring (preset $preset)"
  (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; fail "cmake failed; its messages stand above"; }
  say "building with $jobs jobs"
  log=$folder/build.log
  # Ninja rewrites one line on a terminal. Where nobody watches, its output is of interest only when it fails.
  if [ "${quiet:-0}" = 0 ] && [ -t 1 ]; then
    cmake --build "$folder" --parallel "$jobs" ${1:+--target "$@"} || fail "the build failed; the compiler's messages stand above"
  else
    cmake --build "$folder" --parallel "$jobs" ${1:+--target "$@"} >"$log" 2>&1 ||
      { grep -v '^\[[0-9/]*\] \(Building\|Linking\|Generating\)' "$log" >&2; fail "the build failed; the compiler's messages stand above"; }
  fi
}
