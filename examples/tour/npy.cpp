#include "examples/tour/npy.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tour {
namespace {

std::string shape_text(int64_t rows, int64_t columns) {
  return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

}  // namespace

void write_npy(const std::string& path, const std::vector<float>& v, int64_t rows, int64_t columns) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape_text(rows, columns) + ", }";
  header.resize((10 + header.size() + 64) / 64 * 64 - 10 - 1, ' ');  // data begin at a multiple of 64
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  const char length[] = {static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  file.write(length, 2);
  file << header;
  file.write(reinterpret_cast<const char*>(v.data()), static_cast<std::streamsize>(v.size() * sizeof(float)));
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

std::vector<float> read_npy(const std::string& path, int64_t rows, int64_t columns) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string bytes = text.str();
  const auto bad = [&](const char* what) { return std::runtime_error(path + " " + what); };
  if (bytes.size() < 10 || bytes.compare(0, 6, "\x93NUMPY") != 0) throw bad("is no .npy file");
  const std::size_t start = 10 + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  const std::string header = bytes.substr(10, start - 10);
  if (header.find("'<f4'") == std::string::npos || header.find(shape_text(rows, columns)) == std::string::npos)
    throw bad("has another element type or shape than was asked for");
  std::vector<float> v(static_cast<std::size_t>(rows * columns));
  if (bytes.size() != start + v.size() * sizeof(float)) throw bad("has not the size that its header says");
  bytes.copy(reinterpret_cast<char*>(v.data()), v.size() * sizeof(float), start);
  return v;
}

}  // namespace tour
