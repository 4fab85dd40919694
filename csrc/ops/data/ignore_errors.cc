#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class IgnoreErrorsDataset final : public UnaryDataset {
 public:
  IgnoreErrorsDataset(DatasetParts parts, RefPtr<const Dataset> input)
      : UnaryDataset(std::move(parts), std::move(input)) {}
  /// As in TensorFlow, although elements may be missing.
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
};

class IgnoreErrorsIterator final : public UnaryIterator<IgnoreErrorsDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      const Result<Pulled> pulled = input().next(ctx, element);
      if (pulled.ok()) return pulled;
    }
  }
};

Result<IteratorPtr> IgnoreErrorsDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<IgnoreErrorsIterator>(*this, ctx);
}

class IgnoreErrorsKernel final : public DatasetKernel {
 public:
  explicit IgnoreErrorsKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    return RefPtr<const Dataset>(make_ref<IgnoreErrorsDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_ignore_errors) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<IgnoreErrorsKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("IgnoreErrorsDataset")
      .doc("Makes a dataset of the elements of the input without those in whose place the input fails.");
  declare("ExperimentalIgnoreErrorsDataset").doc("An earlier name of IgnoreErrorsDataset.");
}
