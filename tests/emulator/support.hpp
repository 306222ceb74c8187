// What every test of the PTX machine uses: fixtures, device arrays, a deterministic source of numbers.
#pragma once
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tine/emulator/emulator.hpp"

namespace emu = tine::emulator;

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}
inline std::string fixture_path(const std::string& name) { return std::string(TINE_EMULATOR_TESTS) + "/fixtures/" + name; }

struct Random {  // splitmix64: the same numbers everywhere
  std::uint64_t state;
  explicit Random(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  float real() { return static_cast<float>(static_cast<std::int64_t>(next() >> 40)) / 16777216.0f * 2.0f - 1.0f; }  // [-1, 1)
};

// A machine with one module, and arrays that travel with it.
struct Session {
  emu::Machine machine;
  emu::Options options;
  emu::Report report;

  explicit Session(const std::string& ptx, const std::string& name = "ptx", const emu::Options& o = {}) : options(o) { machine.load(ptx, name); }

  template <class T> emu::DevicePtr upload(const std::vector<T>& v, const std::string& name = {}) {
    const emu::DevicePtr p = machine.memory().allocate(v.size() * sizeof(T), name);
    machine.memory().write(p, v.data(), v.size() * sizeof(T));
    return p;
  }
  template <class T> emu::DevicePtr fresh(std::size_t n, const std::string& name = {}) { return machine.memory().allocate(n * sizeof(T), name); }
  template <class T> std::vector<T> download(emu::DevicePtr p, std::size_t n) {
    std::vector<T> v(n);
    machine.memory().read(p, v.data(), n * sizeof(T));
    return v;
  }
  template <class... A> emu::Report& run(const std::string& kernel, std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block, std::uint32_t shared, const A&... args) {
    emu::LaunchConfig c;
    c.grid = grid;
    c.block = block;
    c.shared_bytes = shared;
    report = machine.launch(kernel, c, {emu::Argument::of(args)...}, options);
    return report;
  }
};

// PTX around a body, for tests written by hand.
inline std::string ptx_module(const std::string& rest, const std::string& target = "sm_89", const std::string& version = "8.4") {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n" + rest;
}
