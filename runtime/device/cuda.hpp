// The `cuda` devices: NVIDIA GPUs through their driver, whose library is opened when the first of them is asked for.
#pragma once
#include <memory>
#include <string>

#include "runtime/launch/device.hpp"

namespace tine::device {

/// Device `ordinal` as the driver counts; -1: that of the calling thread's current context, else 0. A RuntimeError that
/// says what is missing, if anything.
std::unique_ptr<launch::Device> make_cuda(const std::string& name, int ordinal);

/// How many there are. A RuntimeError without a driver or a device.
int count_cuda_devices();
/// "NVIDIA driver for CUDA 13.0"; the same errors.
std::string cuda_driver_text();

}  // namespace tine::device
