#include "npy.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ptx_run {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw std::runtime_error(path + ": " + why); }

// The value behind 'key': in the header's dictionary.
std::string value_of(const std::string& path, const std::string& header, const std::string& key) {
  const std::size_t k = header.find("'" + key + "'");
  if (k == std::string::npos) fail(path, "the header has no '" + key + "'");
  std::size_t b = header.find(':', k);
  if (b == std::string::npos) fail(path, "a broken header");
  b = header.find_first_not_of(' ', b + 1);
  if (b == std::string::npos) fail(path, "a broken header");
  const std::size_t e = header[b] == '(' ? header.find(')', b) : header[b] == '\'' ? header.find('\'', b + 1) : header.find_first_of(",}", b);
  if (e == std::string::npos) fail(path, "a broken header");
  return header.substr(b, e - b + (header[b] == '(' || header[b] == '\'' ? 1 : 0));
}

}  // namespace

Array read_npy(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "cannot be read");
  const std::vector<char> file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (file.size() < 10 || std::memcmp(file.data(), "\x93NUMPY", 6) != 0) fail(path, "is no .npy file");
  const int major = static_cast<unsigned char>(file[6]);
  std::size_t at = 0, length = 0;
  auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(file[i])); };
  if (major == 1) {
    length = byte(8) | byte(9) << 8;
    at = 10;
  } else if ((major == 2 || major == 3) && file.size() >= 12) {
    length = byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
    at = 12;
  } else
    fail(path, "an unknown .npy version");
  if (length > file.size() - at) fail(path, "a truncated header");
  const std::string header(file.data() + at, length);
  Array a;
  const std::string descr = value_of(path, header, "descr");
  if (descr.size() < 4 || descr[0] != '\'') fail(path, "structured types are not supported");
  a.descr = descr.substr(1, descr.size() - 2);
  if (a.descr[0] == '>') fail(path, "big-endian data is not supported");
  std::uint64_t each = 0;
  for (std::size_t i = 2; i < a.descr.size(); ++i) {
    if (a.descr[i] < '0' || a.descr[i] > '9' || i > 5) fail(path, "type '" + a.descr + "' is not supported");
    each = each * 10 + static_cast<std::uint64_t>(a.descr[i] - '0');
  }
  if (each == 0 || a.descr[1] == 'O' || a.descr[1] == 'U') fail(path, "type '" + a.descr + "' is not supported");
  if (value_of(path, header, "fortran_order") != "False") fail(path, "Fortran order is not supported");
  std::uint64_t count = 1;
  const std::string shape = value_of(path, header, "shape");
  for (std::size_t i = 1; i < shape.size();) {
    if (shape[i] < '0' || shape[i] > '9') {
      ++i;
      continue;
    }
    std::uint64_t n = 0;
    while (i < shape.size() && shape[i] >= '0' && shape[i] <= '9') {
      n = n * 10 + static_cast<std::uint64_t>(shape[i++] - '0');
      if (n > (std::uint64_t{1} << 40)) fail(path, "a shape too large");
    }
    a.shape.push_back(n);
    count *= n;
    if (count > (std::uint64_t{1} << 40)) fail(path, "a shape too large");
  }
  at += length;
  if (file.size() - at < count * each) fail(path, "holds less data than its shape says");
  a.bytes.assign(file.begin() + static_cast<std::ptrdiff_t>(at), file.begin() + static_cast<std::ptrdiff_t>(at + count * each));
  return a;
}

void write_npy(const std::string& path, const Array& a) {
  std::string header = "{'descr': '" + a.descr + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t n : a.shape) header += std::to_string(n) + ",";
  header += "), }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::ofstream out(path, std::ios::binary);
  const char start[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  out.write(start, sizeof start);
  out << header;
  out.write(reinterpret_cast<const char*>(a.bytes.data()), static_cast<std::streamsize>(a.bytes.size()));
  out.flush();
  if (!out) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace ptx_run
