#include "ops/data/shared/inner_datasets.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class FlatMapDataset final : public FunctionDataset {
 public:
  FlatMapDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)) {}
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
};

class FlatMapIterator final : public UnaryIterator<FlatMapDataset> {
 public:
  FlatMapIterator(const FlatMapDataset& dataset, IteratorPtr input, std::unique_ptr<data::BoundFunction> function,
                  uint64_t place)
      : UnaryIterator(dataset, std::move(input)), function_(std::move(function)), place_(place) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      if (!inner_) {
        TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
        if (pulled != Pulled::kElement) return pulled;
        call_ = MakingCall::of(*function_, element);
        const Status made = make_inner(ctx, made_, element);
        ++made_;
        if (!made.ok()) return data::stage_error(made, "FlatMap");
      }
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, inner_->next(ctx, element));
      if (pulled != Pulled::kEnd) return pulled;
      inner_ = nullptr;
    }
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    TINYTF_RETURN_IF_ERROR(UnaryIterator::save(ctx, state));
    state.put_int("made", made_);
    state.put_int("has_inner", inner_ != nullptr);
    TINYTF_RETURN_IF_ERROR(function_->save(state));
    if (!inner_) return Status();
    TINYTF_RETURN_IF_ERROR(call_.save(state));
    StateWriter inner = state.inside("inner");
    return inner_->save(ctx, inner);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_RETURN_IF_ERROR(UnaryIterator::restore(ctx, state));
    inner_ = nullptr;
    TINYTF_ASSIGN_OR_RETURN(made_, state.get_int("made", 0, INT64_MAX));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_inner, state.get_int("has_inner", 0, made_ > 0 ? 1 : 0));
    if (has_inner == 0) return function_->restore(state);
    TINYTF_RETURN_IF_ERROR(call_.restore(state, dataset().input().spec(), *function_));
    Element element = call_.arguments;
    TINYTF_RETURN_IF_ERROR(make_inner(ctx, made_ - 1, element));
    TINYTF_RETURN_IF_ERROR(function_->restore(state));
    StateReader inner = state.inside("inner");
    return inner_->restore(ctx, inner);
  }

 private:
  Status make_inner(IteratorContext& ctx, int64_t index, Element& element) {
    const data::AtPlace inside(ctx, data::place_inside(place_, dataset().levels(), index));
    TINYTF_ASSIGN_OR_RETURN(inner_, data::make_inner_iterator(ctx, *function_, element));
    return Status();
  }

  const std::unique_ptr<data::BoundFunction> function_;
  const uint64_t place_;
  int64_t made_ = 0;   // Calls of the function.
  MakingCall call_;    // The last one.
  IteratorPtr inner_;  // Null between inner datasets.
};

Result<IteratorPtr> FlatMapDataset::make_iterator(IteratorContext& ctx) const {
  return make_function_iterator<FlatMapIterator>(*this, ctx, ctx.place);
}

class FlatMapKernel final : public FunctionDatasetKernel {
 public:
  using FunctionDatasetKernel::FunctionDatasetKernel;

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext&, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    return RefPtr<const Dataset>(make_ref<FlatMapDataset>(std::move(parts), std::move(input), std::move(function)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flat_map) {
  using namespace tinytf::ops;
  ops.op("FlatMapDataset")
      .input("input_dataset: variant")
      .input("other_arguments: Targuments")
      .output("handle: variant")
      .attr("f: func")
      .attr("Targuments: list(type) >= 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the datasets that `f` makes of the elements of the input, one after the "
          "other.");
  kernels.add<FlatMapKernel>("FlatMapDataset");
}
