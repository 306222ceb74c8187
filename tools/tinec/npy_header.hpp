// The text at the head of a .npy file: a Python dict that says what the bytes behind it are.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tinec::npy {

/// An element as NumPy names it: kind `b` bool, `i` `u` integers, `f` float, `V` raw bytes; and its size.
struct Element {
  char kind = 'f';
  int bytes = 4;
  friend bool operator==(const Element&, const Element&) = default;
};

struct Header {
  Element element;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

/// "float32", "uint16", "bool", ...
std::string name(Element);
/// Throws a Failure that says what is wrong, as the end of a sentence: "its header ...".
Header parse_header(std::string_view text);
/// Magic string, version, length and text, padded so that the data begin at a multiple of 64 bytes.
std::string make_header(const Header&);

}  // namespace tinec::npy
