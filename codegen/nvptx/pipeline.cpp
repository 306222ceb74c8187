#include "codegen/nvptx/pipeline.hpp"
#include "codegen/common/steps.hpp"
#include "codegen/gpu/assign_layouts.hpp"
#include "codegen/gpu/barriers.hpp"
#include "codegen/gpu/exchange.hpp"
#include "codegen/gpu/hoist_loads.hpp"
#include "codegen/gpu/lower_tiles.hpp"
#include "codegen/gpu/pipeline_copies.hpp"
#include "codegen/gpu/product_layouts.hpp"
#include "codegen/gpu/resources.hpp"
#include "codegen/gpu/shared_memory.hpp"
#include "codegen/gpu/split_tiles.hpp"
#include "codegen/nvptx/instructions.hpp"
#include "compiler/passes/accumulate.hpp"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tine::nvptx {

LogicalResult run_pipeline(ModuleOp module, const Target& target, const codegen::Options& options, Stage stage, std::string& out) {
  codegen::Steps step{module, options.log};
  // Equal tiles are computed once; what nobody uses goes.
  if (!step.passes("cse", [](PassManager& pm) { pm.addPass(createCSEPass()); })) return failure();
  // Before layouts are chosen: an accumulator lives in the registers of the product that updates it.
  if (!step("accumulate products", [&] { return compiler::accumulate_products(module), success(); })) return failure();
  if (stage == Stage::tine) return out += codegen::text(module), success();

  auto kernel = *module.getOps<ir::KernelOp>().begin();
  std::unique_ptr<gpu::TargetInfo> info = target_info(target);
  bool split = false;
  int64_t whole = options.split ? options.split : gpu::largest_whole_tile(kernel, *info, options.warps);
  if (!step("split tiles", [&] { return split = gpu::split_tiles(kernel, whole, info->max_shared), success(); })) return failure();
  if (split && !step.passes("cse", [](PassManager& pm) { pm.addPass(createCSEPass()); })) return failure();
  int64_t warps = options.warps ? options.warps : gpu::choose_warps(kernel, *info);
  if (!step("check tiles", [&] { return gpu::check_tiles(kernel, *info, warps); })) return failure();
  if (!step("hoist loads", [&] { return gpu::hoist_loads(kernel), success(); })) return failure();
  // Before layouts are chosen, which depend on the elements that matrix units take.
  if (!step("widen products", [&] { return gpu::widen_products(kernel), success(); })) return failure();
  // Which thread holds which element. From here on conversions between layouts are operations.
  if (!step("assign layouts", [&] { return gpu::assign_layouts(kernel, *info, warps), success(); })) return failure();
  // What registers and lanes cannot do goes through shared memory; only then are all its users known, and its size.
  if (!step("exchange through shared memory", [&] { return gpu::exchange_through_shared(kernel, *info), success(); })) return failure();
  // Now that it is seen which loads go there and nowhere else. Stages that nobody asked for give way to what else a program
  // keeps in shared memory.
  OwningOpRef<ir::KernelOp> unstaged(options.stages ? ir::KernelOp() : kernel.clone());
  auto stage_and_allocate = [&](int64_t stages) {
    return step("pipeline copies", [&] { return gpu::pipeline_copies(kernel, *info, stages, options.persistent), success(); }) &&
           step("allocate shared memory", [&] { return gpu::allocate_shared(kernel), success(); });
  };
  if (!stage_and_allocate(options.stages)) return failure();
  if (unstaged && int64_t(kernel.getSharedBytes().value_or(0)) > info->max_shared) {
    kernel.erase();
    module.push_back(kernel = unstaged.release());
    if (!stage_and_allocate(1)) return failure();
  }
  if (!step("check sizes", [&] { return gpu::check_resources(kernel, *info, warps); })) return failure();
  // After allocation: memories that share bytes meet.
  if (!step("barriers", [&] { return gpu::insert_barriers(kernel, options.persistent), success(); })) return failure();
  if (!step("verify", [&] { return verify(module); })) return failure();
  if (stage == Stage::layouts) return out += codegen::text(module), success();

  // From here on there are no tiles, only one thread's registers.
  Launch launch;
  launch.threads = int(warps * info->warp);
  launch.dynamic_shared = int64_t(kernel.getSharedBytes().value_or(0));
  launch.persistent = options.persistent;
  gpu::ThreadOptions thread{options.fast_math, options.persistent, options.group};
  if (!step("lower tiles", [&] { return gpu::lower_tiles(module, *info, thread), success(); })) return failure();
  // One conversion with one type converter: three times faster than the chain of stock passes.
  if (!step("convert to llvm", [&] { return convert_to_llvm(module); })) return failure();
  if (!step("verify", [&] { return verify(module); })) return failure();
  return emit_code(module, target, options, launch, stage, out);
}

}  // namespace tine::nvptx
