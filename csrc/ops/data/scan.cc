#include <iterator>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

struct ScanOptions {
  Element initial_state;
  std::vector<DType> state_types;
  bool keeps_cardinality = false;
};

class ScanDataset final : public UnaryDataset {
 public:
  ScanDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function, ScanOptions options)
      : UnaryDataset(std::move(parts), std::move(input)),
        function_(std::move(function)),
        options_(std::move(options)) {}

  const data::CapturedFunction& function() const { return function_; }
  const ScanOptions& options() const { return options_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const data::CapturedFunction function_;
  const ScanOptions options_;
};

class ScanIterator final : public UnaryIterator<ScanDataset> {
 public:
  ScanIterator(const ScanDataset& dataset, IteratorPtr input, std::unique_ptr<data::BoundFunction> function)
      : UnaryIterator(dataset, std::move(input)),
        function_(std::move(function)),
        state_(dataset.options().initial_state) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
    if (pulled != Pulled::kElement) return pulled;
    results_ = state_;
    std::move(element.begin(), element.end(), std::back_inserter(results_));
    TINYTF_ASSIGN_OR_RETURN(const Pulled called,
                            data::mapped(ctx, function_->run(ctx, results_), dataset().options().keeps_cardinality));
    if (called != Pulled::kElement) return called;
    TINYTF_RETURN_IF_ERROR(check_results());
    const auto first_output = results_.begin() + static_cast<std::ptrdiff_t>(state_.size());
    std::move(results_.begin(), first_output, state_.begin());
    element.assign(std::make_move_iterator(first_output), std::make_move_iterator(results_.end()));
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    TINYTF_RETURN_IF_ERROR(state.put_element("state", state_));
    TINYTF_RETURN_IF_ERROR(function_->save(state));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    const ElementSpec spec{dataset().options().state_types, std::vector<PartialShape>(state_.size())};
    TINYTF_ASSIGN_OR_RETURN(state_, state.get_element("state", spec));
    TINYTF_RETURN_IF_ERROR(function_->restore(state));
    return UnaryIterator::restore(ctx, state);
  }

 private:
  Status check_results() const {
    const std::vector<DType>& states = dataset().options().state_types;
    const std::vector<DType>& outputs = dataset().spec().types;
    if (results_.size() != states.size() + outputs.size()) {
      return invalid_argument("scan_func must return ", states.size() + outputs.size(), " values, but returned ",
                              results_.size(), ".");
    }
    for (size_t i = 0; i < results_.size(); ++i) {
      const DType expected = i < states.size() ? states[i] : outputs[i - states.size()];
      if (results_[i].dtype() == expected) continue;
      return invalid_argument("Got wrong type for scan_func return value ", i, " (expected ", dtype_name(expected),
                              ", got ", dtype_name(results_[i].dtype()), ").");
    }
    return Status();
  }

  const std::unique_ptr<data::BoundFunction> function_;
  Element state_;
  Element results_;  // Its memory is kept between calls.
};

Result<IteratorPtr> ScanDataset::make_iterator(IteratorContext& ctx) const {
  return make_function_iterator<ScanIterator>(*this, ctx);
}

class ScanKernel final : public DatasetKernel {
 public:
  explicit ScanKernel(KernelInit& init)
      : DatasetKernel(init),
        function_(init.attr<FuncRef>("f")),
        state_types_(init.attr<std::vector<DType>>("Tstate")),
        captured_(list_length(init.node(), "Targuments")),
        keeps_cardinality_(init.attr<bool>("preserve_cardinality")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    const int states = static_cast<int>(state_types_.size());
    TINYTF_ASSIGN_OR_RETURN(data::CapturedFunction function,
                            data::CapturedFunction::of(ctx, function_, inputs_between(ctx, 1 + states, captured_)));
    ScanOptions options{inputs_between(ctx, 1, states), state_types_, keeps_cardinality_};
    return RefPtr<const Dataset>(
        make_ref<ScanDataset>(std::move(parts), std::move(input), std::move(function), std::move(options)));
  }

 private:
  const FuncRef function_;
  const std::vector<DType> state_types_;
  const int captured_;
  const bool keeps_cardinality_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_scan) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<ScanKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("initial_state: Tstate")
        .input("other_arguments: Targuments")
        .output("handle: variant")
        .attr("f: func")
        .attr("Tstate: list(type) >= 1")
        .attr("Targuments: list(type) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .attr("preserve_cardinality: bool = false")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("ScanDataset")
      .doc(
          "Makes a dataset of the results of `f` for a state and each element of the input. The first results are "
          "the next state.");
  declare("ExperimentalScanDataset").doc("An earlier name of ScanDataset.");
}
