#include "machine/link.hpp"

#include <algorithm>
#include <set>

#include "tine/emulator/error.hpp"

namespace tine::emulator::detail {

void Linker::fail(std::size_t module, std::uint32_t line, const std::string& why) const { throw Error(ErrorKind::semantic, modules_[module]->ast->name, line, why); }

Linker::~Linker() {
  for (const auto& l : locals_)
    for (const auto& [name, v] : l) memory_.release_variable(v.address);
}

void Linker::add(ModuleCode& m) {
  const std::size_t id = modules_.size();
  modules_.push_back(&m);
  locals_.emplace_back();
  functions_.emplace_back();
  for (const GlobalVariable& v : m.variables) {
    if (v.is_extern || v.shared) continue;
    Variable var;
    var.size = v.size;
    var.of = &v;
    var.module = id;
    if (v.exported) {
      const auto it = exported_.find(v.name);
      if (it != exported_.end()) {
        if (!v.weak && !it->second.of->weak) fail(id, v.line, "variable `" + v.name + "` is defined in two modules");
        continue;  // the first one stands
      }
    }
    var.address = memory_.allocate_variable(v.size, v.align, v.name, v.read_only);
    if (!v.bytes.empty()) std::copy(v.bytes.begin(), v.bytes.end(), memory_.find(var.address)->host);
    locals_[id][v.name] = var;
    if (v.exported) exported_[v.name] = var;
  }
  for (const Function& f : m.functions) {
    module_of_[&f] = id;
    if (f.is_extern || f.code.empty()) continue;
    functions_[id][f.name] = &f;
    if (f.exported && !f.entry) {
      const auto [it, fresh] = exported_functions_.emplace(f.name, &f);
      (void)it;
      (void)fresh;
    }
    if (f.entry) {
      for (const Function* e : entries_)
        if (e->name == f.name) fail(id, f.line, "kernel `" + f.name + "` is defined in two modules");
      entries_.push_back(&f);
    }
  }
  kernels_.clear();
}

const Variable* Linker::variable(const std::string& name) const {
  const auto it = exported_.find(name);
  if (it != exported_.end()) return &it->second;
  for (const auto& l : locals_)
    if (const auto k = l.find(name); k != l.end()) return &k->second;
  return nullptr;
}
const Variable* Linker::variable_in(std::size_t module, const std::string& name) const {
  const auto it = locals_[module].find(name);
  if (it != locals_[module].end()) return &it->second;
  const auto e = exported_.find(name);
  return e == exported_.end() ? nullptr : &e->second;
}
const Function* Linker::function(std::size_t module, const std::string& name) const {
  const auto it = functions_[module].find(name);
  if (it != functions_[module].end()) return it->second;
  const auto e = exported_functions_.find(name);
  return e == exported_functions_.end() ? nullptr : e->second;
}
std::uint64_t Linker::code_address(const Function* f) {
  const auto [it, fresh] = code_.emplace(f, 0);
  if (fresh) it->second = kCodeWindow + code_.size() * kCodeStep;
  return it->second;
}

void Linker::resolve_variables() {
  for (; resolved_ < modules_.size(); ++resolved_)
    for (const GlobalVariable& v : modules_[resolved_]->variables) {
      if (v.pointers.empty()) continue;
      const Variable* self = variable_in(resolved_, v.name);
      if (self == nullptr || self->of != &v) continue;
      std::uint8_t* host = memory_.find(self->address)->host;
      for (const GlobalVariable::Pointer& p : v.pointers) {
        std::uint64_t value = 0;
        if (const Variable* t = variable_in(resolved_, p.symbol))
          value = t->address;
        else if (const Function* f = function(resolved_, p.symbol))
          value = code_address(f);
        else
          fail(resolved_, p.line, "`" + p.symbol + "` is not defined anywhere");
        value += static_cast<std::uint64_t>(p.addend);
        for (unsigned b = 0; b < p.bytes; ++b) host[p.at + b] = static_cast<std::uint8_t>(value >> (p.shift + 8 * static_cast<int>(b)));
      }
    }
}

const LinkedKernel& Linker::kernel(const std::string& name) {
  if (const auto it = kernels_.find(name); it != kernels_.end()) return *it->second;
  const Function* entry = nullptr;
  for (const Function* e : entries_)
    if (e->name == name) entry = e;
  if (entry == nullptr) throw Error(ErrorKind::usage, "", 0, "no kernel `" + name + "`");
  auto k = std::make_unique<LinkedKernel>();
  k->entry = entry;
  k->module = modules_[module_of_.at(entry)]->ast->name;

  // Everything reachable, breadth first: direct calls, and functions whose address is taken (in code or in variables).
  std::vector<const Function*> order{entry};
  std::map<const Function*, std::int32_t> index{{entry, 0}};
  bool indirect = false;
  auto reach = [&](const Function* f) {
    const auto [it, fresh] = index.emplace(f, static_cast<std::int32_t>(order.size()));
    if (fresh) order.push_back(f);
    return it->second;
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Function& f = *order[i];
    const std::size_t module = module_of_.at(&f);
    for (const CallSite& c : f.calls)
      if (!c.callee.empty()) {
        if (const Function* t = function(module, c.callee)) reach(t);
      } else
        indirect = true;
    for (const Relocation& r : f.relocations)
      if (variable_in(module, r.symbol) == nullptr)
        if (const Function* t = function(module, r.symbol)) reach(t);
    if (indirect && i + 1 == order.size())
      for (std::size_t m = 0; m < modules_.size(); ++m)
        for (const GlobalVariable& v : modules_[m]->variables)
          for (const GlobalVariable::Pointer& p : v.pointers)
            if (variable_in(m, p.symbol) == nullptr)
              if (const Function* t = function(m, p.symbol)) reach(t);
  }

  // Shared memory: module variables that are used, then demoted ones, 128 bytes of nothing between them so that overruns show.
  constexpr std::uint32_t kGap = 128;
  std::uint32_t at = 0, real = 0;
  std::map<std::pair<std::size_t, std::string>, std::uint32_t> shared_at;
  std::set<std::pair<std::size_t, std::string>> dynamic;
  auto place = [&](std::size_t module, const std::string& n, std::uint32_t size, std::uint32_t align) {
    at = (at + align - 1) / align * align;
    real = (real + align - 1) / align * align + size;
    shared_at[{module, n}] = at;
    k->shared.push_back({n, at, at + size});
    at = (at + size + kGap + kGap - 1) / kGap * kGap;
    if (at > (1u << 24)) throw Error(ErrorKind::semantic, k->module, entry->line, "kernel `" + name + "` wants too much shared memory");
  };
  std::uint32_t dynamic_align = 16;
  for (const Function* f : order) {
    const std::size_t module = module_of_.at(f);
    for (const Relocation& r : f->relocations)
      for (std::size_t m = 0; m < modules_.size(); ++m)
        for (const GlobalVariable& v : modules_[m]->variables) {
          if (!v.shared || v.name != r.symbol || (m != module && !v.exported) || shared_at.count({m, v.name}) != 0) continue;
          if (v.dynamic || v.is_extern) {
            if (v.dynamic) {
              dynamic.insert({m, v.name});
              dynamic_align = std::max(dynamic_align, v.align);
            }
          } else
            place(m, v.name, static_cast<std::uint32_t>(v.size), v.align);
        }
    for (const SharedVariable& v : f->shared) place(module, v.name, v.size, v.align);
  }
  k->static_shared = real;
  k->dynamic_base = (at + std::max(dynamic_align, 128u) - 1) / std::max(dynamic_align, 128u) * std::max(dynamic_align, 128u);
  k->uses_dynamic = !dynamic.empty();
  for (const auto& d : dynamic) shared_at[d] = k->dynamic_base;

  for (const Function* f : order) {
    const std::size_t module = module_of_.at(f);
    LinkedFunction lf;
    lf.fn = f;
    std::vector<std::uint64_t> values = f->constants;
    for (const Relocation& r : f->relocations) {
      std::uint64_t v = 0;
      auto sh = shared_at.find({module, r.symbol});
      if (sh == shared_at.end())
        for (std::size_t m = 0; m < modules_.size() && sh == shared_at.end(); ++m)
          for (const GlobalVariable& g : modules_[m]->variables)
            if (g.shared && g.exported && g.name == r.symbol) sh = shared_at.find({m, r.symbol});
      if (sh != shared_at.end())
        v = sh->second;
      else if (const Variable* var = variable_in(module, r.symbol))
        v = var->address;
      else if (const Function* t = function(module, r.symbol))
        v = code_address(t);
      else
        fail(module, r.line, "`" + r.symbol + "` is not defined anywhere");
      values[r.constant] = v + static_cast<std::uint64_t>(r.addend);
    }
    lf.constants.resize(std::max<std::size_t>(values.size(), 1) * 32);
    for (std::size_t c = 0; c < values.size(); ++c)
      for (std::size_t l = 0; l < 32; ++l) lf.constants[c * 32 + l] = values[c];
    for (const CallSite& c : f->calls) {
      std::int32_t target = kUnresolved;
      if (!c.callee.empty()) {
        if (const Function* t = function(module, c.callee))
          target = index.at(t);
        else if (c.callee == "vprintf" && c.arguments.size() == 2)
          target = kVprintf;
        else if (c.callee == "__assertfail" && c.arguments.size() == 5)
          target = kAssertFail;
        else
          fail(module, f->line, "function `" + c.callee + "`, called by `" + f->name + "`, is not defined anywhere");
      }
      lf.call_targets.push_back(target);
    }
    k->functions.push_back(std::move(lf));
    k->module_of.push_back(&modules_[module]->ast->name);
    k->ast_of.push_back(modules_[module]->ast.get());
  }
  for (const auto& [f, i] : index)
    if (const auto it = code_.find(f); it != code_.end()) k->code_addresses[it->second] = i;
  return *kernels_.emplace(name, std::move(k)).first->second;
}

}  // namespace tine::emulator::detail
