// Streams and events. Work runs when it is submitted, so a stream is always idle; what is modelled are the rules.
#include <chrono>

#include "state.hpp"

using namespace tine::stand_in;

namespace {
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
CUresult create(CUstream* out, unsigned flags) {
  TINE_CONTEXT(c);
  if (out == nullptr || flags > 1) return CUDA_ERROR_INVALID_VALUE;
  auto s = std::make_unique<Stream>();
  s->context = c;
  *out = reinterpret_cast<CUstream>(s.get());
  c->streams.insert(std::move(s));
  return CUDA_SUCCESS;
}
// Waiting for, or asking about, a stream that captures breaks the capture.
CUresult idle(Stream* s) {
  if (s->capture == CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_SUCCESS;
  s->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}
}  // namespace

TINE_EXPORT CUresult cuStreamCreate(CUstream* out, unsigned flags) {
  TINE_ENTER("cuStreamCreate");
  return create(out, flags);
}
TINE_EXPORT CUresult cuStreamCreateWithPriority(CUstream* out, unsigned flags, int) {
  TINE_ENTER("cuStreamCreateWithPriority");
  return create(out, flags);
}
TINE_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  TINE_ENTER("cuStreamDestroy_v2");
  TINE_CONTEXT(c);
  return erase(c->streams, stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
TINE_EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  TINE_ENTER("cuStreamSynchronize");
  TINE_CONTEXT(c);
  Stream* s = stream_of(stream, c);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (s->legacy)
    if (const CUresult r = unsafe_call()) return r;
  return idle(s);
}
TINE_EXPORT CUresult cuStreamQuery(CUstream stream) {
  TINE_ENTER("cuStreamQuery");
  TINE_CONTEXT(c);
  Stream* s = stream_of(stream, c);
  return s == nullptr ? CUDA_ERROR_INVALID_HANDLE : idle(s);
}
TINE_EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext* out) {
  TINE_ENTER("cuStreamGetCtx");
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // A stream names its context whichever is current.
  if (reinterpret_cast<std::uintptr_t>(stream) <= 2) {
    TINE_CONTEXT(c);
    *out = reinterpret_cast<CUcontext>(c);
    return CUDA_SUCCESS;
  }
  auto look = [&](Context* k) {
    if (k == nullptr || find(k->streams, stream) == nullptr) return false;
    *out = reinterpret_cast<CUcontext>(k);
    return true;
  };
  for (const auto& [device, p] : state().primary)
    if (look(p.get())) return CUDA_SUCCESS;
  for (const auto& k : state().contexts)
    if (look(k.get())) return CUDA_SUCCESS;
  return CUDA_ERROR_INVALID_HANDLE;
}
TINE_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  TINE_ENTER("cuStreamWaitEvent");
  TINE_CONTEXT(c);
  Stream* s = stream_of(stream, c);
  Event* e = find(c->events, event);
  if (s == nullptr || e == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture == CU_STREAM_CAPTURE_STATUS_INVALIDATED) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (e->captured) {
    if (s->legacy) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (s->capture == CU_STREAM_CAPTURE_STATUS_NONE) {  // the capture spreads to this stream
      s->capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
      s->graph = e->captured;
      s->mode = e->captured_in->mode;
      s->thread = e->captured_in->thread;
      s->origin = false;
    } else if (s->graph != e->captured)
      return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (e->captured_in != s) e->captured_in->joined_back = true;
  } else if (s->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE && e->recorded) {
    s->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  return CUDA_SUCCESS;
}

TINE_EXPORT CUresult cuEventCreate(CUevent* out, unsigned flags) {
  TINE_ENTER("cuEventCreate");
  TINE_CONTEXT(c);
  if (out == nullptr || flags > 7) return CUDA_ERROR_INVALID_VALUE;
  auto e = std::make_unique<Event>();
  e->context = c;
  e->timing = (flags & 2) == 0;
  *out = reinterpret_cast<CUevent>(e.get());
  c->events.insert(std::move(e));
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  TINE_ENTER("cuEventDestroy_v2");
  TINE_CONTEXT(c);
  return erase(c->events, event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
TINE_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  TINE_ENTER("cuEventRecord");
  TINE_CONTEXT(c);
  Stream* s = stream_of(stream, c);
  Event* e = find(c->events, event);
  if (s == nullptr || e == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture == CU_STREAM_CAPTURE_STATUS_INVALIDATED) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  e->recorded = true;
  e->time = now();
  e->captured = s->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE ? s->graph : nullptr;
  e->captured_in = e->captured ? s : nullptr;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuEventSynchronize(CUevent event) {
  TINE_ENTER("cuEventSynchronize");
  TINE_CONTEXT(c);
  Event* e = find(c->events, event);
  if (e == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (e->captured) return CUDA_ERROR_CAPTURED_EVENT;
  return unsafe_call();
}
TINE_EXPORT CUresult cuEventQuery(CUevent event) {
  TINE_ENTER("cuEventQuery");
  TINE_CONTEXT(c);
  Event* e = find(c->events, event);
  if (e == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return e->captured ? CUDA_ERROR_CAPTURED_EVENT : CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to) {
  TINE_ENTER("cuEventElapsedTime");
  TINE_CONTEXT(c);
  const Event *a = find(c->events, from), *b = find(c->events, to);
  if (a == nullptr || b == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (ms == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!a->recorded || !b->recorded || !a->timing || !b->timing) return CUDA_ERROR_INVALID_HANDLE;
  *ms = static_cast<float>((b->time - a->time) * 1e3);
  return CUDA_SUCCESS;
}
