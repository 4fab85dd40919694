#include <atomic>

#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/deleter.h"
#include "ops/data/shared/iterator_input.h"
#include "ops/data_flow/shared/named_state.h"

namespace tinytf::ops {
namespace {

struct IteratorMaker {
  using State = data::IteratorResource;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kNodeName;

  explicit IteratorMaker(KernelInit& init) : spec(spec_of(init)) {}
  RefPtr<Resource> make(const std::string&) const { return make_ref<data::IteratorResource>(spec); }
  Status check(const State& found) const { return data::check_compatible(spec, found.spec()); }

  const ElementSpec spec;
};

/// Makes an iterator in each step. The handle owns it. Without a deleter it can also be found by its name, as long as
/// the session lives, because functions on other devices get the handle as a string.
class AnonymousIteratorKernel final : public Kernel {
 public:
  explicit AnonymousIteratorKernel(KernelInit& init) : spec_(spec_of(init)) {}

  Status compute(KernelContext& ctx) override {
    static std::atomic<int64_t> next{0};
    const std::string container = ResourceManager::kDefaultContainer;
    const std::string name = str_cat("AnonymousIterator", next.fetch_add(1, std::memory_order_relaxed));
    RefPtr<Resource> made = make_ref<data::IteratorResource>(spec_);
    const bool has_deleter = ctx.num_outputs() > 1;
    if (!has_deleter) {
      TINYTF_ASSIGN_OR_RETURN(
          made, ctx.step().resources->find_or_create(container, data::IteratorResource::kRegistryType, name,
                                                     [&]() -> Result<RefPtr<Resource>> { return made; }));
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * handle, ctx.allocate_output(0, Shape()));
    *handle->data<ResourceHandle>() = {container, name, data::IteratorResource::kTypeName, std::move(made)};
    if (!has_deleter) return Status();
    TINYTF_ASSIGN_OR_RETURN(Tensor * deleter, ctx.allocate_output(1, Shape()));
    deleter->data<Variant>()->value = make_ref<Deleter>();
    return Status();
  }

 private:
  const ElementSpec spec_;
};

/// Ends the pipeline at once; the memory goes with the last handle.
class DeleteIteratorKernel final : public Kernel {
 public:
  explicit DeleteIteratorKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(data::IteratorResource* const iterator, iterator_input(ctx, 0));
    iterator->stop();
    return Status();
  }
};

class MakeIteratorKernel final : public Kernel {
 public:
  explicit MakeIteratorKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<const Dataset> dataset, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(data::IteratorResource* const iterator, iterator_input(ctx, 1));
    return iterator->start(*dataset, ctx.step());
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_iterator) {
  using namespace tinytf::ops;
  ops.op("Iterator")
      .output("handle: resource")
      .attr("shared_name: string")
      .attr("container: string")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns the handle of an iterator, which MakeIterator initializes. It lives as long as the session.");
  kernels.add<NamedStateKernel<IteratorMaker>>("Iterator");

  ops.op("IteratorV2")
      .output("handle: resource")
      .attr("shared_name: string")
      .attr("container: string")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns the handle of an iterator, which MakeIterator initializes. It lives as long as the session, and is "
          "shared between nodes with the same `shared_name`.");
  kernels.add<NamedStateKernel<IteratorMaker>>("IteratorV2");

  ops.op("AnonymousIterator")
      .output("handle: resource")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a new iterator, which lives until DestroyResourceOp or the end of the session.");
  kernels.add<AnonymousIteratorKernel>("AnonymousIterator");

  ops.op("AnonymousIteratorV2")
      .output("handle: resource")
      .output("deleter: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a new iterator, which lives as long as its handle, and a token for DeleteIterator.");
  kernels.add<AnonymousIteratorKernel>("AnonymousIteratorV2");

  ops.op("DeleteIterator")
      .input("handle: resource")
      .input("deleter: variant")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc("Ends the iterator and its background work.");
  kernels.add<DeleteIteratorKernel>("DeleteIterator");

  ops.op("MakeIterator")
      .input("dataset: variant")
      .input("iterator: resource")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc("Lets the iterator begin with the first element of `dataset`, whose elements must match its spec.");
  kernels.add<MakeIteratorKernel>("MakeIterator");
}
