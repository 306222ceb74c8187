#include <algorithm>

#include "dsl/core/arrange_eval.hpp"
#include "runtime/launch/checks.hpp"
#include "tools/tinec/arrangement_json.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/dtype.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/neutral_ops.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

// Sizes of the sources, and arguments without data that have them.
struct Shapes {
  std::vector<std::vector<int64_t>> sizes, dims;  // dims: sizes, then strides
  std::vector<tine::Argument> arguments;
};

std::vector<std::pair<std::string, std::vector<int64_t>>> parse_shapes(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::vector<int64_t>>> out;
  for (const std::string& text : texts) {
    const auto pair = parse_assignment(text);
    const auto shape = pair ? parse_shape(pair->second) : std::nullopt;
    if (!shape) throw Usage("`--shape` takes `NAME=SHAPE`, as in `a=5x7`, not " + ticked(text));
    out.emplace_back(pair->first, *shape);
  }
  return out;
}

Shapes shapes_for(const tine::core::Definition& kernel,
                  const std::vector<std::pair<std::string, std::vector<int64_t>>>& given) {
  Shapes out;
  out.sizes.resize(kernel.sources.size());
  std::vector<char> known(kernel.sources.size(), 0);
  for (const auto& [name, shape] : given) {
    const auto at = std::find(kernel.parameters.begin(), kernel.parameters.end(), name);
    if (at == kernel.parameters.end())
      throw Failure("kernel " + ticked(kernel.name) + " has no parameter " + ticked(name) + " for `--shape`; it has " +
                    list_of(nearest_first(name, kernel.parameters)));
    const auto i = static_cast<std::size_t>(at - kernel.parameters.begin());
    const int rank = kernel.sources[i].rank;
    if (rank == 0) throw Failure("parameter " + ticked(name) + " is a scalar and has no shape");
    if (static_cast<int>(shape.size()) != rank)
      throw Failure("parameter " + ticked(name) + " has rank " + std::to_string(rank) + ", but " +
                    ticked(shape_text(shape)) + " has rank " + std::to_string(shape.size()));
    out.sizes[i] = shape;
    known[i] = 1;
  }
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    if (kernel.sources[i].rank > 0 && !known[i])
      throw Failure("the shape of parameter " + ticked(kernel.parameters[i]) + " (rank " +
                    std::to_string(kernel.sources[i].rank) + ") is not given; give it, as in `--shape " +
                    kernel.parameters[i] + "=5x7`");
    std::vector<int64_t> dims = out.sizes[i], strides(dims.size());
    uint64_t step = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
      strides[d] = static_cast<int64_t>(step);
      step *= static_cast<uint64_t>(std::max<int64_t>(dims[d], 1));
    }
    dims.insert(dims.end(), strides.begin(), strides.end());
    out.dims.push_back(std::move(dims));
  }
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    tine::Argument a;
    a.type = static_cast<uint8_t>(kernel.sources[i].type);
    a.rank = static_cast<uint8_t>(kernel.sources[i].rank);
    a.dims = out.dims[i].data();
    out.arguments.push_back(a);
  }
  return out;
}

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
