// PTX to machine code, by the CUDA toolkit: ptxas as a program, else nvJitLink in this process.
#pragma once
#include <string>
#include "codegen/nvptx/pipeline.hpp"
#include "codegen/nvptx/toolkit.hpp"

namespace tine::nvptx {

/// What the assembler says of the kernel. Bytes; stack and spills per thread, shared per block.
struct Resources {
  int registers = 0, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0, constant = 0, barriers = 0;
};

struct MachineCode {
  std::string cubin;
  Resources resources;
  std::string tool;  ///< "ptxas", "nvJitLink 13.0"
};

/// Who is at fault where assembling fails.
enum class AssembleError { none, no_toolkit, tool_failed, bad_ptx };

/// Machine code of `target` from PTX that has the kernel `tine_kernel`. `why`: one sentence, with the tool's own words.
AssembleError assemble(const std::string& ptx, const Target& target, bool line_tables, const Toolkit& toolkit, MachineCode& code, std::string& why);

/// The kernel's part of what `ptxas -v` prints, all but the constant bytes; nvJitLink's log has the same lines. False if it
/// has none.
bool parse_log(llvm::StringRef log, llvm::StringRef kernel, Resources& resources);

/// Blocks of the kernel that one multiprocessor holds at once, by its threads, registers and shared memory.
int blocks_per_multiprocessor(const Target& target, const Resources& resources, const Launch& launch);

/// The report of the stage `resources`: one JSON object, a line for each field.
std::string report(const Target& target, const MachineCode& code, const Launch& launch);

}  // namespace tine::nvptx
