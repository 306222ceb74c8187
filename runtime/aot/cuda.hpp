// GPU code of a library through NVIDIA's driver, which is opened at the first call that needs it.
#pragma once
#include <cstdint>
#include <span>

#include "codegen/abi/gpu_artefact.h"
#include "runtime/aot/library.hpp"

namespace tine::aot {

struct GpuCode;  ///< code loaded into one context

/// The driver, and the context that a call's stream belongs to, current on this thread until the object goes. `status`
/// is TINE_OK, else there is a message.
class CudaScope {
 public:
  CudaScope(Base, const PackedKernel&, tine_stream stream);
  CudaScope(const CudaScope&) = delete;
  CudaScope& operator=(const CudaScope&) = delete;
  ~CudaScope();
  int status = TINE_OK;
  uint64_t place = 0;  ///< of the context: calls with the same one may share loaded code

 private:
  bool pushed_ = false;
};

/// Which targets of the pack the current device can run. Status.
int gpu_can_run(Base, const PackedKernel&, std::span<bool> can_run);
/// The code, loaded once for each context; null with a message.
const GpuCode* load_gpu_code(Library&, const PackedKernel&, uint32_t code, uint64_t place);
/// Starts the programs in the stream. `parameters` are the addresses of the slots. Status.
int launch_gpu(Base, const PackedKernel&, const GpuCode&, int64_t programs, void** parameters, tine_stream stream);

}  // namespace tine::aot
