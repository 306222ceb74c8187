// What a specialisation tells of the values of a kernel's symbols, as the kernel's attributes keep it.
#pragma once
#include <optional>
#include "compiler/dialect/tine_dialect.hpp"
#include "dsl/graph/range.hpp"

namespace tine::gpu {

/// A number that divides the symbol's value; 1 if nothing is known.
int64_t symbol_multiple(ir::KernelOp kernel, int64_t symbol);

/// Between which values it lies, both included; none if nothing is known.
std::optional<graph::Range> symbol_range(ir::KernelOp kernel, int64_t symbol);

struct SymbolCapacity { int64_t size; bool exact; };
/// The power of two that code for a tile of this extent is made for, and whether it is the extent; none for symbols that are
/// no tile's extent.
std::optional<SymbolCapacity> symbol_capacity(ir::KernelOp kernel, int64_t symbol);

}  // namespace tine::gpu
