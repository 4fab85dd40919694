#include "ops/data/shared/predicate_stage.h"

namespace tinytf::ops {
namespace {

/// Yields the elements before the first one for which the predicate yields false.
class TakeWhileIterator final : public PredicateIterator<TakeWhileIterator> {
 public:
  using PredicateIterator::PredicateIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    bool is_true = false;
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, pull_tested(ctx, element, is_true, "TakeWhile",
                                                             "`predicate` must returns a scalar bool tensor."));
    return pulled != Pulled::kElement || is_true ? pulled : Pulled::kEnd;
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_take_while) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<PredicateKernel<TakeWhileIterator>>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("other_arguments: Targuments")
        .output("handle: variant")
        .attr("predicate: func")
        .attr("Targuments: list(type) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("TakeWhileDataset")
      .doc("Makes a dataset of the elements of the input before the first one for which `predicate` yields false.");
  declare("ExperimentalTakeWhileDataset").doc("An earlier name of TakeWhileDataset.");
}
