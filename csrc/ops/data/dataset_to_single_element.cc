#include "data/blocking_iterator.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/iterator_input.h"
#include "ops/output_shapes.h"

namespace tinytf::ops {
namespace {

class SingleElementKernel final : public Kernel {
 public:
  explicit SingleElementKernel(KernelInit& init) : spec_(spec_of(init)) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<const Dataset> dataset, dataset_input(ctx, 0));
    data::BlockingIterator iterator(ctx.step());
    TINYTF_RETURN_IF_ERROR(iterator.start(*dataset));
    Element element, more;
    TINYTF_ASSIGN_OR_RETURN(const bool has_element, iterator.next(element));
    if (!has_element) return invalid_argument("Dataset was empty.");
    TINYTF_ASSIGN_OR_RETURN(const bool has_more, iterator.next(more));
    if (has_more) return invalid_argument("Dataset had more than one element.");
    TINYTF_RETURN_IF_ERROR(data::check_element(spec_, element));
    for (int i = 0; i < ctx.num_outputs(); ++i) ctx.set_output(i, std::move(element[static_cast<size_t>(i)]));
    return Status();
  }

 private:
  const ElementSpec spec_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_dataset_to_single_element) {
  using namespace tinytf::ops;
  ops.op("DatasetToSingleElement")
      .input("dataset: variant")
      .output("components: output_types")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .may_block()
      .trait(Trait::kReadsExternalState)
      .shape(shapes::output_shapes)
      .no_gradient()
      .doc("Returns the components of the only element of the dataset. Fails if it has none or more than one.");
  kernels.add<SingleElementKernel>("DatasetToSingleElement");
}
