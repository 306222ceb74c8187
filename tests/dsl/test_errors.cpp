// The three kinds of error.
#include <catch2/catch.hpp>
#include <string>
#include <type_traits>

#include "tine/error.hpp"

using namespace tine;

TEST_CASE("errors carry their message and place, and copies share it") {
  UserError e("it does not fit", "kernel.hpp", 12, "shapes_differ");
  CHECK(std::string(e.what()) == "kernel.hpp:12: it does not fit");
  CHECK(std::string(e.message()) == "it does not fit");
  CHECK(std::string(e.file()) == "kernel.hpp");
  CHECK(e.line() == 12);
  CHECK(std::string(e.id()) == "shapes_differ");
  UserError f("other");
  CHECK(std::string(f.what()) == "other");
  f = e;
  CHECK(f.message() == e.message());
  f = *&f;
  CHECK(std::string(f.message()) == "it does not fit");
  static_assert(std::is_nothrow_copy_constructible_v<UserError>);
  static_assert(!std::is_base_of_v<UserError, RuntimeError> && !std::is_base_of_v<RuntimeError, InternalError>);
  CHECK_THROWS_AS(throw InternalError("bug"), Error);
}
