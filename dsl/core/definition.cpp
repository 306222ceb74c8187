#include "dsl/core/definition.hpp"

#include <algorithm>
#include <cctype>

#include "dsl/core/diagnostics.hpp"
#include "dsl/core/tracer.hpp"

namespace tine::core {
namespace {

// "... [with K = Matmul<tine::f16>]" -> "Matmul<tine::f16>". Composed kernels have no name of their own.
std::string type_name(const std::string& pretty) {
  std::size_t begin = pretty.find("K = ");
  if (begin == std::string::npos) return pretty;
  begin += 4;
  std::size_t end = begin;
  for (int depth = 0; end < pretty.size(); ++end) {
    char c = pretty[end];
    if (depth == 0 && (c == ';' || c == ']')) break;
    depth += (c == '<' || c == '(' || c == '{') - (c == '>' || c == ')' || c == '}');
  }
  std::string name = pretty.substr(begin, end - begin);
  for (const std::string prefix : {"(anonymous namespace)::", "{anonymous}::"})  // clang's and g++'s words; no user's
    for (std::size_t at; (at = name.find(prefix)) != std::string::npos;) name.erase(at, prefix.size());
  for (const char* prefix : {"tine::Composed<", "Composed<"})
    if (name.rfind(prefix, 0) == 0) return "arrangement and application";
  return name;
}

bool is_identifier(const std::string& s) {
  if (s.empty() || std::isdigit(static_cast<unsigned char>(s[0]))) return false;
  return std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

Definition* define(const DefinitionInfo& info) {
  auto* d = new Definition;
  d->state = info.state;
  d->size = info.size;
  d->run = info.run;
  d->destroy = info.destroy;
  d->name = type_name(info.pretty);
  for (int i = 0; i < info.source_count; ++i) {
    d->sources.push_back(info.sources[i]);
    std::string name = info.names ? info.names[i] : "p" + std::to_string(i);
    bool taken = std::find(d->parameters.begin(), d->parameters.end(), name) != d->parameters.end();
    if (taken || !is_identifier(name)) {
      std::string kernel = d->name;
      release(d);
      fail(Diagnostic::names_wrong, {name}, {kernel, "names", "", "", {}});
    }
    d->parameters.push_back(std::move(name));
  }
  for (int i = 0; i < info.member_count; ++i)
    d->members.push_back({info.members[i].offset, std::string(info.members[i].name, info.members[i].length)});
  d->all_members_named = d->members_found = info.all_members_named;
  return d;
}
void retain(Definition* d) { ++d->references; }
void release(Definition* d) {
  if (--d->references) return;
  d->destroy(d->state);
  delete d;
}

namespace {

graph::Graph run(const Definition& d, const Config& c, bool with_application) {
  Tracer t(d, c, with_application);
  d.run(d.state);
  return t.finish();
}

// Block sizes without a name of their own are numbered in the order of the members, which takes a run to find them.
void find_members(const Definition& d) {
  {
    std::lock_guard lock(d.mutex);
    if (d.members_found) return;
  }
  std::vector<std::size_t> offsets;
  {
    const Config defaults;
    Tracer t(d, defaults, true);
    d.run(d.state);
    for (auto& m : t.metas) offsets.push_back(m.offset);
  }
  std::sort(offsets.begin(), offsets.end());
  std::lock_guard lock(d.mutex);
  if (d.members_found) return;
  int unnamed = 0;
  for (std::size_t o : offsets) {
    bool named = std::any_of(d.members.begin(), d.members.end(), [&](auto& m) { return m.offset == o; });
    if (!named) d.members.push_back({o, "b" + std::to_string(unnamed++)});
  }
  d.members_found = true;
}

void check_config(const Definition& d, const Config& c) {
  std::lock_guard lock(d.mutex);
  for (auto& [name, value] : c.values) {
    bool known = std::any_of(d.members.begin(), d.members.end(), [&, &n = name](auto& m) { return m.name == n; });
    if (!known) {
      std::string all;
      for (auto& m : d.members) all += (all.empty() ? " `" : ", `") + m.name + "`";
      fail(Diagnostic::config_unknown, {name, std::to_string(value), all.empty() ? " none" : all},
           {d.name, "", "", "", {}});
    }
    if (value <= 0) fail(Diagnostic::block_not_positive, {name, std::to_string(value)}, {d.name, "", "", "", {}});
  }
}

graph::Graph traced(const Definition& d, const Config& c, bool with_application) {
  find_members(d);
  graph::Graph g = run(d, c, with_application);
  check_config(d, c);
#ifndef NDEBUG
  if (graph::canonical_bytes(g) != graph::canonical_bytes(run(d, c, with_application)))
    fail(Diagnostic::not_pure, {}, {d.name, "", "", "", {}});
#endif
  return g;
}

}  // namespace

graph::Graph trace(const Definition& d, const Config& c) { return traced(d, c, true); }
graph::Graph trace_arrangement(const Definition& d, const Config& c) { return traced(d, c, false); }
std::vector<graph::Meta> metas(const Definition& d) { return traced(d, {}, true).metas; }

}  // namespace tine::core
