#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class FilterByLastComponentDataset final : public UnaryDataset {
 public:
  FilterByLastComponentDataset(DatasetParts parts, RefPtr<const Dataset> input)
      : UnaryDataset(std::move(parts), std::move(input)) {}
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
};

class FilterByLastComponentIterator final : public UnaryIterator<FilterByLastComponentDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled != Pulled::kElement) return pulled;
      if (element.empty() || element.back().dtype() != DType::kBool || element.back().num_elements() != 1) {
        return invalid_argument("Last component must be a bool scalar.");
      }
      const bool keeps = *element.back().data<bool>();
      element.pop_back();
      if (keeps) return pulled;
    }
  }
};

Result<IteratorPtr> FilterByLastComponentDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<FilterByLastComponentIterator>(*this, ctx);
}

class FilterByLastComponentKernel final : public DatasetKernel {
 public:
  explicit FilterByLastComponentKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    return RefPtr<const Dataset>(make_ref<FilterByLastComponentDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_filter_by_last_component) {
  using namespace tinytf::ops;
  ops.op("FilterByLastComponentDataset")
      .input("input_dataset: variant")
      .output("output: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a dataset of the elements whose last component is true, without this component.");
  kernels.add<FilterByLastComponentKernel>("FilterByLastComponentDataset");
}
