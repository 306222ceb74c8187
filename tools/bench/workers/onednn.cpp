// Contestant: oneDNN's matmul and convolution primitives, with the layouts of our kernels for products (plain
// row-major) and, for the convolution, both plain and whatever layout it likes best (`BENCH_LAYOUT=any`). Built by
// tools/bench/run where oneDNN's headers are.
#include <cstdlib>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "tools/bench/workers/worker.hpp"

namespace {

using bench::Case;
using bench::Job;
using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

const dnnl::engine& engine() {
  static const dnnl::engine e(dnnl::engine::kind::cpu, 0);
  return e;
}
dnnl::stream& stream() {
  static dnnl::stream s(engine());
  return s;
}

memory::data_type type_of(const std::string& name) {
  if (name == "f32") return memory::data_type::f32;
  if (name == "f16") return memory::data_type::f16;
  if (name == "bf16") return memory::data_type::bf16;
  if (name == "i8") return memory::data_type::s8;
  throw bench::Missing{"no such element type"};
}

// Filled by way of f32, which oneDNN converts.
memory filled(const memory::desc& wanted, const memory::dims& dims, memory::format_tag tag, uint64_t seed,
              float scale) {
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  const std::vector<float> values = bench::data(n, seed, scale);
  memory plain({dims, memory::data_type::f32, tag}, engine(), const_cast<float*>(values.data()));
  memory out(wanted, engine());
  dnnl::reorder(plain, out).execute(stream(), plain, out);
  stream().wait();
  return out;
}

std::vector<float> contents(memory m, const memory::dims& dims, memory::format_tag tag) {
  memory plain({dims, memory::data_type::f32, tag}, engine());
  dnnl::reorder(m, plain).execute(stream(), m, plain);
  stream().wait();
  const auto* p = static_cast<const float*>(plain.get_data_handle());
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  return {p, p + n};
}

Job matmul(const Case& c) {
  using tag = memory::format_tag;
  const auto t = type_of(c.type);
  const bool integers = c.type == "i8";
  const memory::dims a{c[0], c[2]}, b{c[2], c[1]}, y{c[0], c[1]};
  const memory::desc ya(y, integers ? memory::data_type::s32 : t, tag::ab);
  const dnnl::matmul::primitive_desc pd(engine(), {a, t, tag::ab}, {b, t, tag::ab}, ya);
  const dnnl::matmul primitive(pd);
  const float scale = integers ? 127 : 1;
  const memory out(ya, engine());
  const auto arguments =
      std::make_shared<Arguments>(Arguments{{DNNL_ARG_SRC, filled(pd.src_desc(), a, tag::ab, 1, scale)},
                                            {DNNL_ARG_WEIGHTS, filled(pd.weights_desc(), b, tag::ab, 2, scale)},
                                            {DNNL_ARG_DST, out}});
  return {[=] { primitive.execute(stream(), *arguments), stream().wait(); }, [=] { return contents(out, y, tag::ab); },
          pd.impl_info_str()};
}

Job conv2d(const Case& v) {
  using tag = memory::format_tag;
  const auto t = type_of(v.type);
  const bool any = std::getenv("BENCH_LAYOUT") && std::string(std::getenv("BENCH_LAYOUT")) == "any";
  const memory::dims x{v[0], v[1], v[2], v[3]}, w{v[4], v[1], v[5], v[6]}, y{v[0], v[4], v[2], v[3]};
  const memory::dims pad{v[5] / 2, v[6] / 2}, one{1, 1};
  const auto plain = any ? tag::any : tag::nchw;
  const dnnl::convolution_forward::primitive_desc pd(engine(), dnnl::prop_kind::forward_inference,
                                                     dnnl::algorithm::convolution_direct, {x, t, plain},
                                                     {w, t, tag::any}, {y, t, plain}, one, pad, pad);
  const dnnl::convolution_forward primitive(pd);
  const memory out(pd.dst_desc(), engine());
  const auto arguments =
      std::make_shared<Arguments>(Arguments{{DNNL_ARG_SRC, filled(pd.src_desc(), x, tag::nchw, 1, 1)},
                                            {DNNL_ARG_WEIGHTS, filled(pd.weights_desc(), w, tag::oihw, 2, 1)},
                                            {DNNL_ARG_DST, out}});
  return {[=] { primitive.execute(stream(), *arguments), stream().wait(); },
          [=] { return contents(out, y, tag::nchw); },
          std::string(pd.impl_info_str()) + (any ? ", its own layouts" : ", nchw")};
}

Job prepare(const Case& c) try {
  if (c.operation == "matmul") return matmul(c);
  if (c.operation == "conv2d") return conv2d(c);
  throw bench::Missing{"products and convolutions only"};
} catch (const dnnl::error& e) {
  throw bench::Missing{e.what()};
}

std::string isa() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx2:
      return "AVX2";
    case dnnl::cpu_isa::avx512_core:
      return "AVX-512";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "AVX-512 VNNI";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "AVX-512 BF16";
    default:
      return "isa " + std::to_string(static_cast<int>(dnnl::get_effective_cpu_isa()));
  }
}

}  // namespace

int main() {
  const dnnl_version_t* v = dnnl::version();
  const std::string version =
      std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
  return bench::serve("oneDNN " + version + ", " + isa(), prepare);
}
