#include "runtime/jit/compile.hpp"

#include <memory>

#include "runtime/jit/compiler_library.hpp"
#include "runtime/jit/reproducer.hpp"

namespace tine::jit {

std::string compile(const launch::TracedKernel& k, const graph::Specialization& facts, const Request& wanted) {
  const CompilerLibrary& compiler = compiler_library();
  const std::vector<std::byte> graph = graph::serialize(k.graph), specialization = graph::serialize(facts);
  tine_compile_request request{};
  request.abi_version = TINE_COMPILER_ABI_VERSION;
  request.graph = graph.data();
  request.graph_size = graph.size();
  request.specialization = specialization.data();
  request.specialization_size = specialization.size();
  request.target = wanted.target.c_str();
  request.stage = wanted.stage.c_str();
  request.options = wanted.options.c_str();
  const std::unique_ptr<tine_compile_result, decltype(compiler.free)> result(compiler.compile(&request), compiler.free);
  if (!result) throw std::bad_alloc();
  const std::string message = result->message ? result->message : "";
  const Where where{result->file ? result->file : "", result->line};
  if (result->status == TINE_COMPILE_USER_ERROR) fail(Diag::compile_failed, where, {message});
  if (result->status == TINE_COMPILE_TOO_LARGE) {
    const std::optional<std::string> config = wanted.fitting_config ? wanted.fitting_config() : std::nullopt;
    fail(Diag::too_large_for_gpu, where, {message, config ? "the nearest config that fits is " + *config : "choose smaller block sizes"});
  }
  if (result->status != TINE_COMPILE_OK) {
    const std::string file = write_reproducer(
        {graph, specialization, wanted.target, wanted.options, wanted.stage, message, compiler.build_id()});
    fail(Diag::compiler_bug, where, {k.name(), message, file});
  }
  return {static_cast<const char*>(result->data), result->size};
}

graph::Specialization general_specialization(const graph::Graph& g, bool contiguous) {
  graph::Specialization facts;
  for (const graph::Source& source : g.sources) {
    graph::SourceFacts f;
    if (source.rank > 0) {
      f.alignment = static_cast<uint32_t>(graph::bytes(source.type));
      f.contiguous = contiguous;
      if (contiguous) f.unit_stride = 1u << (source.rank - 1);
    }
    facts.sources.push_back(f);
  }
  return facts;
}

}  // namespace tine::jit
