#include "ops/data/shared/predicate_stage.h"

namespace tinytf::ops {
namespace {

/// Yields the elements for which the predicate yields true.
class FilterIterator final : public PredicateIterator<FilterIterator> {
 public:
  using PredicateIterator::PredicateIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (bool is_true = false;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, pull_tested(ctx, element, is_true, "Filter",
                                                               "Filter predicate `f` must return a scalar bool."));
      if (pulled != Pulled::kElement || is_true) return pulled;
    }
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_filter) {
  using namespace tinytf::ops;
  ops.op("FilterDataset")
      .input("input_dataset: variant")
      .input("other_arguments: Targuments")
      .output("handle: variant")
      .attr("predicate: func")
      .attr("Targuments: list(type) >= 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a dataset of the elements for which `predicate` yields true.");
  kernels.add<PredicateKernel<FilterIterator>>("FilterDataset");
}
