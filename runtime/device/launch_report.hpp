// What a launch on an emulated device leaves in a folder, for benchmarks and for a look at a kernel without a GPU.
#pragma once
#include <string>

#include "tine/emulator/emulator.hpp"

namespace tine::device {

/// Writes `NUMBER-KERNEL.ptx`, the code, and `NUMBER-KERNEL.json`: kernel, target, grid, threads, shared bytes and the machine's
/// report with its counts. Numbers go up within a process; files of other processes are not overwritten. Makes the folder.
/// Throws RuntimeError where it cannot be written.
void write_launch_report(const std::string& folder, const std::string& kernel, const std::string& target, const char* ptx,
                         const emulator::LaunchConfig&, const emulator::Report&);

}  // namespace tine::device
