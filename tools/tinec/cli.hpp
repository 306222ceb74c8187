// The command line: options, help and examples.
#pragma once

namespace tinec {

/// Parses, runs and reports; returns the exit code. Throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace tinec
