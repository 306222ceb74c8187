// What views say no to.
#include "tine/view.hpp"

#include <string>

#include "dsl/graph/graph.hpp"
#include "runtime/diagnostics.hpp"
#include "runtime/launch/traced_kernel.hpp"

namespace tine::host {

void check_container(const Argument& view, std::size_t elements) {
  uint64_t needed = 1;
  bool wide = false;
  for (int d = 0; d < view.rank; ++d) {
    wide |= view.dims[d] < 0;
    wide |= __builtin_mul_overflow(needed, static_cast<uint64_t>(view.dims[d]), &needed);
  }
  if (wide || needed > elements)
    fail(Diag::view_too_small, {},
         {launch::shape_text({view.dims, view.rank}), wide ? "other" : std::to_string(needed),
          std::to_string(elements)});
}

void check_dlpack(DType type, int rank, int device, int code, int bits, int lanes, int ndim) {
  // DLPack's codes: 0 int, 1 uint, 2 float, 4 bfloat, 6 bool, 10 float8_e4m3fn, 12 float8_e5m2.
  const int wanted = type == DType::b1         ? 6
                     : type == DType::bf16     ? 4
                     : type == DType::f8e4m3fn ? 10
                     : type == DType::f8e5m2   ? 12
                     : is_float(type)          ? 2
                     : is_unsigned(type)       ? 1
                                               : 0;
  // Bytes serve as fp8, and as bool, where the producer knows no such type.
  const bool byte = code == 1 && bits == 8 && bytes(type) == 1 && (wanted >= 6);
  if (lanes != 1 || bits != 8 * bytes(type) || (code != wanted && !byte))
    fail(Diag::dlpack_type, {},
         {std::to_string(code), std::to_string(bits), std::to_string(lanes),
          ticked(graph::name(static_cast<graph::DType>(type)))});
  if (ndim != rank) fail(Diag::dlpack_rank, {}, {std::to_string(ndim), std::to_string(rank)});
  constexpr int cpu = 1, cuda = 2, cuda_host = 3, rocm_host = 11, cuda_managed = 13;
  if (device != cpu && device != cuda && device != cuda_host && device != rocm_host && device != cuda_managed)
    fail(Diag::dlpack_device, {}, {std::to_string(device)});
}

}  // namespace tine::host
