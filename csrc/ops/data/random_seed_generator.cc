#include <atomic>

#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/deleter.h"
#include "ops/data/shared/seed_generator_input.h"

namespace tinytf::ops {
namespace {

/// Makes a generator in each step, which the handle owns.
class AnonymousRandomSeedGeneratorKernel final : public Kernel {
 public:
  explicit AnonymousRandomSeedGeneratorKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    static std::atomic<int64_t> next{0};
    TINYTF_ASSIGN_OR_RETURN(const int64_t seed, scalar_input<int64_t>(ctx, 0, "seed"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t seed2, scalar_input<int64_t>(ctx, 1, "seed2"));
    TINYTF_ASSIGN_OR_RETURN(Tensor * handle, ctx.allocate_output(0, Shape()));
    *handle->data<ResourceHandle>() = {ResourceManager::kDefaultContainer,
                                       str_cat("RandomSeedGenerator", next.fetch_add(1, std::memory_order_relaxed)),
                                       SeedGenerator::kTypeName, make_ref<SeedGenerator>(Seeds::of(seed, seed2))};
    TINYTF_ASSIGN_OR_RETURN(Tensor * deleter, ctx.allocate_output(1, Shape()));
    deleter->data<Variant>()->value = make_ref<Deleter>();
    return Status();
  }
};

class DeleteRandomSeedGeneratorKernel final : public Kernel {
 public:
  explicit DeleteRandomSeedGeneratorKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override { return seed_generator_input(ctx, 0).status(); }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_random_seed_generator) {
  using namespace tinytf::ops;
  ops.op("AnonymousRandomSeedGenerator")
      .input("seed: int64")
      .input("seed2: int64")
      .output("handle: resource")
      .output("deleter: variant")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a generator of seeds for ShuffleDatasetV2. The handle owns it.");
  kernels.add<AnonymousRandomSeedGeneratorKernel>("AnonymousRandomSeedGenerator");

  ops.op("DeleteRandomSeedGenerator")
      .input("handle: resource")
      .input("deleter: variant")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc("Does nothing, because the handle of a generator of seeds owns it.");
  kernels.add<DeleteRandomSeedGeneratorKernel>("DeleteRandomSeedGenerator");
}
