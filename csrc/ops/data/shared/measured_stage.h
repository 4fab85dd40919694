#pragma once

#include <string>
#include <utility>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// A dataset with the elements of its input whose iterators, of class I, report measurements under a tag.
template <class I>
class MeasuredDataset final : public UnaryDataset {
 public:
  MeasuredDataset(DatasetParts parts, RefPtr<const Dataset> input, std::string tag)
      : UnaryDataset(std::move(parts), std::move(input)), tag_(std::move(tag)) {}

  const std::string& tag() const { return tag_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override { return make_unary_iterator<I>(*this, ctx); }

 private:
  const std::string tag_;
};

template <class I>
class MeasuredDatasetKernel final : public DatasetKernel {
 public:
  explicit MeasuredDatasetKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(std::string tag, scalar_input<std::string>(ctx, 1, "tag"));
    return RefPtr<const Dataset>(make_ref<MeasuredDataset<I>>(std::move(parts), std::move(input), std::move(tag)));
  }
};

}  // namespace tinytf::ops
