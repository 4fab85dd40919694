#include <map>
#include <memory>

#include "data/element_list.h"
#include "ops/data/shared/captured_functions.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// Indices of the functions.
enum WindowFunction : size_t { kKeyOfElement, kReduceWindow, kWindowSize };

class GroupByWindowDataset final : public UnaryDataset {
 public:
  GroupByWindowDataset(DatasetParts parts, RefPtr<const Dataset> input, std::vector<data::CapturedFunction> functions)
      : UnaryDataset(std::move(parts), std::move(input)),
        functions_(std::move(functions)),
        input_spec_(std::make_shared<const ElementSpec>(this->input().spec())) {}

  const std::shared_ptr<const ElementSpec>& input_spec() const { return input_spec_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const std::vector<data::CapturedFunction> functions_;
  const std::shared_ptr<const ElementSpec> input_spec_;
};

class GroupByWindowIterator final : public UnaryIterator<GroupByWindowDataset> {
 public:
  GroupByWindowIterator(const GroupByWindowDataset& dataset, IteratorPtr input, BoundFunctions functions,
                        uint64_t place)
      : UnaryIterator(dataset, std::move(input)),
        functions_(std::move(functions)),
        place_(data::place_inside(place, dataset.levels(), 0)) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      if (reduced_) {
        TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, reduced_->next(ctx, element));
        if (pulled != Pulled::kEnd) return pulled;
        reduced_ = nullptr;
        groups_.erase(reduced_key_);
      }
      if (has_ended_) {
        if (groups_.empty()) return Pulled::kEnd;
        TINYTF_RETURN_IF_ERROR(reduce(ctx, groups_.begin()->first));
        continue;
      }
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled == Pulled::kPending) return pulled;
      has_ended_ = pulled == Pulled::kEnd;
      if (!has_ended_) TINYTF_RETURN_IF_ERROR(add(ctx, element));
    }
  }
  Status save(IteratorContext& ctx, StateWriter& state) override;
  Status restore(IteratorContext& ctx, StateReader& state) override;

 private:
  using Group = std::shared_ptr<std::vector<Element>>;

  /// Adds the element to the group of its key, and begins to yield the group if it is full.
  Status add(IteratorContext& ctx, Element& element) {
    arguments_ = element;
    TINYTF_RETURN_IF_ERROR(functions_[kKeyOfElement]->run(ctx, arguments_));
    TINYTF_ASSIGN_OR_RETURN(const int64_t key, int64_result(arguments_, "key_func"));
    auto size = sizes_.find(key);
    if (size == sizes_.end()) {
      TINYTF_RETURN_IF_ERROR(functions_[kWindowSize]->run(ctx, arguments_));
      TINYTF_ASSIGN_OR_RETURN(const int64_t window, int64_result(arguments_, "window_size_func"));
      if (window <= 0) return invalid_argument("Window size must be greater than zero, but got ", window, ".");
      size = sizes_.emplace(key, window).first;
    }
    Group& group = groups_[key];
    if (!group || group.use_count() > 1) {  // A dataset may refer to it, if the reduction has failed.
      group = group ? std::make_shared<std::vector<Element>>(*group) : std::make_shared<std::vector<Element>>();
    }
    group->push_back(std::move(element));
    return static_cast<int64_t>(group->size()) == size->second ? reduce(ctx, key) : Status();
  }

  /// Makes the iterator of the reduced group. After an error the group stays as it is.
  Status reduce(IteratorContext& ctx, int64_t key) {
    arguments_.clear();
    arguments_.push_back(Tensor::scalar(key));
    TINYTF_ASSIGN_OR_RETURN(
        Tensor window, data::ElementList::tensor_of(dataset().origin().node, dataset().input_spec(), groups_[key]));
    arguments_.push_back(std::move(window));
    before_ = functions_[kReduceWindow]->random_states();
    TINYTF_RETURN_IF_ERROR(functions_[kReduceWindow]->run(ctx, arguments_));
    if (arguments_.size() != 1 || arguments_[0].dtype() != DType::kVariant || arguments_[0].rank() != 0) {
      return invalid_argument("`reduce_func` must return a single scalar of dtype DT_VARIANT.");
    }
    TINYTF_ASSIGN_OR_RETURN(const Dataset* const made, data::dataset_of(arguments_[0]));
    const data::AtPlace inside(ctx, place_);
    TINYTF_ASSIGN_OR_RETURN(reduced_, data::make_nested_iterator(ctx, *made));
    reduced_key_ = key;
    return Status();
  }

  const BoundFunctions functions_;
  const uint64_t place_;
  std::map<int64_t, Group> groups_;   // By key.
  std::map<int64_t, int64_t> sizes_;  // Of full groups, by key.
  IteratorPtr reduced_;               // Of the group that is being yielded; null if there is none.
  int64_t reduced_key_ = 0;
  RandomStates before_;  // Of the reduce function, before it made `reduced_`.
  bool has_ended_ = false;
  Element arguments_;  // Its memory is kept between calls.
};

Status GroupByWindowIterator::save(IteratorContext& ctx, StateWriter& state) {
  state.put_int("has_ended", has_ended_);
  state.put_int("sizes", static_cast<int64_t>(sizes_.size()));
  int64_t i = 0;
  for (const auto& [key, size] : sizes_) {
    state.put_int(str_cat("key_", i), key);
    state.put_int(str_cat("size_", i), size);
    const auto group = groups_.find(key);
    const int64_t count = group == groups_.end() ? 0 : static_cast<int64_t>(group->second->size());
    StateWriter elements = state.inside(str_cat("group_", i++));
    elements.put_int("elements", count);
    for (int64_t k = 0; k < count; ++k) {
      TINYTF_RETURN_IF_ERROR(elements.put_element(str_cat(k), (*group->second)[static_cast<size_t>(k)]));
    }
  }
  TINYTF_RETURN_IF_ERROR(UnaryIterator::save(ctx, state));
  state.put_int("has_reduced", reduced_ != nullptr);
  state.put_int("reduced_key", reduced_key_);
  TINYTF_RETURN_IF_ERROR(save_all(functions_, state));
  if (!reduced_) return Status();
  StateWriter reduced = state.inside("reduced"), before = state.inside("before");
  TINYTF_RETURN_IF_ERROR(data::put_random_states(before, before_));
  return reduced_->save(ctx, reduced);
}

Status GroupByWindowIterator::restore(IteratorContext& ctx, StateReader& state) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(const int64_t sizes, state.get_int("sizes", 0, INT64_MAX));
  has_ended_ = has_ended != 0;
  reduced_ = nullptr;
  groups_.clear();
  sizes_.clear();
  for (int64_t i = 0; i < sizes; ++i) {  // Each takes stored values, and so does each element.
    TINYTF_ASSIGN_OR_RETURN(const int64_t key, state.get_int(str_cat("key_", i)));
    TINYTF_ASSIGN_OR_RETURN(sizes_[key], state.get_int(str_cat("size_", i), 1, INT64_MAX));
    const StateReader elements = state.inside(str_cat("group_", i));
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, elements.get_int("elements", 0, INT64_MAX));
    for (int64_t k = 0; k < count; ++k) {
      TINYTF_ASSIGN_OR_RETURN(Element element, elements.get_element(str_cat(k), *dataset().input_spec()));
      Group& group = groups_[key];
      if (!group) group = std::make_shared<std::vector<Element>>();
      group->push_back(std::move(element));
    }
  }
  TINYTF_RETURN_IF_ERROR(UnaryIterator::restore(ctx, state));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_reduced, state.get_int("has_reduced", 0, 1));
  if (has_reduced == 0) return restore_all(functions_, state);
  TINYTF_ASSIGN_OR_RETURN(const int64_t key, state.get_int("reduced_key"));
  if (groups_.count(key) == 0) return Status(Code::kDataLoss, "The saved position is in a group that is not there");
  TINYTF_ASSIGN_OR_RETURN(RandomStates before, data::get_random_states(state.inside("before")));
  functions_[kReduceWindow]->set_random_states(std::move(before));
  TINYTF_RETURN_IF_ERROR(reduce(ctx, key));
  TINYTF_RETURN_IF_ERROR(restore_all(functions_, state));
  StateReader reduced = state.inside("reduced");
  return reduced_->restore(ctx, reduced);
}

Result<IteratorPtr> GroupByWindowDataset::make_iterator(IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(BoundFunctions functions, bind_all(ctx, functions_));
  return make_unary_iterator<GroupByWindowIterator>(*this, ctx, std::move(functions), ctx.place);
}

class GroupByWindowKernel final : public DatasetKernel {
 public:
  explicit GroupByWindowKernel(KernelInit& init)
      : DatasetKernel(init), functions_(init, {"key_func", "reduce_func", "window_size_func"}) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(std::vector<data::CapturedFunction> functions, functions_.capture(ctx, 1));
    return RefPtr<const Dataset>(
        make_ref<GroupByWindowDataset>(std::move(parts), std::move(input), std::move(functions)));
  }

 private:
  const FunctionAttrs functions_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_group_by_window) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<GroupByWindowKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("key_func_other_arguments: Tkey_func_other_arguments")
        .input("reduce_func_other_arguments: Treduce_func_other_arguments")
        .input("window_size_func_other_arguments: Twindow_size_func_other_arguments")
        .output("handle: variant")
        .attr("key_func: func")
        .attr("reduce_func: func")
        .attr("window_size_func: func")
        .attr("Tkey_func_other_arguments: list(type) >= 0")
        .attr("Treduce_func_other_arguments: list(type) >= 0")
        .attr("Twindow_size_func_other_arguments: list(type) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("GroupByWindowDataset")
      .doc(
          "Makes a dataset of the elements of the datasets that `reduce_func` makes of a key and a dataset of as "
          "many elements of this key as `window_size_func` says; at the end of the input, of fewer.");
  declare("ExperimentalGroupByWindowDataset").doc("An earlier name of GroupByWindowDataset.");
}
