#include "tools/tinec/build/tracer.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/cache/hash.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t file_limit = 256 << 20;

std::string hash_of(std::string_view text) { return tine::cache::hex(tine::cache::hash(text)); }

std::string stamp(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return "";
  return std::to_string(info.st_size) + "." + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

std::string program_file(const std::string& word) {
  if (word.find('/') != word.npos) return word;
  const char* path = std::getenv("PATH");
  std::string text = path ? path : "";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    const std::string file = text.substr(at, end - at) + "/" + word;
    if (std::filesystem::exists(file)) return file;
    at = end + 1;
  }
  return word;
}

// What traces depend on beside the header's files: the C++ compiler with its options, and the front end in libtine.
std::string identity(const CxxOptions& options) {
  std::string out;
  const std::vector<std::string> words = cxx_command(options);
  for (const std::string& w : words) out += w + "\n";
  const std::string compiler = program_file(words[0]);
  out += compiler + " " + stamp(compiler) + "\n";
  Dl_info self;
  if (::dladdr(reinterpret_cast<const void*>(&tine::graph::deserialize), &self) && self.dli_fname)
    out += std::string(self.dli_fname) + " " + stamp(self.dli_fname) + "\n";
  return hash_of(out);
}

}  // namespace

struct Tracer::Header {
  std::vector<std::string> expressions;
  bool exports_wanted = false;
  bool known = false;  // `files` are as they were when `graphs` were recorded
  bool opened = false;
  Module module;
  std::vector<std::string> exports;
  Json files = Json::object();                // path -> {stamp, hash}
  std::map<std::string, std::string> graphs;  // expression and config -> name of the graph's file
  std::set<std::string> used;
};

struct Tracer::State {
  std::string folder;
  CxxOptions cxx;
  std::string identity;
  std::map<std::string, Header> headers;
  int compiled = 0;

  std::string file() const { return folder + "/traces.json"; }
  std::string graph_file(const std::string& name) const { return folder + "/graphs/" + name + ".graph"; }

  bool unchanged(const std::string& path, Json& known) {
    const std::string now = stamp(path);
    if (now.empty()) return false;
    if (known["stamp"] == now) return true;
    if (known["hash"] != hash_of(read_text(path, file_limit))) return false;
    known["stamp"] = now;
    return true;
  }

  void load() {
    std::error_code error;
    if (!std::filesystem::exists(file(), error)) return;
    Json json = Json::parse(read_text(file(), file_limit), nullptr, false);
    if (!json.is_object() || json.value("identity", "") != identity) return;
    for (auto& item : json["headers"].items()) {
      Header& h = headers[item.key()];
      h.files = item.value()["files"];
      h.known = !h.files.empty();
      for (auto& f : h.files.items()) h.known = h.known && unchanged(f.key(), f.value());
      for (const Json& e : item.value()["exports"]) h.exports.push_back(e.get<std::string>());
      if (h.known)
        for (auto& g : item.value()["graphs"].items()) h.graphs[g.key()] = g.value().get<std::string>();
    }
  }

  void open(const std::string& path, Header& h) {
    if (h.opened) return;
    h.module = open_kernels(path, h.expressions, cxx);
    h.opened = true;
    ++compiled;
    h.exports.clear();
    for (const Export& e : h.module.exports) h.exports.push_back(e.name);
    h.files = Json::object();
    for (const std::string& f : h.module.files)
      h.files[f] = {{"stamp", stamp(f)}, {"hash", hash_of(read_text(f, file_limit))}};
    h.known = true;
  }
};

Tracer::Tracer(std::string folder, const CxxOptions& cxx) : state_(std::make_unique<State>()) {
  state_->folder = std::move(folder);
  state_->cxx = cxx;
  state_->identity = identity(cxx);
  std::filesystem::create_directories(state_->folder + "/graphs");
  state_->load();
}

Tracer::~Tracer() = default;

void Tracer::announce(const std::string& header, const std::vector<std::string>& expressions, bool exports) {
  Header& h = state_->headers[header];
  for (const std::string& e : expressions)
    if (std::find(h.expressions.begin(), h.expressions.end(), e) == h.expressions.end()) h.expressions.push_back(e);
  h.exports_wanted |= exports;
}

std::vector<std::string> Tracer::exports(const std::string& header) {
  Header& h = state_->headers[header];
  if (!h.known) state_->open(header, h);
  return h.exports;
}

tine::graph::Graph Tracer::trace(const std::string& header, const std::string& expression, bool exported,
                                 const Config& config) {
  Header& h = state_->headers[header];
  std::string key = (exported ? "export " : "") + expression;
  for (const auto& [name, value] : config) key += "\n" + name + "=" + std::to_string(value);
  h.used.insert(key);
  if (const auto known = h.graphs.find(key); h.known && known != h.graphs.end()) {
    std::error_code error;
    const std::string file = state_->graph_file(known->second);
    if (std::filesystem::exists(file, error)) {
      const std::string bytes = read_text(file, file_limit);
      if (hash_of(bytes) == known->second)
        return tine::graph::deserialize(std::as_bytes(std::span(bytes.data(), bytes.size())));
    }
  }
  if (!h.known) h.graphs.clear();
  state_->open(header, h);
  const Kernel* kernel = nullptr;
  if (exported) {
    for (const Export& e : h.module.exports)
      if (e.name == expression) kernel = &e.kernel;
  } else {
    const auto at = std::find(h.expressions.begin(), h.expressions.end(), expression);
    if (at != h.expressions.end()) kernel = &h.module.kernels[static_cast<std::size_t>(at - h.expressions.begin())];
  }
  if (!kernel) throw Failure("kernel " + ticked(expression) + " does not exist in " + ticked(header));
  tine::graph::Graph graph = tine::core::trace(kernel->definition(), config_for(*kernel, config));
  const std::vector<std::byte> bytes = tine::graph::serialize(graph);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string name = hash_of(text);
  write_file(state_->graph_file(name), text);
  h.graphs[key] = name;
  return graph;
}

void Tracer::save() {
  Json json = {{"identity", state_->identity}, {"headers", Json::object()}};
  for (const auto& [path, h] : state_->headers) {
    if (!h.known || h.used.empty()) continue;
    Json graphs = Json::object();
    for (const auto& [key, name] : h.graphs)
      if (h.used.count(key)) graphs[key] = name;
    json["headers"][path] = {{"files", h.files}, {"exports", h.exports}, {"graphs", graphs}};
  }
  write_file(state_->file(), json.dump(1) + "\n");
}

std::set<std::string> Tracer::graphs() const {
  std::set<std::string> out;
  for (const auto& [path, h] : state_->headers)
    for (const auto& [key, name] : h.graphs)
      if (h.used.count(key)) out.insert(name);
  return out;
}

std::vector<std::string> Tracer::files() const {
  std::set<std::string> out;
  for (const auto& [path, h] : state_->headers)
    if (!h.used.empty())
      for (const auto& f : h.files.items()) out.insert(f.key());
  return {out.begin(), out.end()};
}

int Tracer::compiled() const { return state_->compiled; }

}  // namespace tinec::builder
