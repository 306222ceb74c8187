#include "runtime/aot/arguments.hpp"

#include <cstdio>
#include <cstring>
#include <limits>
#include <new>

#include "dsl/include/tine/dtype.hpp"
#include "tine/narrow.hpp"

namespace tine::aot {
namespace {

constexpr const char* type_names[] = {"bool", "i8",       "i16",    "i32", "i64",  "u8",  "u16", "u32",
                                      "u64",  "f8e4m3fn", "f8e5m2", "f16", "bf16", "f32", "f64"};
constexpr int type_count = sizeof type_names / sizeof *type_names;

bool scalar_fits(int type, int given) {
  if (type == given) return true;
  return given == TINE_I64 || (given == TINE_F64 && is_float(static_cast<DType>(type)));
}

bool source_fits(const PackedSource& s, const tine_tensor& t) {
  if (s.rank != t.rank) return false;
  return s.rank == 0 ? scalar_fits(s.type, t.dtype) : s.type == t.dtype;
}

template <class T>
bool narrowed(int64_t value, uint64_t& bits) {
  bits = static_cast<uint64_t>(value) & (sizeof(T) == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * sizeof(T)) - 1);
  if constexpr (sizeof(T) == 8) return std::numeric_limits<T>::is_signed || value >= 0;
  return value >= static_cast<int64_t>(std::numeric_limits<T>::min()) &&
         value <= static_cast<int64_t>(std::numeric_limits<T>::max());
}

bool integer_bits(int64_t value, DType type, uint64_t& bits) {
  switch (type) {
    case DType::b1: return bits = value != 0, value == 0 || value == 1;
    case DType::i8: return narrowed<int8_t>(value, bits);
    case DType::i16: return narrowed<int16_t>(value, bits);
    case DType::i32: return narrowed<int32_t>(value, bits);
    case DType::u8: return narrowed<uint8_t>(value, bits);
    case DType::u16: return narrowed<uint16_t>(value, bits);
    case DType::u32: return narrowed<uint32_t>(value, bits);
    case DType::u64: return narrowed<uint64_t>(value, bits);
    default: return bits = static_cast<uint64_t>(value), true;
  }
}

// Rounds once. A finite number that would become infinite does not fit.
bool float_bits(double value, DType type, uint64_t& bits) {
  const bool finite = value - value == 0;
  switch (type) {
    case DType::f16: bits = from_float<f16>(value).bits; return !finite || (bits & 0x7c00) != 0x7c00;
    case DType::bf16: bits = from_float<bf16>(value).bits; return !finite || (bits & 0x7f80) != 0x7f80;
    case DType::f8e4m3fn: bits = from_float<f8e4m3fn>(value).bits; return !finite || (value <= 448 && value >= -448);
    case DType::f8e5m2: bits = from_float<f8e5m2>(value).bits; return !finite || (value <= 57344 && value >= -57344);
    case DType::f32: {
      const auto f = static_cast<float>(value);
      bits = __builtin_bit_cast(uint32_t, f);
      return !finite || f - f == 0;
    }
    default: bits = __builtin_bit_cast(uint64_t, value); return true;
  }
}

bool read_scalar(Base base, const PackedKernel& k, const PackedSource& s, const tine_tensor& t, uint64_t& bits) {
  bits = 0;
  const char *kernel = base.text(k.name), *name = base.text(s.name);
  if (!t.data) {
    Words<128> ticked_kernel, ticked_name;
    refuse(Diag::null_data, {ticked_kernel.tick(kernel).view(), ticked_name.tick(name).view(), "scalar"});
    return false;
  }
  const auto type = static_cast<DType>(s.type);
  if (t.dtype == s.type) return std::memcpy(&bits, t.data, static_cast<std::size_t>(bytes(type))), true;
  Words<64> text;
  bool fit;
  int64_t integer = 0;
  if (t.dtype == TINE_I64) std::memcpy(&integer, t.data, sizeof integer);
  if (is_float(type)) {
    double value;
    if (t.dtype == TINE_I64)
      value = static_cast<double>(integer);
    else
      std::memcpy(&value, t.data, sizeof value);
    fit = float_bits(value, type, bits);
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", value);
    text.add(digits);
  } else {
    fit = integer_bits(integer, type, bits);
    text.add(integer);
  }
  if (fit) return true;
  Words<128> ticked_kernel, ticked_name;
  refuse(AotDiag::scalar_value,
         {ticked_kernel.tick(kernel).view(), ticked_name.tick(name).view(), text.view(), type_names[s.type]});
  return false;
}

void add_kind(const PackedSource& s, const char* name, Words<1024>& out) {
  out.tick(name).add(" ").add(type_names[s.type]);
  if (s.rank == 0) {
    out.add(" scalar");
  } else {
    out.add(" of rank ").add(static_cast<int64_t>(s.rank));
  }
}

// Sources of an instance that a call's tensors do not fit.
int misfits(Base base, const PackedInstance& instance, const tine_tensor* const* tensors) {
  int n = 0;
  const auto sources = base[instance.sources];
  for (std::size_t i = 0; i < sources.size(); ++i) n += !source_fits(sources[i], *tensors[i]);
  return n;
}

}  // namespace

const char* type_name(int dtype) { return dtype >= 0 && dtype < type_count ? type_names[dtype] : "of no type"; }

bool fits(Base base, const PackedInstance& instance, const tine_tensor* const* tensors) {
  const auto sources = base[instance.sources];
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (!source_fits(sources[i], *tensors[i])) return false;
  return true;
}

int find_instance(Base base, const PackedKernel& k, const tine_tensor* const* tensors) {
  const auto instances = base[k.instances];
  std::size_t nearest = 0;
  int fewest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const int n = misfits(base, instances[i], tensors);
    if (n == 0) return static_cast<int>(i);
    if (n < fewest) fewest = n, nearest = i;
  }
  Words<1024> called, differs, built;
  Words<128> kernel;
  const auto sources = base[instances[nearest].sources];
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const tine_tensor& t = *tensors[i];
    called.add(called.empty() ? "" : ", ").tick(base.text(sources[i].name)).add(" ").add(type_name(t.dtype));
    called.add(" of rank ").add(static_cast<int64_t>(t.rank));
    if (source_fits(sources[i], t)) continue;
    differs.add(differs.empty() ? "" : " and ").tick(base.text(sources[i].name));
  }
  for (const PackedInstance& instance : instances) {
    built.add(built.empty() ? "" : "; ").tick(base.text(instance.name)).add(" (");
    bool first = true;
    for (const PackedSource& s : base[instance.sources]) {
      built.add(first ? "" : ", ");
      add_kind(s, base.text(s.name), built);
      first = false;
    }
    built.add(")");
  }
  refuse(AotDiag::no_instance, {kernel.tick(base.text(k.name)).view(), called.view(), differs.view(), built.view()});
  return -1;
}

bool read_arguments(Base base, const PackedKernel& k, const PackedInstance& instance, const tine_tensor* const* tensors,
                    Arguments& out) {
  const auto sources = base[instance.sources];
  out.count = static_cast<int>(sources.size());
  int64_t* dims = out.dims;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const PackedSource& s = sources[i];
    const tine_tensor& t = *tensors[i];
    Argument& a = *new (&out.of[i]) Argument;
    a.type = s.type;
    a.rank = s.rank;
    if (s.rank == 0) {
      if (!read_scalar(base, k, s, t, a.scalar)) return false;
      continue;
    }
    if (!t.shape) {
      Words<128> kernel, name;
      Words<16> rank;
      refuse(AotDiag::null_shape, {kernel.tick(base.text(k.name)).view(), name.tick(base.text(s.name)).view(),
                                   rank.add(static_cast<int64_t>(s.rank)).view()});
      return false;
    }
    a.data = t.data;
    a.dims = dims;
    int64_t product = 1;  // wraps only for shapes that no memory holds, and then the footprint says so
    for (int d = s.rank - 1; d >= 0; --d) {
      dims[d] = t.shape[d];
      dims[s.rank + d] = t.strides ? t.strides[d] : product;
      product = static_cast<int64_t>(static_cast<uint64_t>(product) * static_cast<uint64_t>(t.shape[d]));
    }
    dims += 2 * s.rank;
  }
  return true;
}

void add_shapes(Base base, const PackedInstance& instance, std::span<const Argument> arguments, Words<1024>& out) {
  const auto sources = base[instance.sources];
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].rank == 0) continue;
    out.add(out.empty() ? "" : ", ").tick(base.text(sources[i].name)).add(" ");
    out.shape({arguments[i].dims, arguments[i].rank});
  }
  if (out.empty()) out.add("scalars only");
}

}  // namespace tine::aot
