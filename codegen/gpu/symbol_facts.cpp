#include "codegen/gpu/symbol_facts.hpp"

namespace tine::gpu {

int64_t symbol_multiple(ir::KernelOp kernel, int64_t symbol) {
  auto multiples = kernel.getMultiples();
  return multiples && symbol < int64_t(multiples->size()) ? (*multiples)[size_t(symbol)] : 1;
}

std::optional<graph::Range> symbol_range(ir::KernelOp kernel, int64_t symbol) {
  auto ranges = kernel.getRanges();
  if (!ranges || 2 * symbol + 1 >= int64_t(ranges->size())) return {};
  return graph::Range{(*ranges)[size_t(2 * symbol)], (*ranges)[size_t(2 * symbol + 1)]};
}

std::optional<SymbolCapacity> symbol_capacity(ir::KernelOp kernel, int64_t symbol) {
  auto capacities = kernel.getCapacities();
  for (size_t i = 0; capacities && i + 2 < capacities->size(); i += 3)
    if ((*capacities)[i] == symbol) return SymbolCapacity{(*capacities)[i + 1], (*capacities)[i + 2] != 0};
  return {};
}

}  // namespace tine::gpu
