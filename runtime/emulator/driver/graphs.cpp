// Stream capture and graphs. A capture records work instead of running it; a graph launch runs it.
#include <utility>

#include "state.hpp"

using namespace tine::stand_in;

TINE_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  TINE_ENTER("cuStreamBeginCapture_v2");
  TINE_CONTEXT(c);
  Stream* s = stream_of(stream, c);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (mode < 0 || mode > 2) return CUDA_ERROR_INVALID_VALUE;
  if (s->legacy) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (s->capture != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_INVALID_VALUE;
  s->capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  s->mode = mode;
  s->thread = this_thread();
  s->origin = true;
  s->graph = std::make_shared<Graph>();
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph* out) {
  TINE_ENTER("cuStreamEndCapture");
  TINE_CONTEXT(c);
  Stream* s = stream_of(stream, c);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = nullptr;
  if (s->capture == CU_STREAM_CAPTURE_STATUS_NONE || !s->origin) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  if (s->mode != CU_STREAM_CAPTURE_MODE_RELAXED && s->thread != this_thread()) return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  const bool invalidated = s->capture == CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  std::shared_ptr<Graph> graph = std::move(s->graph);
  bool unjoined = false;
  for (const auto& t : c->streams)
    if (t.get() != s && t->graph == graph) {
      unjoined |= !t->joined_back;
      t->capture = CU_STREAM_CAPTURE_STATUS_NONE;
      t->graph.reset();
    }
  s->capture = CU_STREAM_CAPTURE_STATUS_NONE;
  s->graph.reset();
  s->origin = false;
  for (const auto& e : c->events)
    if (e->captured == graph) {
      e->captured.reset();
      e->captured_in = nullptr;
      e->recorded = false;
    }
  if (invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (unjoined) return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  *out = reinterpret_cast<CUgraph>(graph.get());
  state().graphs.insert(std::move(graph));
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuStreamIsCapturing(CUstream stream, int* status) {
  TINE_ENTER("cuStreamIsCapturing");
  TINE_CONTEXT(c);
  const Stream* s = stream_of(stream, c);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (s->legacy)
    for (const auto& t : c->streams)
      if (t->capture != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  *status = s->capture;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuThreadExchangeStreamCaptureMode(int* mode) {
  TINE_ENTER("cuThreadExchangeStreamCaptureMode");
  if (mode == nullptr || *mode < 0 || *mode > 2) return CUDA_ERROR_INVALID_VALUE;
  std::swap(*mode, capture_mode());
  return CUDA_SUCCESS;
}
namespace {
Graph* graph_of(CUgraph g) {
  for (const auto& p : state().graphs)
    if (static_cast<void*>(p.get()) == static_cast<void*>(g)) return p.get();
  return nullptr;
}
CUresult instantiate(CUgraphExec* out, CUgraph graph) {
  TINE_CONTEXT(c);
  const Graph* g = graph_of(graph);
  if (out == nullptr || g == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto e = std::make_unique<GraphExec>();
  e->nodes = g->nodes;
  e->context = c;
  *out = reinterpret_cast<CUgraphExec>(e.get());
  c->graph_execs.insert(std::move(e));
  return CUDA_SUCCESS;
}
}  // namespace
TINE_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec* out, CUgraph graph, unsigned long long) {
  TINE_ENTER("cuGraphInstantiateWithFlags");
  return instantiate(out, graph);
}
TINE_EXPORT CUresult cuGraphInstantiate_v2(CUgraphExec* out, CUgraph graph, void**, char*, std::size_t) {
  TINE_ENTER("cuGraphInstantiate_v2");
  return instantiate(out, graph);
}
TINE_EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  TINE_ENTER("cuGraphLaunch");
  TINE_CONTEXT(c);
  GraphExec* e = find(c->graph_execs, exec);
  Stream* s = stream_of(stream, c);
  if (e == nullptr || s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return submit(s, [c, nodes = e->nodes]() -> CUresult {
    for (const Work& w : nodes) {
      if (const CUresult r = w()) return r;
      if (c->sick != CUDA_SUCCESS) break;
    }
    return CUDA_SUCCESS;
  });
}
TINE_EXPORT CUresult cuGraphGetNodes(CUgraph graph, void**, std::size_t* count) {
  TINE_ENTER("cuGraphGetNodes");
  const Graph* g = graph_of(graph);
  if (g == nullptr || count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = g->nodes.size();
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
  TINE_ENTER("cuGraphExecDestroy");
  TINE_CONTEXT(c);
  return erase(c->graph_execs, exec) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
TINE_EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  TINE_ENTER("cuGraphDestroy");
  for (auto it = state().graphs.begin(); it != state().graphs.end(); ++it)
    if (static_cast<void*>(it->get()) == static_cast<void*>(graph)) {
      state().graphs.erase(it);
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}
