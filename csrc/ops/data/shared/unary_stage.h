#pragma once

#include <memory>
#include <utility>

#include "data/captured_function.h"
#include "data/rewrite_site.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {

/// A dataset whose elements are made from those of one other dataset.
class UnaryDataset : public Dataset {
 public:
  const Dataset& input() const { return *input_; }

 protected:
  UnaryDataset(DatasetParts parts, RefPtr<const Dataset> input) : Dataset(std::move(parts)), input_(std::move(input)) {}
  /// The input, which takes the place of this dataset where noops are dropped; else null. Input 1 of the node, a
  /// constant, makes the stage a noop.
  RefPtr<const Dataset> input_without_noop(const data::RewriteSite& site) const {
    return site.rewrites().drops_noops && site.is_constant(1) ? input_ : nullptr;
  }

 private:
  const RefPtr<const Dataset> input_;
};

/// The iterator of such a dataset. Without an override, its position is the one of its input.
template <class D>
class UnaryIterator : public IteratorOf<D> {
 public:
  UnaryIterator(const D& dataset, IteratorPtr input) : IteratorOf<D>(dataset), input_(std::move(input)) {}

  Status save(IteratorContext& ctx, StateWriter& state) override {
    StateWriter input = state.inside("input");
    return input_->save(ctx, input);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    StateReader input = state.inside("input");
    return input_->restore(ctx, input);
  }

 protected:
  data::Iterator& input() const { return *input_; }

 private:
  const IteratorPtr input_;
};

/// Makes an iterator I(dataset, iterator of the dataset's input, arguments…).
template <class I, class D, class... Args>
Result<IteratorPtr> make_unary_iterator(const D& dataset, IteratorContext& ctx, Args&&... args) {
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, dataset.input().make_iterator(ctx));
  return IteratorPtr(std::make_unique<I>(dataset, std::move(input), std::forward<Args>(args)...));
}

/// A dataset that applies a function to elements of another one.
class FunctionDataset : public UnaryDataset {
 public:
  const data::CapturedFunction& function() const { return function_; }

 protected:
  FunctionDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function)
      : UnaryDataset(std::move(parts), std::move(input)), function_(std::move(function)) {}

 private:
  const data::CapturedFunction function_;
};

/// Makes an iterator I(dataset, iterator of the dataset's input, instance of its function, arguments…).
template <class I, class D, class... Args>
Result<IteratorPtr> make_function_iterator(const D& dataset, IteratorContext& ctx, Args&&... args) {
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<data::BoundFunction> function, dataset.function().bind(ctx));
  return make_unary_iterator<I>(dataset, ctx, std::move(function), std::forward<Args>(args)...);
}

/// Kernel of a dataset of op-specific class D, made by D(parts, input, function, arguments…): the first input of the
/// node is a dataset, the following ones up to those of `Targuments` are captured by the function in attr `function`.
class FunctionDatasetKernel : public DatasetKernel {
 public:
  explicit FunctionDatasetKernel(KernelInit& init, std::string_view function = "f",
                                 std::string_view captured = "Targuments")
      : DatasetKernel(init), function_(init.attr<FuncRef>(function)), captured_(list_length(init.node(), captured)) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) final {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(data::CapturedFunction function,
                            data::CapturedFunction::of(ctx, function_, inputs_between(ctx, 1, captured_)));
    return make(ctx, std::move(parts), std::move(input), std::move(function));
  }
  virtual Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts, RefPtr<const Dataset> input,
                                             data::CapturedFunction function) = 0;
  /// The index of the first input after the captured ones.
  int first_option() const { return 1 + captured_; }

 private:
  const FuncRef function_;
  const int captured_;
};

/// A dataset that takes or repeats its input by a number.
class CountedDataset : public UnaryDataset {
 public:
  CountedDataset(DatasetParts parts, RefPtr<const Dataset> input, int64_t count)
      : UnaryDataset(std::move(parts), std::move(input)), count_(count) {}
  int64_t count() const { return count_; }

 private:
  const int64_t count_;
};

/// Kernel of a dataset D(parts, input, count): inputs are a dataset and a number.
template <class D>
class CountedDatasetKernel final : public DatasetKernel {
 public:
  explicit CountedDatasetKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, scalar_input<int64_t>(ctx, 1, "count"));
    return RefPtr<const Dataset>(make_ref<D>(std::move(parts), std::move(input), count));
  }
};

}  // namespace tinytf::ops
