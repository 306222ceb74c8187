// Executes the instructions of AMX and AVX512-FP16 that code for `cpu:amx` holds on processors that have AVX-512 alone:
// they raise SIGILL, whose handler decodes them, does to the thread's tiles and registers what the manual says, and
// steps over them. What is no such instruction goes to the handler that others set, or ends the process, as ever.
#pragma once

namespace tine::amx {

/// For the whole process and for good. An instruction that would raise #UD or #GP on a processor that has it, and a
/// form that is not emulated, is written to stderr with its bytes, and is then as illegal as without the trap.
void install_trap();

}  // namespace tine::amx
