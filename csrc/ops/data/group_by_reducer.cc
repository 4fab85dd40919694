#include <iterator>
#include <map>

#include "ops/data/shared/captured_functions.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// Indices of the functions.
enum ReducerFunction : size_t { kKeyFunc, kInitFunc, kReduceFunc, kFinalizeFunc };

class GroupByReducerDataset final : public UnaryDataset {
 public:
  GroupByReducerDataset(DatasetParts parts, RefPtr<const Dataset> input, std::vector<data::CapturedFunction> functions)
      : UnaryDataset(std::move(parts), std::move(input)), functions_(std::move(functions)) {}
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const std::vector<data::CapturedFunction> functions_;
};

class GroupByReducerIterator final : public UnaryIterator<GroupByReducerDataset> {
 public:
  GroupByReducerIterator(const GroupByReducerDataset& dataset, IteratorPtr input, BoundFunctions functions)
      : UnaryIterator(dataset, std::move(input)), functions_(std::move(functions)), next_(states_.end()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (!has_ended_) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled == Pulled::kPending) return pulled;
      has_ended_ = pulled == Pulled::kEnd;
      if (has_ended_) next_ = states_.begin();
      if (!has_ended_) TINYTF_RETURN_IF_ERROR(reduce(ctx, element));
    }
    if (next_ == states_.end()) return Pulled::kEnd;
    element = std::move(next_++->second);
    TINYTF_RETURN_IF_ERROR(functions_[kFinalizeFunc]->run(ctx, element));
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("has_ended", has_ended_);
    const auto first = has_ended_ ? next_ : states_.begin();
    int64_t i = 0;
    for (auto at = first; at != states_.end(); ++at, ++i) {
      state.put_int(str_cat("key_", i), at->first);
      TINYTF_RETURN_IF_ERROR(state.put_element(str_cat("state_", i), at->second));
    }
    state.put_int("states", i);
    TINYTF_RETURN_IF_ERROR(save_all(functions_, state));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int("states", 0, INT64_MAX));
    const std::vector<DType>& types = functions_[kInitFunc]->result_types();
    const ElementSpec spec{types, std::vector<PartialShape>(types.size())};
    states_.clear();
    for (int64_t i = 0; i < count; ++i) {  // Each takes stored values.
      TINYTF_ASSIGN_OR_RETURN(const int64_t key, state.get_int(str_cat("key_", i)));
      TINYTF_ASSIGN_OR_RETURN(states_[key], state.get_element(str_cat("state_", i), spec));
    }
    has_ended_ = has_ended != 0;
    next_ = has_ended_ ? states_.begin() : states_.end();
    TINYTF_RETURN_IF_ERROR(restore_all(functions_, state));
    return UnaryIterator::restore(ctx, state);
  }

 private:
  Status reduce(IteratorContext& ctx, const Element& element) {
    arguments_ = element;
    TINYTF_RETURN_IF_ERROR(functions_[kKeyFunc]->run(ctx, arguments_));
    TINYTF_ASSIGN_OR_RETURN(const int64_t key, int64_result(arguments_, "key_func"));
    auto state = states_.find(key);
    if (state == states_.end()) {
      TINYTF_RETURN_IF_ERROR(functions_[kInitFunc]->run(ctx, arguments_));
      state = states_.emplace(key, arguments_).first;
    }
    arguments_ = state->second;  // After an error of the function, the state is the old one.
    std::copy(element.begin(), element.end(), std::back_inserter(arguments_));
    TINYTF_RETURN_IF_ERROR(functions_[kReduceFunc]->run(ctx, arguments_));
    state->second.swap(arguments_);
    return Status();
  }

  const BoundFunctions functions_;
  std::map<int64_t, Element> states_;          // By key.
  std::map<int64_t, Element>::iterator next_;  // To be yielded, once the input has ended.
  bool has_ended_ = false;
  Element arguments_;  // Its memory is kept between calls.
};

Result<IteratorPtr> GroupByReducerDataset::make_iterator(IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(BoundFunctions functions, bind_all(ctx, functions_));
  return make_unary_iterator<GroupByReducerIterator>(*this, ctx, std::move(functions));
}

class GroupByReducerKernel final : public DatasetKernel {
 public:
  explicit GroupByReducerKernel(KernelInit& init)
      : DatasetKernel(init), functions_(init, {"key_func", "init_func", "reduce_func", "finalize_func"}) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(std::vector<data::CapturedFunction> functions, functions_.capture(ctx, 1));
    return RefPtr<const Dataset>(
        make_ref<GroupByReducerDataset>(std::move(parts), std::move(input), std::move(functions)));
  }

 private:
  const FunctionAttrs functions_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_group_by_reducer) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<GroupByReducerKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("key_func_other_arguments: Tkey_func_other_arguments")
        .input("init_func_other_arguments: Tinit_func_other_arguments")
        .input("reduce_func_other_arguments: Treduce_func_other_arguments")
        .input("finalize_func_other_arguments: Tfinalize_func_other_arguments")
        .output("handle: variant")
        .attr("key_func: func")
        .attr("init_func: func")
        .attr("reduce_func: func")
        .attr("finalize_func: func")
        .attr("Tkey_func_other_arguments: list(type) >= 0")
        .attr("Tinit_func_other_arguments: list(type) >= 0")
        .attr("Treduce_func_other_arguments: list(type) >= 0")
        .attr("Tfinalize_func_other_arguments: list(type) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("GroupByReducerDataset")
      .doc(
          "Makes a dataset with one element for each value of `key_func`: the result of `finalize_func` for the "
          "state that `init_func` makes of the key, after `reduce_func` was applied to the state and each element.");
  declare("ExperimentalGroupByReducerDataset").doc("An earlier name of GroupByReducerDataset.");
}
