// .npy files and slices of them. Slices are compared with Python's rules, applied to every short range.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <random>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/npy.hpp"
#include "tools/tinec/slice.hpp"

using namespace tinec;
using npy::Element;

namespace {

std::vector<int32_t> elements(const npy::View& v) {
  std::vector<int32_t> out;
  std::vector<int64_t> index(v.shape.size(), 0);
  for (const int64_t n : v.shape)
    if (n == 0) return out;
  for (;;) {
    int64_t offset = 0;
    for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * v.strides[d];
    int32_t value;
    std::memcpy(&value, v.data + 4 * offset, 4);
    out.push_back(value);
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == v.shape[d - 1]) index[--d] = 0;
    if (d == 0) return out;
  }
}

npy::Array numbered(const std::vector<int64_t>& shape) {
  npy::Array a = npy::make_array({'i', 4}, shape, "a test");
  for (std::size_t i = 0; i < a.buffer.size() / 4; ++i) {
    const auto value = static_cast<int32_t>(i);
    std::memcpy(a.buffer.data() + 4 * i, &value, 4);
  }
  return a;
}

// The indices of Python's range(*slice(start, stop, step).indices(n)).
std::vector<int32_t> python(int64_t n, std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step) {
  const int64_t low = step < 0 ? -1 : 0, high = step < 0 ? n - 1 : n;
  const auto bound = [&](std::optional<int64_t> b, int64_t otherwise) {
    if (!b) return otherwise;
    const int64_t v = *b < 0 ? *b + n : *b;
    return v < low ? low : v > high ? high : v;
  };
  const int64_t a = bound(start, step < 0 ? high : low), b = bound(stop, step < 0 ? low : high);
  std::vector<int32_t> out;
  for (int64_t i = a; step < 0 ? i > b : i < b; i += step) out.push_back(static_cast<int32_t>(i));
  return out;
}

std::string text(std::optional<int64_t> v) { return v ? std::to_string(*v) : ""; }

}  // namespace

TEST_CASE("headers that are written are read") {
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{}, {0}, {5}, {2, 3}, {1, 2, 3, 4, 5, 6, 7, 8}, {1234567890123, 0}})
    for (const bool fortran : {false, true})
      for (const Element e : {Element{'b', 1}, {'i', 8}, {'u', 2}, {'f', 2}}) {
        const std::string head = npy::make_header({e, false, fortran, shape});
        CHECK(head.size() % 64 == 0);
        const npy::Header got = npy::parse_header(std::string_view(head).substr(10));
        CHECK(got.element == e);
        CHECK(got.fortran_order == fortran);
        CHECK(got.shape == shape);
      }
}

TEST_CASE("headers as Python may write them") {
  const npy::Header h = npy::parse_header("{\"shape\":(3L,\n 4L), 'fortran_order' : True,'descr':'>u4'}");
  CHECK(h.big_endian);
  CHECK(h.fortran_order);
  CHECK(h.shape == std::vector<int64_t>{3, 4});
  CHECK(npy::parse_header("{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }").shape ==
        std::vector<int64_t>{7});
}

TEST_CASE("no bytes make the parser of headers do anything but refuse") {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }          \n";
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % bad.size();
      if (random() % 3 == 0)
        bad.erase(at, 1 + random() % 3);
      else if (random() % 2)
        bad[at] = static_cast<char>(random());
      else
        bad.insert(at, 1, "{}()',:0129-"[random() % 12]);
    }
    try {
      npy::parse_header(bad);
    } catch (const Failure&) {
      ++refused;
    }
  }
  CHECK(refused > 10000);
}

namespace {

std::string changed(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

// Why a file of these bytes is refused; "" if it is not.
std::string complaint(const std::string& bytes) {
  const TemporaryDirectory folder;
  write_file(folder.file("x.npy"), bytes);
  try {
    npy::read(folder.file("x.npy"));
    return "";
  } catch (const Failure& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("broken files are refused with a sentence") {
  using Catch::Matchers::Contains;
  const std::string head = npy::make_header({{'i', 4}, false, false, {2, 2}}), good = head + std::string(16, 'x');
  CHECK(complaint(good).empty());
  CHECK(complaint(good + "more, as from a second array in the file").empty());
  for (const std::string& bad : {std::string(), good.substr(0, 5), "PK\x03\x04" + good, std::string(200, '\0')})
    CHECK_THAT(complaint(bad), Contains("it does not begin with NumPy's magic string"));
  CHECK_THAT(complaint(changed(good, "Y\x01", "Y\x09")),
             Contains("its format version 9 is unknown; there are 1, 2 and 3"));
  for (const std::size_t n : {8, 9, 60})
    CHECK_THAT(complaint(good.substr(0, n)), Contains("it ends within its header"));
  CHECK_THAT(complaint("\x93NUMPY\x02" + std::string(1, '\0') + "\xff\xff\xff\xff" + good),
             Contains("is larger than 1 MiB"));
  CHECK_THAT(complaint(good.substr(0, good.size() - 1)),
             Contains("its shape 2x2 needs 16 bytes of data, but 15 follow"));
  for (const auto& [from, to] : {std::pair{"{", "["},
                                 {"(2, 2)", "(2; 2)"},
                                 {"False", "Falsy"},
                                 {"'descr'", "descr_ "},
                                 {"}  ", "} x"},
                                 {"(2, 2)", "(2.5,)"},
                                 {"(2, 2)", "(2, 2 "},
                                 {"':", "' "}})
    CHECK_THAT(complaint(changed(good, from, to)),
               Contains("its header is not a dict of `descr`, `fortran_order` and `shape`"));
  CHECK_THAT(complaint(changed(good, ", 'shape': (2, 2)", std::string(17, ' '))), Contains("its header lacks one of"));
  CHECK_THAT(complaint(changed(good, "shape", "shapf")), Contains("its header has the unexpected key `shapf`"));
  CHECK_THAT(complaint(changed(good, "'shape': (2, 2)", "'descr': '<i4' ")),
             Contains("its header has the unexpected key `descr`"));
  CHECK_THAT(complaint(changed(good, "(2, 2)", "(2,-2)")), Contains("its header names the negative size -2"));
  CHECK_THAT(complaint(changed(good, "'<i4'", "[()] ")),
             Contains("its elements are records; a kernel takes one number in each element"));
  for (const char* descr :
       {"<c8", "<M8", "|O8", "<f1", "<i3", "<U4", "|i4", "?i4", "<i9", "<f\x01", "|S4", "<b4", "V16", "<i-", "<V4"})
    CHECK_THAT(complaint(changed(good, "<i4", descr)), Contains("which no kernel takes"));
  const auto shaped = [](std::vector<int64_t> shape) {
    return npy::make_header({{'i', 4}, false, false, std::move(shape)});
  };
  CHECK_THAT(complaint(changed(shaped({1111111111111111111, 1}), "1111111111111111111", "9999999999999999999")),
             Contains("does not fit in 64 bits"));
  CHECK_THAT(complaint(shaped(std::vector<int64_t>(65, 1))), Contains("its header names more than 64 dims"));
  CHECK_THAT(complaint(shaped({int64_t{1} << 61, int64_t{1} << 61})), Contains("is larger than any memory"));
  CHECK_THAT(complaint(shaped({int64_t{1} << 40, 1})), Contains("bytes of data, but 0 follow"));
  CHECK(complaint(shaped({int64_t{1} << 62, 0})).empty());
}

TEST_CASE("views are written in the order in which they lie") {
  const TemporaryDirectory folder;
  const std::string file = folder.file("x.npy");
  const npy::Array a = numbered({4, 5});
  npy::write(file, a.view);
  CHECK(elements(npy::read(file).view) == elements(a.view));
  CHECK_FALSE(npy::read_header(file).fortran_order);

  npy::View transposed = a.view;
  std::swap(transposed.shape[0], transposed.shape[1]);
  std::swap(transposed.strides[0], transposed.strides[1]);
  npy::write(file, transposed);
  CHECK(npy::read_header(file).fortran_order);
  CHECK(elements(npy::read(file).view) == elements(transposed));

  for (const char* items : {"::-1, 1:4", "..., None", "2", "1:1", "3, ::2", "0, 0"}) {
    const npy::View part = slice(a.view, items);
    npy::write(file, part);
    CHECK(npy::read_header(file).shape == part.shape);
    CHECK(elements(npy::read(file).view) == elements(part));
  }
  const npy::Array large = numbered({700, 900});  // more than one portion
  npy::write(file, slice(large.view, "::-1, ::-1"));
  CHECK(elements(npy::read(file).view) == elements(slice(large.view, "::-1, ::-1")));
}

TEST_CASE("arrays lie at multiples of 64 bytes") {
  for (const int64_t n : {0, 1, 1000}) CHECK(reinterpret_cast<uintptr_t>(numbered({n}).view.data) % 64 == 0);
}

TEST_CASE("a dim is sliced as Python does") {
  for (const int64_t n : {0, 1, 5}) {
    const npy::Array a = numbered({n});
    std::vector<std::optional<int64_t>> ends = {{}, 9223372036854775807, -9223372036854775807 - 1};
    for (int64_t v = -n - 2; v <= n + 2; ++v) ends.push_back(v);
    for (const auto& start : ends)
      for (const auto& stop : ends)
        for (const int64_t step : {1, 2, 3, 7, -1, -2, -7}) {
          const std::string items = text(start) + ":" + text(stop) + ":" + std::to_string(step);
          INFO(n << " " << items);
          REQUIRE(elements(slice(a.view, items)) == python(n, start, stop, step));
        }
    CHECK(elements(slice(a.view, "::9223372036854775807")) == python(n, {}, {}, 100));
    CHECK(elements(slice(a.view, "::-9223372036854775808")) == python(n, {}, {}, -100));
  }
}

TEST_CASE("slices of several dims") {
  const npy::Array a = numbered({2, 3, 4});
  CHECK(slice(a.view, "1").shape == std::vector<int64_t>{3, 4});
  CHECK(slice(a.view, "..., -1").shape == std::vector<int64_t>{2, 3});
  CHECK(elements(slice(a.view, "1, ..., 2")) == std::vector<int32_t>{14, 18, 22});
  CHECK(slice(a.view, "None, 0, newaxis, :, None").shape == std::vector<int64_t>{1, 1, 3, 1, 4});
  CHECK(elements(slice(a.view, " -1 , -1 , 3 : 0 : -1 ")) == std::vector<int32_t>{23, 22, 21});
  for (const char* bad : {"2", "-3", "0,0,0,0", "...,...", "::0", "1:2:3:4", "a", "", ",", "1.5", "0x1", "1:b"})
    CHECK_THROWS_AS(slice(a.view, bad), Failure);
}

TEST_CASE("brackets at the end are a slice") {
  CHECK(split_slice("a.npy") == std::pair<std::string, std::optional<std::string>>{"a.npy", {}});
  CHECK(split_slice("a.npy[1:]") == std::pair<std::string, std::optional<std::string>>{"a.npy", "1:"});
  CHECK(split_slice("d[0]/a.npy").first == "d[0]/a.npy");
  CHECK(split_slice("d[0]/a.npy[2]").first == "d[0]/a.npy");
  CHECK(split_slice("[1]").first == "[1]");
}

TEST_CASE("files are replaced whole or not at all") {
  const TemporaryDirectory folder;
  write_file(folder.file("x"), "old");
  CHECK_THROWS_AS(write_file(folder.file("x"), [](Sink& s) { return s.write("new", 3) && false; }), Failure);
  CHECK(read_text(folder.file("x"), 100) == "old");
  write_file(folder.file("x"), "new");
  CHECK(read_text(folder.file("x"), 100) == "new");
  CHECK_THROWS_AS(read_text(folder.file("x"), 2), Failure);
  CHECK_THROWS_AS(write_file("/dev/full", "x"), Failure);
}
