#include "ops/data/shared/memory_cache.h"
#include "op/registration.h"
#include "ops/data/shared/resource_input.h"

namespace tinytf::ops {
namespace {

class AnonymousMemoryCacheKernel final : public Kernel {
 public:
  explicit AnonymousMemoryCacheKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    return set_anonymous_outputs(ctx, "MemoryCache", MemoryCache::kTypeName, make_ref<MemoryCache>());
  }
};

/// The memory goes with the last handle.
class DeleteMemoryCacheKernel final : public Kernel {
 public:
  explicit DeleteMemoryCacheKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override { return resource_input<MemoryCache>(ctx, 0).status(); }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_memory_cache) {
  using namespace tinytf::ops;
  ops.op("AnonymousMemoryCache")
      .output("handle: resource")
      .output("deleter: variant")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a cache for CacheDatasetV2, which lives as long as its handle, and a token for DeleteMemoryCache.");
  kernels.add<AnonymousMemoryCacheKernel>("AnonymousMemoryCache");

  ops.op("DeleteMemoryCache")
      .input("handle: resource")
      .input("deleter: variant")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc("Gives the handle of the cache back.");
  kernels.add<DeleteMemoryCacheKernel>("DeleteMemoryCache");
}
