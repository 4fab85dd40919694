#include <utility>

#include "ops/data/shared/fastest_choice.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class ChooseFastestDataset final : public Dataset {
 public:
  ChooseFastestDataset(DatasetParts parts, std::vector<RefPtr<const Dataset>> inputs, int64_t experiments)
      : Dataset(std::move(parts)), inputs_(std::move(inputs)), experiments_(experiments) {}

  const std::vector<RefPtr<const Dataset>>& inputs() const { return inputs_; }
  int64_t experiments() const { return experiments_; }
  int64_t cardinality() const override {
    for (const auto& input : inputs_) {
      if (input->cardinality() != data::kUnknownCardinality) return input->cardinality();
    }
    return data::kUnknownCardinality;
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const std::vector<RefPtr<const Dataset>> inputs_;
  const int64_t experiments_;
};

/// Pulls all inputs, of which the first decides about elements and errors, until the experiments have ended; then the
/// fastest.
class ChooseFastestIterator final : public IteratorOf<ChooseFastestDataset> {
 public:
  ChooseFastestIterator(const ChooseFastestDataset& dataset, std::vector<IteratorPtr> inputs)
      : IteratorOf(dataset), inputs_(std::move(inputs)), choice_(inputs_.size()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (experiment_ >= dataset().experiments()) {
      choose(choice_.fastest());
      return inputs_[static_cast<size_t>(chosen_)]->next(ctx, element);
    }
    for (; at_ < inputs_.size(); ++at_) {
      choice_.begin();
      Element& to = at_ == 0 ? first_ : element;
      const Result<Pulled> pulled = inputs_[at_]->next(ctx, to);
      if (pulled.ok() && pulled.value() == Pulled::kPending) return pulled;
      choice_.end(at_);
      if (at_ == 0) outcome_ = pulled;
    }
    at_ = 0;
    ++experiment_;
    element.swap(first_);
    return std::exchange(outcome_, Pulled::kEnd);
  }

  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("experiment", experiment_);
    state.put_int("at", static_cast<int64_t>(at_));
    if (at_ > 0) TINYTF_RETURN_IF_ERROR(save_outcome(state));
    state.put_int("chosen", chosen_);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]) continue;
      StateWriter input = state.inside(str_cat("input_", i));
      TINYTF_RETURN_IF_ERROR(inputs_[i]->save(ctx, input));
    }
    return Status();
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    const auto last = static_cast<int64_t>(inputs_.size()) - 1;
    TINYTF_ASSIGN_OR_RETURN(experiment_, state.get_int("experiment", 0, INT64_MAX));
    TINYTF_ASSIGN_OR_RETURN(const int64_t at, state.get_int("at", 0, last));
    at_ = static_cast<size_t>(at);
    if (at_ > 0) TINYTF_RETURN_IF_ERROR(restore_outcome(state));
    TINYTF_ASSIGN_OR_RETURN(const int64_t chosen, state.get_int("chosen", -1, last));
    if (chosen >= 0) choose(static_cast<size_t>(chosen));
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]) continue;
      StateReader input = state.inside(str_cat("input_", i));
      TINYTF_RETURN_IF_ERROR(inputs_[i]->restore(ctx, input));
    }
    return Status();
  }

 private:
  /// Of the first input, while the others are pulled.
  Status save_outcome(StateWriter& state) const {
    state.put_status("error", outcome_.ok() ? Status() : outcome_.status());
    if (!outcome_.ok()) return Status();
    const bool has_element = outcome_.value() == Pulled::kElement;
    state.put_int("has_element", has_element);
    return has_element ? state.put_element("element", first_) : Status();
  }
  Status restore_outcome(const StateReader& state) {
    Status error;
    TINYTF_RETURN_IF_ERROR(state.get_status("error", error));
    outcome_ = Pulled::kEnd;
    if (!error.ok()) {
      outcome_ = error;
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_element, state.get_int("has_element", 0, 1));
    if (has_element == 0) return Status();
    outcome_ = Pulled::kElement;
    TINYTF_ASSIGN_OR_RETURN(first_, state.get_element("element", dataset().spec()));
    return Status();
  }

  /// The other inputs end.
  void choose(size_t input) {
    if (chosen_ >= 0) return;
    chosen_ = static_cast<int64_t>(input);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (i != input) inputs_[i] = nullptr;
    }
  }

  std::vector<IteratorPtr> inputs_;  // Null: not chosen.
  FastestChoice choice_;
  int64_t experiment_ = 0;
  int64_t chosen_ = -1;
  size_t at_ = 0;  // The input that is pulled next in this experiment.
  Result<Pulled> outcome_ = Pulled::kEnd;
  Element first_;
};

Result<IteratorPtr> ChooseFastestDataset::make_iterator(IteratorContext& ctx) const {
  std::vector<IteratorPtr> inputs;
  for (const auto& input : inputs_) {
    const auto index = static_cast<int64_t>(inputs.size());
    const data::AtPlace inside(ctx, data::place_inside(ctx.place, levels(), index));
    TINYTF_ASSIGN_OR_RETURN(IteratorPtr made, input->make_iterator(ctx));
    inputs.push_back(std::move(made));
  }
  return IteratorPtr(std::make_unique<ChooseFastestIterator>(*this, std::move(inputs)));
}

std::string types_text(const std::vector<DType>& types) {
  std::string text;
  for (const DType type : types) text += str_cat(text.empty() ? "" : ", ", dtype_name(type));
  return text;
}

/// Checks that input i may take the place of the first one, whose cardinality is known to be `cardinality`.
Status check_candidate(const Dataset& first, const Dataset& input, size_t i, int64_t cardinality) {
  const ElementSpec &expected = first.spec(), &found = input.spec();
  if (found.types != expected.types) {
    return invalid_argument("All inputs to ChooseFastestDataset must have the same output types. Input ", i,
                            " has output types: ", types_text(found.types), ". Expected: ", types_text(expected.types),
                            ".");
  }
  for (size_t j = 0; j < expected.shapes.size() && j < found.shapes.size(); ++j) {
    if (expected.shapes[j].compatible_with(found.shapes[j])) continue;
    return invalid_argument("All inputs to ChooseFastestDataset must have compatible output shapes. Component ", j,
                            " of input ", i, " has shape: ", found.shapes[j].to_string(),
                            ". Expected to be compatible with shape: ", expected.shapes[j].to_string(), ".");
  }
  const int64_t n = input.cardinality();
  if (cardinality == data::kUnknownCardinality || n == data::kUnknownCardinality || n == cardinality) return Status();
  return invalid_argument("All inputs to ChooseFastestDataset must have compatible cardinalities. Input ", i,
                          " has cardinality: ", n, ", while all prior inputs have cardinality: ", cardinality, ".");
}

class ChooseFastestKernel final : public DatasetKernel {
 public:
  explicit ChooseFastestKernel(KernelInit& init)
      : DatasetKernel(init), experiments_(init.attr<int64_t>("num_experiments")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    std::vector<RefPtr<const Dataset>> inputs;
    int64_t cardinality = data::kUnknownCardinality;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, i));
      if (i > 0) TINYTF_RETURN_IF_ERROR(check_candidate(*inputs[0], *input, inputs.size(), cardinality));
      if (cardinality == data::kUnknownCardinality) cardinality = input->cardinality();
      inputs.push_back(std::move(input));
    }
    return RefPtr<const Dataset>(make_ref<ChooseFastestDataset>(std::move(parts), std::move(inputs), experiments_));
  }

 private:
  const int64_t experiments_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_choose_fastest) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<ChooseFastestKernel>(name);
    return ops.op(name)
        .input("input_datasets: N * variant")
        .output("handle: variant")
        .attr("N: int >= 2")
        .attr("num_experiments: int")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("ChooseFastestDataset")
      .doc(
          "Makes a dataset of the elements of the first input, and after `num_experiments` elements, of the input that "
          "was the fastest so far. All have the same elements.");
  declare("ExperimentalChooseFastestDataset").doc("An earlier name of ChooseFastestDataset.");
}
