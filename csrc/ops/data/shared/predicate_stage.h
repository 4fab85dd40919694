#pragma once

#include <memory>
#include <utility>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// A dataset whose elements a predicate chooses. Its iterators are I(dataset, iterator of the input, predicate).
template <class I>
class PredicateDataset final : public FunctionDataset {
 public:
  PredicateDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)) {}
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override {
    return make_function_iterator<I>(*this, ctx);
  }
};

/// Base of such iterators.
template <class I>
class PredicateIterator : public UnaryIterator<PredicateDataset<I>> {
 public:
  PredicateIterator(const PredicateDataset<I>& dataset, IteratorPtr input,
                    std::unique_ptr<data::BoundFunction> predicate)
      : UnaryIterator<PredicateDataset<I>>(dataset, std::move(input)), predicate_(std::move(predicate)) {}

  Status save(IteratorContext& ctx, StateWriter& state) override {
    TINYTF_RETURN_IF_ERROR(predicate_->save(state));
    return UnaryIterator<PredicateDataset<I>>::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_RETURN_IF_ERROR(predicate_->restore(state));
    return UnaryIterator<PredicateDataset<I>>::restore(ctx, state);
  }

 protected:
  /// Pulls an element and sets `is_true` to what the predicate says about it. InvalidArgument with `not_bool` if that
  /// is no scalar bool. `stage` is TensorFlow's name of the stage, for errors.
  Result<Pulled> pull_tested(PullContext& ctx, Element& element, bool& is_true, const char* stage,
                             const char* not_bool) {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, this->input().next(ctx, element));
    if (pulled != Pulled::kElement) return pulled;
    arguments_ = element;
    TINYTF_RETURN_IF_ERROR(data::stage_error(predicate_->run(ctx, arguments_), stage));
    const Result<bool> value = data::predicate_value(arguments_);
    if (!value.ok()) return invalid_argument(not_bool);
    is_true = value.value();
    return Pulled::kElement;
  }

 private:
  const std::unique_ptr<data::BoundFunction> predicate_;
  Element arguments_;  // Its memory is kept between calls.
};

/// Kernel of a PredicateDataset<I>.
template <class I>
class PredicateKernel final : public FunctionDatasetKernel {
 public:
  explicit PredicateKernel(KernelInit& init) : FunctionDatasetKernel(init, "predicate") {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext&, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    return RefPtr<const Dataset>(
        make_ref<PredicateDataset<I>>(std::move(parts), std::move(input), std::move(function)));
  }
};

}  // namespace tinytf::ops
