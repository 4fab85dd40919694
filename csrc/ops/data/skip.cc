#include <algorithm>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// A negative count: no elements.
class SkipDataset final : public CountedDataset {
 public:
  using CountedDataset::CountedDataset;

  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (n < 0) return count() < 0 ? 0 : n;
    return count() < 0 ? 0 : std::max<int64_t>(n - count(), 0);
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
  Result<RefPtr<const Dataset>> rewritten(const data::RewriteSite& site) const override {
    return count() == 0 ? input_without_noop(site) : nullptr;
  }
};

class SkipIterator final : public UnaryIterator<SkipDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    const int64_t count = dataset().count();
    if (count < 0) return Pulled::kEnd;
    while (skipped_ < count) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled != Pulled::kElement) return pulled;
      ++skipped_;
    }
    return input().next(ctx, element);
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("skipped", skipped_);
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(skipped_, state.get_int("skipped", 0, std::max<int64_t>(dataset().count(), 0)));
    return UnaryIterator::restore(ctx, state);
  }

 private:
  int64_t skipped_ = 0;
};

Result<IteratorPtr> SkipDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<SkipIterator>(*this, ctx);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_skip) {
  using namespace tinytf::ops;
  ops.op("SkipDataset")
      .input("input_dataset: variant")
      .input("count: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements after the first `count` ones of the input; of none if `count` is negative.");
  kernels.add<CountedDatasetKernel<SkipDataset>>("SkipDataset");
}
