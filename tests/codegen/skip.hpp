// A test that lacks something of the machine says so and ends.
#pragma once
#include <catch2/catch.hpp>
#include <cstdio>

inline void skip(const char* reason) {
  WARN("skipped: " << reason);
  std::printf("skipped: %s\n", reason);
}
