#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class DirectedInterleaveDataset final : public Dataset {
 public:
  DirectedInterleaveDataset(DatasetParts parts, RefPtr<const Dataset> selector,
                            std::vector<RefPtr<const Dataset>> inputs)
      : Dataset(std::move(parts)), selector_(std::move(selector)), inputs_(std::move(inputs)) {}

  const std::vector<RefPtr<const Dataset>>& inputs() const { return inputs_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const RefPtr<const Dataset> selector_;  // Yields indices of inputs.
  const std::vector<RefPtr<const Dataset>> inputs_;
};

class DirectedInterleaveIterator final : public IteratorOf<DirectedInterleaveDataset> {
 public:
  DirectedInterleaveIterator(const DirectedInterleaveDataset& dataset, IteratorPtr selector,
                             std::vector<IteratorPtr> inputs)
      : IteratorOf(dataset),
        selector_(std::move(selector)),
        inputs_(std::move(inputs)),
        has_ended_(inputs_.size(), false),
        active_(inputs_.size()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (active_ > 0) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      if (selected_ < 0) {
        TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, select(ctx));
        if (pulled != Pulled::kElement) return pulled;
      }
      const auto index = static_cast<size_t>(selected_);
      const Result<Pulled> pulled = has_ended_[index] ? Pulled::kEnd : inputs_[index]->next(ctx, element);
      if (pulled.ok() && pulled.value() == Pulled::kPending) return pulled;
      selected_ = -1;
      if (!pulled.ok() || pulled.value() == Pulled::kElement) return pulled;
      if (!has_ended_[index]) --active_;
      has_ended_[index] = true;
    }
    return Pulled::kEnd;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("selected", selected_);
    StateWriter selector = state.inside("selector");
    TINYTF_RETURN_IF_ERROR(selector_->save(ctx, selector));
    for (size_t i = 0; i < inputs_.size(); ++i) {
      state.put_int(str_cat("has_ended_", i), has_ended_[i]);
      StateWriter input = state.inside(str_cat("input_", i));
      TINYTF_RETURN_IF_ERROR(inputs_[i]->save(ctx, input));
    }
    return Status();
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(selected_, state.get_int("selected", -1, static_cast<int64_t>(inputs_.size()) - 1));
    StateReader selector = state.inside("selector");
    TINYTF_RETURN_IF_ERROR(selector_->restore(ctx, selector));
    active_ = 0;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int(str_cat("has_ended_", i), 0, 1));
      has_ended_[i] = has_ended != 0;
      if (!has_ended_[i]) ++active_;
      StateReader input = state.inside(str_cat("input_", i));
      TINYTF_RETURN_IF_ERROR(inputs_[i]->restore(ctx, input));
    }
    return Status();
  }

 private:
  /// Sets the index of the input that is next.
  Result<Pulled> select(PullContext& ctx) {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, selector_->next(ctx, choice_));
    if (pulled != Pulled::kElement) return pulled;
    if (choice_.size() != 1 || choice_[0].dtype() != DType::kInt64 || choice_[0].rank() != 0) {
      return invalid_argument("The selector input must be a dataset of scalar int64 elements.");
    }
    const int64_t index = choice_[0].int_at(0);
    if (index < 0 || index >= static_cast<int64_t>(inputs_.size())) {
      return invalid_argument("Selector index out of range: ", index, " >= ", inputs_.size());
    }
    selected_ = index;
    return pulled;
  }

  const IteratorPtr selector_;
  const std::vector<IteratorPtr> inputs_;
  std::vector<bool> has_ended_;  // By input.
  size_t active_;                // Inputs that have not ended.
  int64_t selected_ = -1;        // The input to be pulled; negative if it is not selected yet.
  Element choice_;
};

Result<IteratorPtr> DirectedInterleaveDataset::make_iterator(IteratorContext& ctx) const {
  const auto make = [&](const Dataset& dataset, size_t index) {
    const data::AtPlace inside(ctx, data::place_inside(ctx.place, levels(), static_cast<int64_t>(index)));
    return dataset.make_iterator(ctx);
  };
  std::vector<IteratorPtr> inputs;
  for (const auto& input : inputs_) {
    TINYTF_ASSIGN_OR_RETURN(IteratorPtr made, make(*input, inputs.size()));
    inputs.push_back(std::move(made));
  }
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr selector, make(*selector_, inputs.size()));
  return IteratorPtr(std::make_unique<DirectedInterleaveIterator>(*this, std::move(selector), std::move(inputs)));
}

std::string names_of(const std::vector<DType>& types) {
  std::string names;
  for (const DType type : types) names += str_cat(names.empty() ? "" : ", ", dtype_name(type));
  return names;
}

class DirectedInterleaveKernel final : public DatasetKernel {
 public:
  explicit DirectedInterleaveKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> selector, dataset_input(ctx, 0));
    const ElementSpec& choice = selector->spec();
    if (choice.types.size() != 1 || choice.types[0] != DType::kInt64 ||
        !choice.shapes[0].compatible_with(PartialShape::scalar())) {
      return invalid_argument("The selector input must be a dataset of scalar int64 elements.");
    }
    std::vector<RefPtr<const Dataset>> inputs;
    for (int i = 1; i < ctx.num_inputs(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, i));
      inputs.push_back(std::move(input));
      const std::vector<DType>&first = inputs[0]->spec().types, types = inputs.back()->spec().types;
      if (types == first) continue;
      return invalid_argument("All inputs must have the same output_dtypes. First input has types ", names_of(first),
                              ", and input ", i - 1, " has types ", names_of(types));
    }
    return RefPtr<const Dataset>(
        make_ref<DirectedInterleaveDataset>(std::move(parts), std::move(selector), std::move(inputs)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_directed_interleave) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<DirectedInterleaveKernel>(name);
    return ops.op(name)
        .input("selector_input_dataset: variant")
        .input("data_input_datasets: N * variant")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .attr("N: int >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("DirectedInterleaveDataset")
      .doc(
          "Makes a dataset that takes each element from the dataset whose index `selector_input_dataset` yields. "
          "Datasets that have ended are passed over.");
  declare("ExperimentalDirectedInterleaveDataset").doc("An earlier name of DirectedInterleaveDataset.");
}
