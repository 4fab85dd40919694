#include <algorithm>

#include "base/checked.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// A negative count: without end.
class RepeatDataset final : public CountedDataset {
 public:
  using CountedDataset::CountedDataset;

  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (count() == 0 || n == 0) return 0;
    if (count() < 0) return data::kInfiniteCardinality;
    if (n < 0) return n;
    const Size total = Size(n) * count();
    return total.ok() ? total.value() : data::kUnknownCardinality;
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
  Result<RefPtr<const Dataset>> rewritten(const data::RewriteSite& site) const override {
    if (count() == 1) {
      if (RefPtr<const Dataset> input = input_without_noop(site)) return input;
    }
    if (!site.rewrites().fuses_shuffle_and_repeat || !site.joins(input(), "ShuffleDataset")) {
      return RefPtr<const Dataset>();
    }
    const data::DatasetOrigin& shuffle = input().origin();
    if (!*shuffle.node->attrs.get<bool>("reshuffle_each_iteration")) return RefPtr<const Dataset>();
    AttrMap attrs;
    for (const char* name : {"output_types", "output_shapes"}) attrs.set(name, *origin().node->attrs.find(name));
    std::vector<Tensor> inputs = shuffle.inputs;  // The input, the size of the buffer, and the seeds.
    inputs.push_back(origin().inputs[1]);
    return data::make_dataset(site.step(), "ShuffleAndRepeatDataset", std::move(attrs), std::move(inputs), input());
  }
};

/// Makes a new iterator of the input for each round. As in TensorFlow, where shuffles before this stage draw seeds
/// then, the first one of counted rounds is made with this iterator, and one more behind the last round.
class RepeatIterator final : public IteratorOf<RepeatDataset> {
 public:
  RepeatIterator(const RepeatDataset& dataset, uint64_t place) : IteratorOf(dataset), place_(place) {}

  Status start_round(IteratorContext& ctx) {
    const data::AtPlace here(ctx, place_);
    TINYTF_ASSIGN_OR_RETURN(input_, dataset().input().make_iterator(ctx));
    is_empty_ = true;
    return Status();
  }

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (dataset().count() < 0 || round_ < dataset().count()) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      if (!input_) TINYTF_RETURN_IF_ERROR(start_round(ctx));
      const Result<Pulled> pulled = input_->next(ctx, element);
      if (!pulled.ok() || pulled.value() == Pulled::kElement) is_empty_ = false;
      if (!pulled.ok() || pulled.value() != Pulled::kEnd) return pulled;
      input_ = nullptr;
      if (dataset().count() < 0 && is_empty_) return Pulled::kEnd;
      if (dataset().count() < 0) continue;
      ++round_;
      TINYTF_RETURN_IF_ERROR(start_round(ctx));
    }
    input_ = nullptr;
    return Pulled::kEnd;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("round", round_);
    state.put_int("is_empty", is_empty_);
    state.put_int("has_input", input_ != nullptr);
    StateWriter input = state.inside("input");
    return input_ ? input_->save(ctx, input) : Status();
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(round_, state.get_int("round", 0, std::max<int64_t>(dataset().count(), 0)));
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_empty, state.get_int("is_empty", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_input, state.get_int("has_input", 0, 1));
    input_ = nullptr;
    if (has_input == 0) return Status();
    TINYTF_RETURN_IF_ERROR(start_round(ctx));
    is_empty_ = is_empty != 0;
    StateReader input = state.inside("input");
    return input_->restore(ctx, input);
  }

 private:
  const uint64_t place_;
  int64_t round_ = 0;
  bool is_empty_ = true;  // Whether the round has had no element yet.
  IteratorPtr input_;     // May be null between rounds, and is behind the last one.
};

Result<IteratorPtr> RepeatDataset::make_iterator(IteratorContext& ctx) const {
  auto made = std::make_unique<RepeatIterator>(*this, ctx.place);
  if (count() > 0) TINYTF_RETURN_IF_ERROR(made->start_round(ctx));
  return IteratorPtr(std::move(made));
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_repeat) {
  using namespace tinytf::ops;
  ops.op("RepeatDataset")
      .input("input_dataset: variant")
      .input("count: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc("Makes a dataset that repeats the input `count` times, or without end if `count` is negative.");
  kernels.add<CountedDatasetKernel<RepeatDataset>>("RepeatDataset");
}
