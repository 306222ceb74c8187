// The subcommands: what the command line asks of each, and the functions that do it. They write their result to
// standard output or a file, and throw what failure.hpp lists or the errors of tine/error.hpp.
#pragma once
#include <string>
#include <vector>

#include "tools/tinec/cxx.hpp"

namespace tinec {

/// Which kernel.
struct KernelChoice {
  std::string header, kernel;
  std::vector<std::string> set;  ///< "bm=64"
  CxxOptions cxx;
};

struct ListOptions {
  std::string header;
  bool json = false;
  CxxOptions cxx;
};
void list(const ListOptions&);

struct EmitOptions {
  KernelChoice choice;
  std::string target = "cpu", stage, output;
  std::vector<std::string> options;  ///< "fast_math=1"
  bool strided = false;              ///< nothing is known of the strides
  int alignment = 64;                ///< of the base pointers, in bytes
  std::vector<std::string> shapes;   ///< "a=5x7"
  bool locations = false;            ///< of the graph
};
void emit(const EmitOptions&);

struct RunOptions {
  KernelChoice choice;
  std::vector<std::string> arguments, outputs, options;
  std::string device;  ///< empty: TINE_DEVICE, else the CPU
  int threads = 0;
};
void run(const RunOptions&);

struct ArrangeOptions {
  KernelChoice choice;
  std::vector<std::string> shapes;  ///< "a=5x7"
  std::string ops, output;
};
void arrange(const ArrangeOptions&);

/// Prints where kernels can run, and why they cannot elsewhere.
void devices();
/// Prints what of all that Tine can use is there, and what to install for the rest.
void doctor();
struct BuildOptions {
  std::string header, description;
  std::vector<std::string> kernels, set, options, targets;
  bool all = false;
  std::string name, output = ".", abi, tuning;
  CxxOptions cxx;
  std::string linker;  ///< C compiler for the target's machine; "" finds one
  int jobs = 0;        ///< 0: one for each CPU
  std::string shard;   ///< "2/8"
  bool emit_ninja = false, artefacts = false, tune = false;
  std::string depfile;
};
void build(const BuildOptions&);

struct LinkOptions {
  std::vector<std::string> folders;  ///< outputs of `build`, its shards above all
  std::string output = ".";
  CxxOptions cxx;
  std::string linker;
  bool artefacts = false;
};
void link(const LinkOptions&);

/// One variant of a plan, for build files: `variant FOLDER KEY -o FILE`.
struct VariantOptions {
  std::string folder, key, output;
};
void variant(const VariantOptions&);

/// "tinec 0.1.0" and what it compiles with.
std::string version_text();

}  // namespace tinec
