#include "ops/data/shared/inner_datasets.h"
#include "ops/data/shared/parallel_calls.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class InterleaveDataset final : public FunctionDataset {
 public:
  InterleaveDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function, Cycle cycle)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)), cycle_(cycle) {}

  const Cycle& cycle() const { return cycle_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const Cycle cycle_;
};

class InterleaveIterator final : public UnaryIterator<InterleaveDataset> {
 public:
  InterleaveIterator(const InterleaveDataset& dataset, IteratorPtr input, std::unique_ptr<data::BoundFunction> function,
                     uint64_t place)
      : UnaryIterator(dataset, std::move(input)), function_(std::move(function)), place_(place) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (!has_ended_ || open_ > 0) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      Place* const place = current();
      if (place == nullptr || !place->iterator) {
        TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, open(ctx, element));
        if (pulled == Pulled::kPending) return pulled;
        continue;
      }
      // After an error, which is not counted, the block goes on.
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, place->iterator->next(ctx, element));
      if (pulled == Pulled::kElement) position_.advance(dataset().cycle(), places());
      if (pulled != Pulled::kEnd) return pulled;
      *place = Place();
      --open_;
      position_.skip(places());
    }
    return Pulled::kEnd;
  }

  Status save(IteratorContext& ctx, StateWriter& state) override {
    TINYTF_RETURN_IF_ERROR(UnaryIterator::save(ctx, state));
    state.put_int("has_ended", has_ended_);
    position_.save(state);
    state.put_int("places", static_cast<int64_t>(places_.size()));
    for (size_t i = 0; i < places_.size(); ++i) {
      StateWriter part = state.inside(str_cat("place_", i));
      part.put_int("is_open", places_[i].iterator != nullptr);
      if (!places_[i].iterator) continue;
      TINYTF_RETURN_IF_ERROR(places_[i].call.save(part));
      StateWriter inner = part.inside("inner");
      TINYTF_RETURN_IF_ERROR(places_[i].iterator->save(ctx, inner));
    }
    return function_->save(state);
  }

  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_RETURN_IF_ERROR(UnaryIterator::restore(ctx, state));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int("places", 0, dataset().cycle().length));
    has_ended_ = has_ended != 0;
    open_ = 0;
    places_.clear();
    for (int64_t i = 0; i < count; ++i) {  // Ends at the first place that the state lacks.
      StateReader part = state.inside(str_cat("place_", i));
      TINYTF_ASSIGN_OR_RETURN(const int64_t is_open, part.get_int("is_open", 0, 1));
      places_.emplace_back();
      if (is_open != 0) TINYTF_RETURN_IF_ERROR(restore_place(ctx, part, i, places_.back()));
    }
    TINYTF_RETURN_IF_ERROR(function_->restore(state));
    return position_.restore(state, dataset().cycle(), count);
  }

 private:
  /// A dataset of the cycle; no iterator: it is empty.
  struct Place {
    MakingCall call;
    IteratorPtr iterator;
  };

  /// Places are made when they are reached, so that their memory is bounded by the input. After its end there are no
  /// more.
  int64_t places() const { return has_ended_ ? static_cast<int64_t>(places_.size()) : dataset().cycle().length; }
  Place* current() {
    const auto place = static_cast<size_t>(position_.place());
    return place < places_.size() ? &places_[place] : nullptr;
  }

  /// Opens the next dataset of the input in the current place, or skips the place if there is none.
  Result<Pulled> open(PullContext& ctx, Element& element) {
    if (!has_ended_) {
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled == Pulled::kPending) return pulled;
      has_ended_ = pulled == Pulled::kEnd;
    }
    if (has_ended_) {
      position_.skip(places());
      return Pulled::kEnd;
    }
    Place made;
    made.call = MakingCall::of(*function_, element);
    Result<IteratorPtr> iterator = make_inner(ctx, position_.place(), element);
    if (!iterator.ok()) return data::stage_error(iterator.status(), "Interleave");
    made.iterator = iterator.take();
    if (current() == nullptr) places_.emplace_back();
    *current() = std::move(made);
    ++open_;
    return Pulled::kElement;
  }

  /// The datasets of one place in the cycle follow each other at one place in the pipeline.
  Result<IteratorPtr> make_inner(IteratorContext& ctx, int64_t index, Element& element) {
    const data::AtPlace inside(ctx, data::place_inside(place_, dataset().levels(), index));
    return inner_iterator_of(ctx, *function_, element);
  }

  Status restore_place(IteratorContext& ctx, StateReader& part, int64_t index, Place& place) {
    TINYTF_RETURN_IF_ERROR(place.call.restore(part, dataset().input().spec(), *function_));
    Element element = place.call.arguments;
    TINYTF_ASSIGN_OR_RETURN(place.iterator, make_inner(ctx, index, element));
    ++open_;
    StateReader inner = part.inside("inner");
    return place.iterator->restore(ctx, inner);
  }

  const std::unique_ptr<data::BoundFunction> function_;
  const uint64_t place_;
  std::vector<Place> places_;
  CyclePosition position_;
  int64_t open_ = 0;  // Places that are not empty.
  bool has_ended_ = false;
};

Result<IteratorPtr> InterleaveDataset::make_iterator(IteratorContext& ctx) const {
  return make_function_iterator<InterleaveIterator>(*this, ctx, ctx.place);
}

class InterleaveKernel final : public FunctionDatasetKernel {
 public:
  explicit InterleaveKernel(KernelInit& init) : FunctionDatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    Cycle cycle;
    TINYTF_ASSIGN_OR_RETURN(cycle.length, scalar_input<int64_t>(ctx, first_option(), "cycle_length"));
    if (cycle.length == -1) cycle.length = automatic_parallelism();
    if (cycle.length <= 0) return invalid_argument("cycle_length must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(cycle.block, scalar_input<int64_t>(ctx, first_option() + 1, "block_length"));
    if (cycle.block <= 0) return invalid_argument("block_length must be greater than zero.");
    return RefPtr<const Dataset>(
        make_ref<InterleaveDataset>(std::move(parts), std::move(input), std::move(function), cycle));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_interleave) {
  using namespace tinytf::ops;
  ops.op("InterleaveDataset")
      .input("input_dataset: variant")
      .input("other_arguments: Targuments")
      .input("cycle_length: int64")
      .input("block_length: int64")
      .output("handle: variant")
      .attr("f: func")
      .attr("Targuments: list(type) >= 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the datasets that `f` makes of the elements of the input, taken in turn: "
          "`block_length` from each of `cycle_length` datasets.");
  kernels.add<InterleaveKernel>("InterleaveDataset");
}
