// The part of NVIDIA's driver API that launching kernels needs, from the driver's library, which is opened at run time.
// Knows nothing of the rest of Tine and needs the C library alone: linked AOT libraries have it too.
#pragma once
#include <cstddef>

namespace tine::cuda {

// As cuda.h has them; its header is not needed.
using Result = int;
using Context = struct ContextHandle*;
using Module = struct ModuleHandle*;
using Function = struct FunctionHandle*;
using Stream = struct StreamHandle*;
using Event = struct EventHandle*;
using Pointer = unsigned long long;

enum : Result {
  success = 0,
  out_of_memory = 2,
  no_device = 100,
  invalid_image = 200,
  invalid_context = 201,
  no_binary = 209,
  invalid_ptx = 218,
  unsupported_ptx = 222,
};
enum DeviceAttribute : int {
  multiprocessors = 16,
  compute_major = 75,
  compute_minor = 76,
  pageable_memory = 88,  ///< kernels may read all of the host's memory
  shared_per_block = 97  ///< bytes, where a function asks for more than 48 KiB
};
enum FunctionAttribute : int { max_dynamic_shared = 8 };
enum PointerAttribute : int { pointer_context = 1, pointer_memory = 2 };
enum ModuleOption : int { error_log = 5, error_log_bytes = 6 };
enum CaptureMode : int { capture_relaxed = 2 };

// X(function, symbol, parameters); the symbols are what the macros of cuda.h stand for.
#define TINE_CUDA_FUNCTIONS(X)                                                                                        \
  X(init, "cuInit", (unsigned flags))                                                                                 \
  X(driver_version, "cuDriverGetVersion", (int* version))                                                             \
  X(error_name, "cuGetErrorName", (Result, const char**))                                                             \
  X(error_text, "cuGetErrorString", (Result, const char**))                                                           \
  X(device_count, "cuDeviceGetCount", (int*))                                                                         \
  X(device_name, "cuDeviceGetName", (char* name, int size, int device))                                               \
  X(device_memory, "cuDeviceTotalMem_v2", (std::size_t*, int device))                                                 \
  X(device_attribute, "cuDeviceGetAttribute", (int*, int attribute, int device))                                      \
  X(retain_primary, "cuDevicePrimaryCtxRetain", (Context*, int device))                                               \
  X(current_context, "cuCtxGetCurrent", (Context*))                                                                   \
  X(push_context, "cuCtxPushCurrent_v2", (Context))                                                                   \
  X(pop_context, "cuCtxPopCurrent_v2", (Context*))                                                                    \
  X(current_device, "cuCtxGetDevice", (int*))                                                                         \
  X(synchronize, "cuCtxSynchronize", ())                                                                              \
  X(exchange_capture_mode, "cuThreadExchangeStreamCaptureMode", (int* mode))                                          \
  X(load_module, "cuModuleLoadDataEx", (Module*, const void* image, unsigned options, int* keys, void** values))      \
  X(get_function, "cuModuleGetFunction", (Function*, Module, const char* name))                                       \
  X(set_function_attribute, "cuFuncSetAttribute", (Function, int attribute, int value))                               \
  X(blocks_per_multiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                         \
    (int* blocks, Function, int threads, std::size_t dynamic_shared))                                                 \
  X(launch, "cuLaunchKernel",                                                                                         \
    (Function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,                 \
     unsigned block_z, unsigned dynamic_shared, Stream, void** parameters, void** extra))                             \
  X(allocate, "cuMemAlloc_v2", (Pointer*, std::size_t))                                                               \
  X(free, "cuMemFree_v2", (Pointer))                                                                                  \
  X(free_memory, "cuMemGetInfo_v2", (std::size_t* free, std::size_t* total))                                          \
  X(pointer_attribute, "cuPointerGetAttribute", (void*, int attribute, Pointer))                                      \
  X(to_device, "cuMemcpyHtoD_v2", (Pointer, const void*, std::size_t))                                                \
  X(to_host, "cuMemcpyDtoH_v2", (void*, Pointer, std::size_t))                                                        \
  X(on_device, "cuMemcpyDtoD_v2", (Pointer, Pointer, std::size_t))                                                    \
  X(to_device_async, "cuMemcpyHtoDAsync_v2", (Pointer, const void*, std::size_t, Stream))                             \
  X(to_host_async, "cuMemcpyDtoHAsync_v2", (void*, Pointer, std::size_t, Stream))                                     \
  X(on_device_async, "cuMemcpyDtoDAsync_v2", (Pointer, Pointer, std::size_t, Stream))                                 \
  X(fill, "cuMemsetD8_v2", (Pointer, unsigned char, std::size_t))                                                     \
  X(fill_async, "cuMemsetD8Async", (Pointer, unsigned char, std::size_t, Stream))                                     \
  X(create_stream, "cuStreamCreate", (Stream*, unsigned flags))                                                       \
  X(destroy_stream, "cuStreamDestroy_v2", (Stream))                                                                   \
  X(synchronize_stream, "cuStreamSynchronize", (Stream))                                                              \
  X(stream_context, "cuStreamGetCtx", (Stream, Context*))                                                             \
  X(wait_event, "cuStreamWaitEvent", (Stream, Event, unsigned flags))                                                 \
  X(create_event, "cuEventCreate", (Event*, unsigned flags))                                                          \
  X(destroy_event, "cuEventDestroy_v2", (Event))                                                                      \
  X(record_event, "cuEventRecord", (Event, Stream))                                                                   \
  X(synchronize_event, "cuEventSynchronize", (Event))                                                                 \
  X(elapsed, "cuEventElapsedTime", (float* milliseconds, Event begin, Event end))

struct Driver {
#define X(function, symbol, parameters) Result(*function) parameters;
  TINE_CUDA_FUNCTIONS(X)
#undef X
  /// Of drivers for CUDA 12 and later, else null. A context's number is never given again, unlike its address.
  Result (*context_id)(Context, unsigned long long*);
};

/// Why there is no driver.
struct OpenFailure {
  enum Kind : int { none, no_library, no_function, init_failed } kind = none;
  Result code = success;  ///< of `init_failed`
  char text[512] = "";    ///< the loader's words, the missing function, or the code's name
};

/// The usual name of the library; null: nothing is opened.
inline constexpr const char* library = "libcuda.so.1";

/// Opens the library, finds the functions and initialises the driver. Does nothing else, so callers keep what they got.
bool open(const char* file, Driver&, OpenFailure&);

/// Whether a result says that a kernel that ran before has left the context unusable, for good.
bool is_sticky(Result);

/// Best of `known` (ascending, 80 for sm_80) for a device of this compute capability; 0 if all are newer. PTX also runs on
/// later devices.
int architecture_for(int compute_capability, const int* known, std::size_t count);
/// Whether machine code for one architecture runs on a device: the same generation, and not older than the code.
bool runs_machine_code(int architecture, int compute_capability);

}  // namespace tine::cuda
