#include "array.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tine/narrow.hpp"

namespace tine::test {
namespace {

constexpr const char* names[] = {"bool", "i8",     "i16",  "i32", "i64",  "u8",  "u16", "u32",
                                 "u64",  "e4m3fn", "e5m2", "f16", "bf16", "f32", "f64"};

template <class T>
T at(const std::byte* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
void put(std::byte* p, T v) {
  std::memcpy(p, &v, sizeof v);
}

// The text between `key` and the end of its value in the header of a NumPy file.
std::string header_value(const std::string& header, const std::string& key, const char* ends) {
  const std::size_t start = header.find("'" + key + "':");
  if (start == header.npos) throw std::runtime_error("npy: no `" + key + "`");
  const std::size_t from = start + key.size() + 3;
  return header.substr(from, header.find_first_of(ends, from) - from);
}

}  // namespace

int64_t Array::count() const {
  int64_t n = 1;
  for (int64_t d : shape) n *= d;
  return n;
}

DType dtype_named(const std::string& name) {
  for (int t = 0; t < int(std::size(names)); ++t)
    if (name == names[t]) return DType(t);
  throw std::runtime_error("unknown element type " + name);
}
const char* dtype_name(DType t) { return names[int(t)]; }

Array read_npy(const std::string& path, DType type) {
  std::ifstream file(path, std::ios::binary);
  std::string all((std::istreambuf_iterator<char>(file)), {});
  if (!file || all.size() < 10 || all.compare(1, 5, "NUMPY") != 0) throw std::runtime_error("npy: cannot read " + path);
  const bool wide = all[6] != 1;
  const std::size_t start = wide ? 12 : 10;
  const std::size_t length = wide ? at<uint32_t>(reinterpret_cast<const std::byte*>(&all[8]))
                                  : at<uint16_t>(reinterpret_cast<const std::byte*>(&all[8]));
  const std::string header = all.substr(start, length);
  if (header.find("'fortran_order': False") == header.npos) throw std::runtime_error("npy: not in C order: " + path);
  const std::string descr = header_value(header, "descr", ",");
  if (descr.find('>') != descr.npos) throw std::runtime_error("npy: big-endian: " + path);
  const int width = descr[descr.find_last_of("0123456789")] - '0';
  if (width != bytes(type)) throw std::runtime_error("npy: " + path + " holds " + descr + ", not " + dtype_name(type));
  Array a{type, {}, {}};
  const std::string shape = header_value(header, "shape", ")");
  for (std::size_t i = shape.find('(') + 1; i < shape.size();) {
    const std::size_t digits = shape.find_first_of("0123456789", i);
    if (digits == shape.npos) break;
    std::size_t used = 0;
    a.shape.push_back(std::stoll(shape.substr(digits), &used));
    i = digits + used;
  }
  a.data.resize(static_cast<std::size_t>(a.count()) * static_cast<std::size_t>(bytes(type)));
  if (start + length + a.data.size() > all.size()) throw std::runtime_error("npy: " + path + " ends early");
  if (!a.data.empty()) std::memcpy(a.data.data(), all.data() + start + length, a.data.size());
  return a;
}

double element(DType t, const std::byte* p) {
  switch (t) {
    case DType::b1:
      return at<uint8_t>(p) != 0;
    case DType::i8:
      return at<int8_t>(p);
    case DType::i16:
      return at<int16_t>(p);
    case DType::i32:
      return at<int32_t>(p);
    case DType::i64:
      return static_cast<double>(at<int64_t>(p));
    case DType::u8:
      return at<uint8_t>(p);
    case DType::u16:
      return at<uint16_t>(p);
    case DType::u32:
      return at<uint32_t>(p);
    case DType::u64:
      return static_cast<double>(at<uint64_t>(p));
    case DType::f8e4m3fn:
      return to_float(at<f8e4m3fn>(p));
    case DType::f8e5m2:
      return to_float(at<f8e5m2>(p));
    case DType::f16:
      return to_float(at<f16>(p));
    case DType::bf16:
      return to_float(at<bf16>(p));
    case DType::f32:
      return at<float>(p);
    case DType::f64:
      return at<double>(p);
  }
  return 0;
}

void set_element(DType t, std::byte* p, double v) {
  const auto whole = std::isfinite(v) ? static_cast<int64_t>(v) : 0;
  switch (t) {
    case DType::b1:
      return put(p, static_cast<uint8_t>(v != 0));
    case DType::i8:
      return put(p, static_cast<int8_t>(whole));
    case DType::i16:
      return put(p, static_cast<int16_t>(whole));
    case DType::i32:
      return put(p, static_cast<int32_t>(whole));
    case DType::i64:
      return put(p, whole);
    case DType::u8:
      return put(p, static_cast<uint8_t>(whole));
    case DType::u16:
      return put(p, static_cast<uint16_t>(whole));
    case DType::u32:
      return put(p, static_cast<uint32_t>(whole));
    case DType::u64:
      return put(p, static_cast<uint64_t>(whole));
    case DType::f8e4m3fn:
      return put(p, from_float<f8e4m3fn>(v));
    case DType::f8e5m2:
      return put(p, from_float<f8e5m2>(v));
    case DType::f16:
      return put(p, from_float<f16>(v));
    case DType::bf16:
      return put(p, from_float<bf16>(v));
    case DType::f32:
      return put(p, static_cast<float>(v));
    case DType::f64:
      return put(p, v);
  }
}

bool is_nan(DType t, const std::byte* p) { return is_float(t) && std::isnan(element(t, p)); }

}  // namespace tine::test
