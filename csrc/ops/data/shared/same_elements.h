#pragma once

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// A dataset with the elements of its input, whose op tells how TensorFlow executes it.
class SameElementsDataset final : public UnaryDataset {
 public:
  SameElementsDataset(DatasetParts parts, RefPtr<const Dataset> input)
      : UnaryDataset(std::move(parts), std::move(input)) {}
  int64_t cardinality() const override { return input().cardinality(); }
  bool is_stage() const override { return false; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override { return input().make_iterator(ctx); }
};

class SameElementsKernel final : public DatasetKernel {
 public:
  explicit SameElementsKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    return RefPtr<const Dataset>(make_ref<SameElementsDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace tinytf::ops
