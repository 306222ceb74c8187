// The `emulated` devices: GPU code is run by the PTX machine, in this process, while the caller waits. What the machine
// finds wrong (out of bounds, races, bytes that nobody wrote, ...) ends the launch and is a RuntimeError.
//
// Kernels see the memory that the device allocated and, of the host's memory, what the views of a call cover: to the
// byte, so that a kernel that leaves its views is caught. Results that are only stored count as unwritten before.
#pragma once
#include <memory>

#include "runtime/launch/device.hpp"

namespace tine::device {

/// The architectures there are: 80, 89, 90.
std::span<const int> emulated_architectures();
std::unique_ptr<launch::Device> make_emulated(int architecture);

}  // namespace tine::device
