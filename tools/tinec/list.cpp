#include <algorithm>
#include <nlohmann/json.hpp>

#include "tine/error.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/dtype.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

std::string text(const std::vector<Export>& exports) {
  std::string out;
  for (const Export& e : exports) {
    const tine::core::Definition& d = e.kernel.definition();
    const std::vector<tine::graph::Meta> metas = tine::core::metas(d);
    std::size_t width = 0;
    for (const std::string& p : d.parameters) width = std::max(width, p.size());
    for (const auto& m : metas) width = std::max(width, m.name.size());
    const auto line = [&](const std::string& name, const std::string& what) {
      out += "  " + name + std::string(width - name.size() + 2, ' ') + what + "\n";
    };
    out += e.name + "\n";
    for (std::size_t i = 0; i < d.sources.size(); ++i) {
      const auto [type, rank] = d.sources[i];
      line(d.parameters[i], name(type) + (rank == 0 ? std::string(", scalar") : ", rank " + std::to_string(rank)));
    }
    for (const auto& m : metas) {
      std::string values;
      for (const int64_t v : m.candidates) values += (values.empty() ? "" : ", ") + std::to_string(v);
      line(m.name, "meta-parameter: " + values);
    }
  }
  return out;
}

std::string json(const std::vector<Export>& exports) {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const Export& e : exports) {
    const tine::core::Definition& d = e.kernel.definition();
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array(), metas = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < d.sources.size(); ++i)
      parameters.push_back(
          {{"name", d.parameters[i]}, {"dtype", name(d.sources[i].type)}, {"rank", d.sources[i].rank}});
    for (const auto& m : tine::core::metas(d))
      metas.push_back({{"name", m.name}, {"default", m.value}, {"candidates", m.candidates}});
    kernels.push_back({{"name", e.name}, {"parameters", parameters}, {"meta_parameters", metas}});
  }
  return nlohmann::ordered_json{{"kernels", kernels}}.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

}  // namespace

void list(const ListOptions& o) {
  const std::vector<Export> exports = open_exports(o.header, o.cxx);
  if (exports.empty() && !o.json)
    throw Failure(ticked(o.header) +
                  " exports no kernels; a kernel is exported by a line such as `TINE_EXPORT(Add, float);`");
  write_stdout(o.json ? json(exports) : text(exports));
}

}  // namespace tinec
