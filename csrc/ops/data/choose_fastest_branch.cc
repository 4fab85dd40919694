#include <atomic>
#include <utility>

#include "base/checked.h"
#include "ops/data/shared/branch_input.h"
#include "ops/data/shared/fastest_choice.h"
#include "ops/data/shared/inner_datasets.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// What a branch sees as its input in its turn: the next `most` elements; negative: all the rest.
class BranchSlice final : public Dataset {
 public:
  BranchSlice(DatasetParts parts, RefPtr<BranchInput> input, int64_t turn, int64_t most)
      : Dataset(std::move(parts)), input_(std::move(input)), turn_(turn), most_(most) {}

  BranchInput& input() const { return *input_; }
  int64_t turn() const { return turn_; }
  int64_t most() const { return most_; }
  bool has_graph() const override { return false; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const RefPtr<BranchInput> input_;
  const int64_t turn_;
  const int64_t most_;
  mutable std::atomic<bool> has_iterator_{false};
};

class BranchSliceIterator final : public IteratorOf<BranchSlice> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (dataset().most() >= 0 && taken_ >= dataset().most()) return Pulled::kEnd;
    Result<Pulled> pulled = dataset().input().pull(ctx, dataset().turn(), element);
    if (!pulled.ok() || pulled.value() == Pulled::kElement) ++taken_;
    return pulled;
  }
  /// The input is saved by its owner.
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("taken", taken_);
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(taken_, state.get_int("taken", 0, INT64_MAX));
    return Status();
  }

 private:
  int64_t taken_ = 0;
};

Result<IteratorPtr> BranchSlice::make_iterator(IteratorContext&) const {
  if (has_iterator_.exchange(true)) {
    return invalid_argument(
        "Cannot create more than one WrapperIterator per WrapperDataset. Make sure the branches to "
        "ChooseFastestDataset do not expect the input to repeat.");
  }
  return IteratorPtr(std::make_unique<BranchSliceIterator>(*this));
}

struct BranchOptions {
  int64_t elements = 1;   ///< pulled from each branch before the fastest is chosen
  int64_t numerator = 1;  ///< a branch makes `denominator` elements of so many
  int64_t denominator = 1;
};

class ChooseFastestBranchDataset final : public UnaryDataset {
 public:
  ChooseFastestBranchDataset(DatasetParts parts, RefPtr<const Dataset> input,
                             std::vector<data::CapturedFunction> branches, BranchOptions options)
      : UnaryDataset(std::move(parts), std::move(input)), branches_(std::move(branches)), options_(options) {}

  const std::vector<data::CapturedFunction>& branches() const { return branches_; }
  const BranchOptions& options() const { return options_; }
  /// As in TensorFlow, as if every branch made elements in this ratio. Computed in floating point, as there.
  int64_t cardinality() const override {
    constexpr double kLimit = 9223372036854775808.0;  // 2^63
    const int64_t n = input().cardinality();
    if (n < 0) return n;
    const double made =
        static_cast<double>(n) * static_cast<double>(options_.numerator) / static_cast<double>(options_.denominator);
    return made < kLimit ? static_cast<int64_t>(made) : data::kUnknownCardinality;
  }
  /// Elements of the input that each branch gets before the fastest is chosen.
  int64_t share() const {
    const Size inputs = Size(options_.elements / options_.denominator) * options_.numerator;
    return inputs.ok() ? inputs.value() : INT64_MAX;
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const std::vector<data::CapturedFunction> branches_;
  const BranchOptions options_;
};

/// Lets each branch make some elements of the next share of the input, then gives the rest to the fastest.
class ChooseFastestBranchIterator final : public IteratorOf<ChooseFastestBranchDataset> {
 public:
  ChooseFastestBranchIterator(const ChooseFastestBranchDataset& dataset, RefPtr<BranchInput> input, uint64_t place)
      : IteratorOf(dataset), input_(std::move(input)), place_(place), choice_(dataset.branches().size()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (!output_) TINYTF_RETURN_IF_ERROR(open(ctx));
    if (has_chosen_) return output_->next(ctx, element);
    choice_.begin();
    Result<Pulled> pulled = output_->next(ctx, element);
    if (pulled.ok() && pulled.value() == Pulled::kPending) return pulled;
    choice_.end(branch_);
    if (++pulls_ == dataset().options().elements) next_branch();
    return pulled;
  }

  /// No branch gets an element meanwhile, so the positions of the input and of the branch belong together.
  Status save(IteratorContext& ctx, StateWriter& state) override {
    return input_->use_alone(ctx, [&](data::Iterator& input) { return save_with(input, ctx, state); });
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    const auto last = static_cast<int64_t>(dataset().branches().size()) - 1;
    TINYTF_RETURN_IF_ERROR(input_->use_alone(ctx, [&](data::Iterator& input) {
      StateReader part = state.inside("input");
      return input.restore(ctx, part);
    }));
    TINYTF_ASSIGN_OR_RETURN(const int64_t branch, state.get_int("branch", 0, last));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_chosen, state.get_int("has_chosen", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(pulls_, state.get_int("pulls", 0, dataset().options().elements - 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_open, state.get_int("is_open", 0, 1));
    branch_ = static_cast<size_t>(branch);
    has_chosen_ = has_chosen != 0;
    output_ = nullptr;
    if (is_open == 0) return Status();
    TINYTF_RETURN_IF_ERROR(open(ctx));
    StateReader output = state.inside("output");
    return output_->restore(ctx, output);
  }

 private:
  Status save_with(data::Iterator& iterator, IteratorContext& ctx, StateWriter& state) {
    StateWriter input = state.inside("input");
    TINYTF_RETURN_IF_ERROR(iterator.save(ctx, input));
    state.put_int("branch", static_cast<int64_t>(branch_));
    state.put_int("has_chosen", has_chosen_);
    state.put_int("pulls", pulls_);
    state.put_int("is_open", output_ != nullptr);
    StateWriter output = state.inside("output");
    return output_ ? output_->save(ctx, output) : Status();
  }

  void next_branch() {
    pulls_ = 0;
    turn_ = input_->begin_turn();
    output_ = nullptr;
    has_chosen_ = ++branch_ == dataset().branches().size();
    if (has_chosen_) branch_ = choice_.fastest();
  }

  /// Makes the iterator of the branch's dataset.
  Status open(IteratorContext& ctx) {
    DatasetParts parts{dataset().input().origin(), std::make_shared<const ElementSpec>(dataset().input().spec()),
                       dataset().input().levels()};
    const int64_t most = has_chosen_ ? -1 : dataset().share();
    TINYTF_ASSIGN_OR_RETURN(Tensor slice,
                            data::tensor_of(make_ref<BranchSlice>(std::move(parts), input_, turn_, most)));
    TINYTF_ASSIGN_OR_RETURN(const std::unique_ptr<data::BoundFunction> function,
                            dataset().branches()[branch_].bind(ctx));
    Element element;
    element.push_back(std::move(slice));
    const data::AtPlace inside(ctx, data::place_inside(place_, dataset().levels(), static_cast<int64_t>(branch_)));
    Result<IteratorPtr> output = inner_iterator_of(ctx, *function, element);
    if (!output.ok()) return data::stage_error(output.status(), "ChooseFastestBranch");
    output_ = output.take();
    return Status();
  }

  const RefPtr<BranchInput> input_;
  const uint64_t place_;
  FastestChoice choice_;
  int64_t turn_ = 0;  // Of the branch.
  size_t branch_ = 0;
  bool has_chosen_ = false;
  int64_t pulls_ = 0;   // Of this branch.
  IteratorPtr output_;  // Of this branch; null before its first pull.
};

Result<IteratorPtr> ChooseFastestBranchDataset::make_iterator(IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, this->input().make_iterator(ctx));
  return IteratorPtr(
      std::make_unique<ChooseFastestBranchIterator>(*this, make_ref<BranchInput>(std::move(input)), ctx.place));
}

class ChooseFastestBranchKernel final : public DatasetKernel {
 public:
  explicit ChooseFastestBranchKernel(KernelInit& init)
      : DatasetKernel(init),
        branches_(init.attr<std::vector<FuncRef>>("branches")),
        lengths_(init.attr<std::vector<int64_t>>("other_arguments_lengths")),
        elements_(init.attr<int64_t>("num_elements_per_branch")),
        captured_(list_length(init.node(), "Targuments")) {
    if (branches_.size() != lengths_.size()) {
      init.fail(invalid_argument("branches and other_arguments_lengths must have the same length."));
    }
  }

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    BranchOptions options;
    options.elements = elements_;
    TINYTF_ASSIGN_OR_RETURN(options.numerator, scalar_input<int64_t>(ctx, 1, "ratio_numerator"));
    if (options.numerator <= 0) return invalid_argument("`ratio_numerator` must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(options.denominator, scalar_input<int64_t>(ctx, 2, "ratio_denominator"));
    if (options.denominator <= 0) return invalid_argument("`ratio_denominator` must be greater than zero.");
    if (elements_ < 1 || elements_ % options.denominator != 0) {
      return invalid_argument("`num_elements_per_branch` must be divisible by `ratio_denominator`.");
    }
    TINYTF_ASSIGN_OR_RETURN(std::vector<data::CapturedFunction> branches, bind_branches(ctx));
    return RefPtr<const Dataset>(
        make_ref<ChooseFastestBranchDataset>(std::move(parts), std::move(input), std::move(branches), options));
  }

 private:
  Result<std::vector<data::CapturedFunction>> bind_branches(const KernelContext& ctx) const {
    constexpr int kFirst = 3;
    std::vector<data::CapturedFunction> branches;
    int64_t taken = 0;
    for (size_t i = 0; i < branches_.size(); ++i) {
      if (lengths_[i] < 0 || lengths_[i] > captured_ - taken) {
        return invalid_argument("other_arguments_lengths do not match the number of other_arguments");
      }
      Element captured = inputs_between(ctx, kFirst + static_cast<int>(taken), static_cast<int>(lengths_[i]));
      taken += lengths_[i];
      TINYTF_ASSIGN_OR_RETURN(data::CapturedFunction branch,
                              data::CapturedFunction::of(ctx, branches_[i], std::move(captured)));
      branches.push_back(std::move(branch));
    }
    return branches;
  }

  const std::vector<FuncRef> branches_;
  const std::vector<int64_t> lengths_;
  const int64_t elements_;
  const int captured_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_choose_fastest_branch) {
  using namespace tinytf::ops;
  ops.op("ChooseFastestBranchDataset")
      .input("input_dataset: variant")
      .input("ratio_numerator: int64")
      .input("ratio_denominator: int64")
      .input("other_arguments: Targuments")
      .output("handle: variant")
      .attr("Targuments: list(type) >= 0")
      .attr("num_elements_per_branch: int >= 1")
      .attr("branches: list(func) >= 1")
      .attr("other_arguments_lengths: list(int) >= 1")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements that `branches`, functions from a dataset to a dataset, make of the input. "
          "Each makes `num_elements_per_branch` elements of its next part, then the fastest one gets the rest.");
  kernels.add<ChooseFastestBranchKernel>("ChooseFastestBranchDataset");
}
