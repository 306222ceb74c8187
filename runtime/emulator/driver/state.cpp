#include "state.hpp"

#include <atomic>
#include <cstdlib>

namespace tine::stand_in {
namespace {

// "cuMemAlloc_v2:2:2,cuLaunchKernel:1:719"
void read_failures(State& s) {
  const char* f = std::getenv("TINE_STAND_IN_FAIL");
  if (f == nullptr) return;
  const std::string all = f;
  for (std::size_t b = 0; b < all.size();) {
    const std::size_t e = std::min(all.find(',', b), all.size());
    const std::string one = all.substr(b, e - b);
    const std::size_t c = one.find(':'), d = c == std::string::npos ? c : one.find(':', c + 1);
    if (d != std::string::npos) s.failures.push_back({one.substr(0, c), static_cast<unsigned>(std::atoi(one.c_str() + c + 1)), std::atoi(one.c_str() + d + 1)});
    b = e + 1;
  }
}

}  // namespace

void read_limits(State& s) {
  const auto number = [](const char* variable, unsigned long long otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
  };
  s.devices = static_cast<int>(number("TINE_STAND_IN_DEVICES", 1));
  s.capability = static_cast<int>(number("TINE_STAND_IN_CAPABILITY", 89));
  s.memory_limit = number("TINE_STAND_IN_MEMORY", 8ull << 30);
  s.reads_host = number("TINE_STAND_IN_READS_HOST", 0) != 0;
}

State& state() {
  static State& s = *[] {
    auto* fresh = new State;  // never destroyed: handles may be used while the process ends
    read_limits(*fresh);
    read_failures(*fresh);
    return fresh;
  }();
  return s;
}
std::vector<Context*>& context_stack() {
  static thread_local std::vector<Context*> stack;
  return stack;
}
std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> next{1};
  static thread_local const std::uint64_t id = next++;
  return id;
}
int& capture_mode() {
  static thread_local int mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  return mode;
}
std::unique_ptr<Context> make_context(CUdevice device) {
  auto c = std::make_unique<Context>();
  c->device = device;
  c->id = ++state().contexts_made;
  c->memory = std::make_shared<emu::Memory>((c->id % 256) << 36);
  c->null_stream.context = c.get();
  c->null_stream.legacy = true;
  return c;
}
bool alive(Context* c) {
  if (c == nullptr) return false;
  for (const auto& [device, p] : state().primary)
    if (p.get() == c) return true;
  return find(state().contexts, c) != nullptr;
}

CUresult planned(const char* function) {
  auto& all = state().failures;
  for (auto it = all.begin(); it != all.end(); ++it) {
    if (it->function != function) continue;
    if (it->nth == 0) return it->code;
    if (--it->nth == 0) {
      const CUresult code = it->code;
      all.erase(it);
      return code;
    }
  }
  return CUDA_SUCCESS;
}

CUresult current(Context*& out) {
  auto& stack = context_stack();
  if (stack.empty() || stack.back() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (!alive(stack.back())) return CUDA_ERROR_INVALID_CONTEXT;
  out = stack.back();
  return out->sick;
}

Stream* stream_of(CUstream s, Context* c) {
  // The null stream, the legacy handle (1) and the per-thread one (2) are one stream here.
  if (reinterpret_cast<std::uintptr_t>(s) <= 2) return &c->null_stream;
  return find(c->streams, s);
}

CUresult unsafe_call() {
  if (capture_mode() == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  bool hit = false;
  auto look = [&](Context* c) {
    for (const auto& s : c->streams)
      if (s->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE && s->origin && ((s->mode == CU_STREAM_CAPTURE_MODE_GLOBAL && (capture_mode() == CU_STREAM_CAPTURE_MODE_GLOBAL || s->thread == this_thread())) || (s->mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL && s->thread == this_thread()))) {
        hit = true;
        for (const auto& t : c->streams)
          if (t->graph == s->graph) t->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
      }
  };
  for (const auto& [device, p] : state().primary)
    if (p) look(p.get());
  for (const auto& c : state().contexts) look(c.get());
  return hit ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult submit(Stream* s, Work work) {
  if (s->capture == CU_STREAM_CAPTURE_STATUS_INVALIDATED) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (s->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
    s->graph->nodes.push_back(std::move(work));
    s->joined_back = false;
    return CUDA_SUCCESS;
  }
  if (s == &s->context->null_stream)  // the legacy stream waits for all others: impossible while one captures
    for (const auto& t : s->context->streams)
      if (t->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        t->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
      }
  return work();
}

}  // namespace tine::stand_in
