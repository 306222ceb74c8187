#include "tools/tinec/npy.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::npy {
namespace {

constexpr std::size_t max_header = 1 << 20;

// An open .npy file (or a pipe that gives one).
class Input {
 public:
  explicit Input(const std::string& path) : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) cannot();
  }
  Input(const Input&) = delete;
  ~Input() { ::close(fd_); }

  /// Bytes that were there, at most n.
  std::size_t read(void* out, std::size_t n) {
    std::size_t got = 0;
    while (got < n) {
      const ssize_t k = ::read(fd_, static_cast<char*>(out) + got, std::min<std::size_t>(n - got, 1 << 30));
      if (k < 0 && errno == EINTR) continue;
      if (k < 0) cannot();
      if (k == 0) break;
      got += static_cast<std::size_t>(k);
    }
    return got;
  }
  /// Bytes behind the present place, if this is an ordinary file; else -1.
  int64_t left() const {
    struct stat s;
    if (::fstat(fd_, &s) != 0 || !S_ISREG(s.st_mode)) return -1;
    return s.st_size - ::lseek(fd_, 0, SEEK_CUR);
  }
  [[noreturn]] void broken(const std::string& why) const {
    throw Failure(ticked(path_) + " is not a sound .npy file: " + why);
  }

 private:
  [[noreturn]] void cannot() const { throw Failure(ticked(path_) + " cannot be read: " + std::strerror(errno)); }
  std::string path_;
  int fd_;
};

Header head_of(Input& in) {
  unsigned char b[12];
  if (in.read(b, 8) != 8 || std::memcmp(b, "\x93NUMPY", 6) != 0)
    in.broken("it does not begin with NumPy's magic string");
  if (b[6] < 1 || b[6] > 3)
    in.broken("its format version " + std::to_string(b[6]) + " is unknown; there are 1, 2 and 3");
  const std::size_t length_bytes = b[6] == 1 ? 2 : 4;
  if (in.read(b + 8, length_bytes) != length_bytes) in.broken("it ends within its header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= std::size_t{b[8 + i]} << (8 * i);
  if (length > max_header) in.broken("its header of " + std::to_string(length) + " bytes is larger than 1 MiB");
  std::string text(length, '\0');
  if (in.read(text.data(), length) != length) in.broken("it ends within its header");
  try {
    return parse_header(text);
  } catch (const Failure& why) {
    in.broken(why.what());
  }
}

void swap_bytes(std::byte* data, std::size_t n, int width) {
  for (std::size_t i = 0; i < n; ++i, data += width) std::reverse(data, data + width);
}

std::vector<int64_t> strides_of(const std::vector<int64_t>& shape, bool fortran) {
  std::vector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t d = fortran ? k : shape.size() - 1 - k;
    strides[d] = step;
    step *= std::max<int64_t>(shape[d], 1);
  }
  return strides;
}

// Whether the elements lie one behind the other. Strides of dims of size 1 are never used.
bool dense(const View& v, bool fortran) {
  const std::vector<int64_t> want = strides_of(v.shape, fortran);
  for (std::size_t d = 0; d < v.shape.size(); ++d)
    if (v.shape[d] != 1 && v.strides[d] != want[d]) return false;
  return true;
}

bool write_rows(Sink& sink, const View& v) {
  const auto width = static_cast<std::size_t>(v.element.bytes);
  const std::size_t rank = v.shape.size();
  std::vector<std::byte> pending;
  std::vector<int64_t> index(rank, 0);
  for (;;) {
    int64_t offset = 0;
    for (std::size_t d = 0; d < rank; ++d) offset += index[d] * v.strides[d];
    const int64_t n = rank ? v.shape[rank - 1] : 1, step = rank ? v.strides[rank - 1] : 0;
    for (int64_t i = 0; i < n; ++i) {
      const std::byte* p = v.data + (offset + i * step) * v.element.bytes;
      pending.insert(pending.end(), p, p + width);
      if (pending.size() < 1 << 20) continue;
      if (!sink.write(pending.data(), pending.size())) return false;
      pending.clear();
    }
    std::size_t d = rank ? rank - 1 : 0;
    while (d > 0 && ++index[d - 1] == v.shape[d - 1]) index[--d] = 0;
    if (d == 0) return sink.write(pending.data(), pending.size());
  }
}

}  // namespace

Buffer::Buffer(std::size_t bytes) : size_(bytes) {
  const std::size_t rounded = std::max<std::size_t>((bytes + 63) / 64 * 64, 64);
  void* p = rounded < bytes ? nullptr : std::aligned_alloc(64, rounded);
  if (!p) throw Failure("there is no memory for an array of " + std::to_string(bytes) + " bytes");
  data_.reset(static_cast<std::byte*>(p));
  std::memset(p, 0, rounded);
}
void Buffer::Free::operator()(std::byte* p) const { std::free(p); }

int64_t count(const std::vector<int64_t>& shape, int bytes, const std::string& what) {
  int64_t n = 1;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const int64_t s : shape)
    if (s < 0 || __builtin_mul_overflow(n, s, &n) || n > INT64_MAX / 16 / bytes)
      throw Failure(what + " of shape " + tinec::shape_text(shape) + " is larger than any memory");
  return n;
}

Array make_array(Element e, const std::vector<int64_t>& shape, const std::string& what) {
  Array a;
  a.buffer = Buffer(static_cast<std::size_t>(count(shape, e.bytes, what) * e.bytes));
  a.view = {a.buffer.data(), e, shape, strides_of(shape, false)};
  return a;
}

Header read_header(const std::string& path) {
  Input in(path);
  return head_of(in);
}

Array read(const std::string& path) {
  Input in(path);
  const Header h = head_of(in);
  const int64_t n = count(h.shape, h.element.bytes, "the array in " + ticked(path));
  const auto bytes = static_cast<std::size_t>(n * h.element.bytes);
  const auto too_short = [&](std::size_t got) {
    in.broken("its shape " + tinec::shape_text(h.shape) + " needs " + std::to_string(bytes) + " bytes of data, but " +
              std::to_string(got) + " follow");
  };
  // Before there is memory for it: a short file must not ask for much.
  const int64_t left = in.left();
  if (left >= 0 && static_cast<std::size_t>(left) < bytes) too_short(static_cast<std::size_t>(left));
  Array a;
  a.buffer = Buffer(bytes);
  if (const std::size_t got = in.read(a.buffer.data(), bytes); got < bytes) too_short(got);
  if (h.big_endian) swap_bytes(a.buffer.data(), static_cast<std::size_t>(n), h.element.bytes);
  a.view = {a.buffer.data(), h.element, h.shape, strides_of(h.shape, h.fortran_order)};
  return a;
}

void write(const std::string& path, const View& v) {
  const bool c_order = dense(v, false), fortran = !c_order && dense(v, true);
  const std::string head = make_header({v.element, false, fortran, v.shape});
  const int64_t n = count(v.shape, v.element.bytes, "the array for " + ticked(path));
  write_file(path, [&](Sink& sink) {
    if (!sink.write(head.data(), head.size())) return false;
    if (n == 0) return true;
    if (c_order || fortran) return sink.write(v.data, static_cast<std::size_t>(n * v.element.bytes));
    return write_rows(sink, v);
  });
}

}  // namespace tinec::npy
