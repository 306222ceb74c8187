// Compile options: `key=value;key=value`. All of them are part of every cache key.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tine::codegen {

struct Options {
  bool fast_math = false;    ///< fast_math=0|1: contraction, reassociation, approximate division (language.md, section 6)
  bool log = false;          ///< log=0|1: every step with its time, to stderr

  // CPU targets alone.
  int l2 = 1024;             ///< l2=KIB: of a core's second cache, which panels and rows of products stay in; 64 to 1048576

  // GPU targets alone.
  int warps = 0;             ///< warps=N: per program, a power of two up to 32; 0: derived from the tiles
  int stages = 0;            ///< stages=N: of asynchronous copies in flight, 1 to 8; 0: derived
  int split = 0;             ///< split=N: tiles of more elements are worked on in parts, a power of two from 32; 0: derived
  bool persistent = false;   ///< order=persistent: as many blocks as run at once, each loops over programs
  int group = 0;             ///< order=grouped:N: programs in groups of N rows, column by column; 0: rows
  bool line_tables = false;  ///< line_tables=0|1: source lines in the code
  bool cubin = false;        ///< code=ptx|cubin: what the artefact holds
};

/// False with a reason for unknown keys, for values that a key does not take and, where `gpu` is false, for keys that only
/// GPU targets have: a misspelt option must not be taken for the default.
bool parse_options(llvm::StringRef text, bool gpu, Options& options, std::string& why);

}  // namespace tine::codegen
