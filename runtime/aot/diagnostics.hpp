// What the run time of AOT libraries complains about beyond the sentences that it shares with the launch half
// (runtime/diagnostics.hpp). tests/aot/test_calls.py holds that each is provoked. `{0}`, `{1}`, ... are filled in by `refuse`.
#pragma once
#include <cstdint>

// clang-format off
// X(name, status, text)
#define TINE_AOT_DIAGNOSTICS(X)                                                                                        \
  X(null_tensor, TINE_REFUSED, "kernel {0}: argument {1} is a null pointer, not a tensor")                             \
  X(null_shape, TINE_REFUSED, "kernel {0}: parameter {1} has rank {2}, but its shape is null")                         \
  X(no_instance, TINE_REFUSED,                                                                                         \
    "kernel {0} was not built for {1}: it differs in {2}; it was built for {3}")                                       \
  X(scalar_value, TINE_REFUSED, "kernel {0}: parameter {1} is the scalar {2}, which does not fit its type {3}")        \
  X(no_variant, TINE_REFUSED,                                                                                          \
    "kernel {0}: no variant of {1} accepts this call: {2}; the variants are {3}; called with {4}")                     \
  X(no_device_code, TINE_FAILED, "kernel {0} was not built for {1}; it was built for {2}")                             \
  X(no_processor_code, TINE_FAILED,                                                                                    \
    "kernel {0} was built for {1}, and this processor has not all that any of them needs; build it for a lower level " \
    "too")                                                                                                             \
  X(no_memory, TINE_FAILED, "{0} {1}: the system gives no memory for {2}")                                             \
  X(other_pack, TINE_FAILED, "the library's description is of another version of Tine than its run time")
// clang-format on
