// Names, shapes and numbers from the command line.
#include <catch2/catch.hpp>

#include "tools/tinec/text.hpp"

using namespace tinec;

TEST_CASE("what would break a line or is no UTF-8 is shown by its code") {
  CHECK(printable("a b") == "a b");
  CHECK(printable("a\nb\tc") == "a\\nb\\tc");
  CHECK(printable("\x1b[31m") == "\\x1b[31m");
  CHECK(printable("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");
  CHECK(printable(std::string_view("\0x", 2)) == "\\x00x");
}

TEST_CASE("lists read as sentences do") {
  CHECK(list_of({}) == "nothing");
  const std::vector<std::string> names = {"a", "b", "c"};
  CHECK(list_of(std::span(names).first(1)) == "`a`");
  CHECK(list_of(std::span(names).first(2)) == "`a` and `b`");
  CHECK(list_of(names) == "`a`, `b` and `c`");
}

TEST_CASE("the nearest names come first, equally near ones as they were") {
  const std::vector<std::string> names = {"Softmax", "Add", "Addmm", "RmsNorm"};
  CHECK(nearest_first("add", names)[0] == "Add");
  CHECK(nearest_first("Adm", names)[0] == "Add");
  CHECK(nearest_first("softMax", names)[0] == "Softmax");
  CHECK(nearest_first("", std::vector<std::string>{"y", "x"}) == std::vector<std::string>{"y", "x"});
  CHECK(distance("kitten", "sitting") == 6);
  CHECK(distance("A", "a") == 1);
  CHECK(distance(std::string(100000, 'x'), std::string(100000, 'y')) == 400);  // only the begin counts
}

TEST_CASE("integers") {
  CHECK(parse_integer("0") == 0);
  CHECK(parse_integer("-12") == -12);
  CHECK(parse_integer("+12") == 12);
  CHECK(parse_integer("9223372036854775807") == INT64_MAX);
  for (const char* bad : {"", "+", "-", "+-1", " 1", "1 ", "1.0", "0x10", "9223372036854775808", "1e3"})
    CHECK_FALSE(parse_integer(bad));
}

TEST_CASE("shapes") {
  CHECK(parse_shape("5") == std::vector<int64_t>{5});
  CHECK(parse_shape("5x0x7") == std::vector<int64_t>{5, 0, 7});
  for (const char* bad : {"", "x", "5x", "x5", "5xx7", "-5", "5,7", "5X7"}) CHECK_FALSE(parse_shape(bad));
  CHECK(shape_text(std::vector<int64_t>{5, 7}) == "5x7");
  CHECK(shape_text({}) == "scalar");
}

TEST_CASE("assignments split at the first sign") {
  CHECK(parse_assignment("a=b=c") == std::pair<std::string, std::string>{"a", "b=c"});
  for (const char* bad : {"", "a", "=b", "a="}) CHECK_FALSE(parse_assignment(bad));
}
