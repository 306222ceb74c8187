// The pack: all that a library knows of its kernels, as one block of bytes that is read where it lies. Written by
// `tinec build`, linked into the library as constant data; nothing in it is an address, so loading a library costs
// nothing.
//
//   Pack > kernels (one C function each) > instances (element types and ranks) > programs (one graph each: a config and
//   constant sizes) > variants (one specialisation for one target each) > code (an artefact's bytes)
//
// Numbers are little-endian, every list starts at a multiple of 8 bytes, code at a multiple of 64.
#pragma once
#include <cstdint>

namespace tine::aot {

inline constexpr char pack_magic[8] = {'T', 'I', 'N', 'E', 'A', 'O', 'T', 0};
inline constexpr uint32_t pack_version = 1;

/// Elements that lie one behind the other, `at` bytes from the pack's first byte.
template <class T>
struct List {
  uint32_t at = 0, count = 0;
};
using Text = List<char>;  ///< a NUL follows its `count` bytes

/// An expression, as graph::Pool has it: kind and symbol are ExKind and Sym, `operands` begins at `at` in the
/// program's.
struct PackedExpr {
  uint8_t kind = 0, sym = 0, has_var = 0, unused = 0;
  uint32_t count = 0, at = 0;
};

struct PackedSource {
  Text name;
  uint8_t type = 0, rank = 0;  ///< DType
  uint8_t stored = 0, loaded = 0;
  uint32_t loads = 0;  ///< places of the application that load from it
};

struct PackedLevel {
  List<int32_t> extents;
};
struct PackedBound {
  int32_t index = -1, size = -1;
};
struct PackedParam {
  List<PackedLevel> levels;
  List<int32_t> coords;
  List<PackedBound> bounds;
  int32_t source = 0, unused = 0;
};

/// A graph::Check, with the words for its complaint: `sentence` is the Diag, `texts` what of its arguments is known
/// beforehand (the kernel first), `values` how many numbers follow (0 to 2); what the call was made with comes last.
struct PackedCheck {
  uint8_t kind = 0, values = 0;
  uint16_t sentence = 0;
  int32_t a = -1, b = -1;
  List<Text> texts;
  Text place;  ///< "matmul.hpp:12", or empty
};

struct PackedConstant {
  int32_t source = 0, dim = 0;
  int64_t value = 0;
};

struct PackedFacts {
  uint32_t unit_stride = 0, alignment = 1, stride16 = 0, size16 = 0;
  uint8_t contiguous = 0, streamed = 0, unused[2] = {};
};
struct PackedPair {
  int32_t first = 0, second = 0;
};
struct PackedCapacity {
  int32_t symbol = 0, exact = 0;
  int64_t capacity = 1;
};

/// What a call must have so that the code may run: every property of graph::Specialization.
struct PackedVariant {
  Text name;
  List<PackedFacts> facts;
  List<PackedPair> overlaps;
  List<PackedCapacity> capacities;
  uint32_t narrow_index = 0;
  uint32_t target = 0;  ///< position in Pack::targets
  uint32_t code = 0;    ///< position in Pack::codes
  uint32_t unused = 0;
};

struct PackedProgram {
  Text config;          ///< "bm=64 bn=128"
  uint32_t choice = 0;  ///< programs of one config have one number
  int32_t first_symbol = 0, slots = 0, unused = 0;
  List<PackedExpr> exprs;
  List<int64_t> operands;
  List<int32_t> grid, symbols;  ///< expressions
  List<int32_t> tile_extents;   ///< positions in `symbols`
  List<PackedParam> params;
  List<PackedCheck> checks;
  List<PackedConstant> constants;
  List<PackedVariant> variants;  ///< the more is known, the earlier
};

/// The config to take for one class of shapes. A class is the number of binary digits of each size, in the order of the
/// sources and their dims.
struct PackedTuned {
  List<uint8_t> digits;
  uint32_t device = 0;  ///< PackedTarget::device
  uint32_t choice = 0;
};

struct PackedInstance {
  Text name;  ///< "Matmul<tine::f16>"
  List<PackedSource> sources;
  List<PackedProgram> programs;  ///< of one config those with more constant sizes first
  List<PackedTuned> tuned;
};

struct PackedKernel {
  Text name;
  List<PackedInstance> instances;
};

/// Bits that a register of `cpuid` must have.
struct PackedFeature {
  uint32_t leaf = 0, subleaf = 0, reg = 0, bits = 0;
};

enum Device : uint32_t { device_cpu, device_cuda };

struct PackedTarget {
  Text name;  ///< "cpu:x86-64-v3"
  uint32_t device = device_cpu;
  uint32_t arch = 0;             ///< of GPUs: 80 for sm_80
  uint32_t rank = 0;             ///< of processors: the highest that can run is taken
  uint32_t amx = 0;              ///< the system must be asked to let tiles be used
  List<PackedFeature> features;  ///< of processors
};

struct PackedCode {
  uint64_t at = 0, size = 0;
};

struct Pack {
  char magic[8] = {};
  uint32_t version = 0, size = 0;
  Text name;  ///< of the library
  List<PackedKernel> kernels;
  List<PackedTarget> targets;
  List<PackedCode> codes;
};

}  // namespace tine::aot
