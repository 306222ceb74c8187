
#include "dsl/core/arrange_eval.hpp"
#include "runtime/launch/checks.hpp"
#include "tools/tinec/arrangement_json.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/dtype.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/neutral_ops.hpp"
#include "tools/tinec/shapes.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : printable(s)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string parameter_json(const tine::launch::TracedKernel& k, std::size_t param, const Shapes& shapes) {
  const tine::graph::Param& p = k.graph.params[param];
  std::vector<std::vector<int64_t>> levels;
  for (const tine::graph::Shape& level : p.levels) {
    levels.emplace_back();
    for (const tine::graph::Ex e : level)
      levels.back().push_back(tine::launch::value_of(k, e, shapes.arguments, p.loc));
  }
  check_listable(levels);
  const tine::graph::Source& s = k.graph.sources[static_cast<std::size_t>(p.source)];
  return "    {\"name\": " + quoted(s.name) + ", \"dtype\": " + quoted(name(s.type)) +
         ", \"source_shape\": " + shape_json(shapes.sizes[static_cast<std::size_t>(p.source)]) + ",\n     " +
         arrangement_json(tine::core::evaluate(k.graph, static_cast<int>(param), shapes.sizes)) + "}";
}

std::string arrange_kernel(const ArrangeOptions& o) {
  const Config wanted = parse_config(o.choice.set);
  const auto given = parse_shapes(o.shapes);
  const Kernel kernel = open_kernel(o.choice.header, o.choice.kernel, o.choice.cxx);
  const Shapes shapes = shapes_for(kernel.definition(), given);
  const tine::launch::TracedKernel traced(
      tine::core::trace_arrangement(kernel.definition(), config_for(kernel, wanted)));
  tine::launch::check_sizes(traced, shapes.arguments);
  const int64_t count = tine::launch::count_programs(traced, shapes.arguments);

  std::vector<int64_t> grid;
  for (const tine::graph::Ex e : traced.graph.grid) grid.push_back(tine::launch::value_of(traced, e, shapes.arguments));
  std::string config, parameters;
  for (const tine::graph::Meta& m : traced.graph.metas)
    config += (config.empty() ? "" : ", ") + quoted(m.name) + ": " + std::to_string(m.value);
  for (std::size_t p = 0; p < traced.graph.params.size(); ++p) {
    if (traced.graph.sources[static_cast<std::size_t>(traced.graph.params[p].source)].rank == 0) continue;
    parameters += (parameters.empty() ? "\n" : ",\n") + parameter_json(traced, p, shapes);
  }
  return "{\"kernel\": " + quoted(traced.graph.kernel) + ", \"config\": {" + config +
         "}, \"grid\": " + shape_json(grid) + ", \"num_programs\": " + std::to_string(count) +
         ",\n  \"parameters\": [" + parameters + "\n  ]}\n";
}

std::string arrange_ops(const std::string& file) {
  const std::string text = read_text(file == "-" ? "/dev/stdin" : file, 64 << 20);
  try {
    return evaluate_ops(text);
  } catch (const Failure& e) {
    throw Failure(ticked(file) + " " + e.what());
  }
}

}  // namespace

void arrange(const ArrangeOptions& o) {
  const bool ops = !o.ops.empty();
  if (ops && (!o.choice.header.empty() || !o.choice.kernel.empty() || !o.choice.set.empty() || !o.shapes.empty()))
    throw Usage("`--ops` stands alone; a header comes with `--kernel` and `--shape`");
  if (!ops && (o.choice.header.empty() || o.choice.kernel.empty()))
    throw Usage("`arrange` needs a header and `--kernel`, or `--ops FILE.json`");
  if (!o.output.empty()) check_writable(o.output);
  const std::string text = ops ? arrange_ops(o.ops) : arrange_kernel(o);
  if (o.output.empty())
    write_stdout(text);
  else
    write_file(o.output, text);
}

}  // namespace tinec
