#include <atomic>
#include <mutex>

#include "op/function_callee.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/iterator_input.h"
#include "ops/functional/shared/function_call.h"
#include "ops/state/shared/resource_name.h"

namespace tinytf::ops {
namespace {

/// Makes its iterator, of the dataset that a function returns, in the first step that asks for it.
class OneShotIteratorKernel final : public Kernel {
 public:
  explicit OneShotIteratorKernel(KernelInit& init)
      : where_(init), spec_(spec_of(init)), factory_(init.attr<FuncRef>("dataset_factory")) {}

  Status compute(KernelContext& ctx) override {
    if (!is_ready_.load(std::memory_order_acquire)) TINYTF_RETURN_IF_ERROR(make(ctx));
    ctx.set_output(0, handle_);
    return Status();
  }

 private:
  /// Two steps at once may both make an iterator; one of them is used.
  Status make(KernelContext& ctx) {
    std::vector<Tensor> results;
    TINYTF_RETURN_IF_ERROR(call_function(ctx, factory_, {}, {{DType::kVariant, false}}, results));
    TINYTF_ASSIGN_OR_RETURN(const Dataset* const dataset, data::dataset_of(results[0]));
    auto iterator = make_ref<data::IteratorResource>(spec_);
    TINYTF_RETURN_IF_ERROR(iterator->start(*dataset, ctx.step()));
    TINYTF_ASSIGN_OR_RETURN(Tensor handle, Tensor::allocate(Allocator::process(), DType::kResource, Shape()));
    TINYTF_ASSIGN_OR_RETURN(
        RefPtr<Resource> kept,
        ctx.step().resources->find_or_create(where_.container, data::IteratorResource::kRegistryType, where_.name,
                                             [&]() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(iterator); }));
    *handle.data<ResourceHandle>() = {where_.container, where_.name, data::IteratorResource::kTypeName,
                                      std::move(kept)};
    const std::lock_guard lock(mutex_);
    if (is_ready_.load(std::memory_order_relaxed)) return Status();
    handle_ = std::move(handle);
    is_ready_.store(true, std::memory_order_release);
    return Status();
  }

  const ResourceName where_;
  const ElementSpec spec_;
  FunctionCallee factory_;
  std::mutex mutex_;  // Guards handle_ until is_ready_. Held briefly.
  std::atomic<bool> is_ready_{false};
  Tensor handle_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_one_shot_iterator) {
  using namespace tinytf::ops;
  ops.op("OneShotIterator")
      .output("handle: resource")
      .attr("dataset_factory: func")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("container: string = ''")
      .attr("shared_name: string = ''")
      .stateful()
      .may_block()
      .trait(Trait::kReadsExternalState)
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns the handle of an iterator of the dataset that `dataset_factory`, a function without arguments, "
          "returns. It runs through the dataset once in a session.");
  kernels.add<OneShotIteratorKernel>("OneShotIterator");
}
