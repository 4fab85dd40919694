#include <algorithm>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// A negative count: all elements.
class TakeDataset final : public CountedDataset {
 public:
  using CountedDataset::CountedDataset;

  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (n == data::kUnknownCardinality) return count() == 0 ? 0 : n;
    if (n == data::kInfiniteCardinality) return count() < 0 ? n : count();
    return count() < 0 ? n : std::min(n, count());
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
  Result<RefPtr<const Dataset>> rewritten(const data::RewriteSite& site) const override {
    return count() < 0 ? input_without_noop(site) : nullptr;
  }
};

class TakeIterator final : public UnaryIterator<TakeDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    const int64_t count = dataset().count();
    if (count >= 0 && taken_ >= count) return Pulled::kEnd;
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
    if (pulled == Pulled::kElement && count >= 0) ++taken_;
    if (pulled == Pulled::kEnd && count >= 0) taken_ = count;
    return pulled;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("taken", taken_);
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(taken_, state.get_int("taken", 0, std::max<int64_t>(dataset().count(), 0)));
    return UnaryIterator::restore(ctx, state);
  }

 private:
  int64_t taken_ = 0;
};

Result<IteratorPtr> TakeDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<TakeIterator>(*this, ctx);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_take) {
  using namespace tinytf::ops;
  ops.op("TakeDataset")
      .input("input_dataset: variant")
      .input("count: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc("Makes a dataset of the first `count` elements of the input, or of all if `count` is negative.");
  kernels.add<CountedDatasetKernel<TakeDataset>>("TakeDataset");
}
