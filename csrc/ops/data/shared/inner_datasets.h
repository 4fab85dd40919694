#pragma once

#include <memory>

#include "data/captured_function.h"
#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {

/// An iterator, at the place of the context, of the dataset that a function has returned. InvalidArgument with
/// TensorFlow's text if it is none; else fails as data::make_nested_iterator.
Result<IteratorPtr> inner_iterator(IteratorContext& ctx, const Element& results);
/// Calls the function, whose arguments `element` holds, for such an iterator.
Result<IteratorPtr> inner_iterator_of(IteratorContext& ctx, data::BoundFunction& function, Element& element);

/// A call of a function that made an inner dataset, from which a restored iterator makes it again.
struct MakingCall {
  Element arguments;
  RandomStates before;  ///< of the function

  /// The call that follows now.
  static MakingCall of(const data::BoundFunction& function, Element arguments) {
    return {std::move(arguments), function.random_states()};
  }
  Status save(const StateWriter& state) const;
  /// Sets the call, and the function to its state before. `spec` is that of arguments.
  Status restore(const StateReader& state, const ElementSpec& spec, const data::BoundFunction& function);
};

/// The order in which elements of several datasets are taken: `length` places in a cycle, `block` elements from each.
struct Cycle {
  int64_t length = 1;
  int64_t block = 1;
};

/// A place in a cycle.
class CyclePosition {
 public:
  int64_t place() const { return place_; }
  /// Goes on after an element; `places` are in use.
  void advance(const Cycle& cycle, int64_t places) {
    if (++taken_ == cycle.block) skip(places);
  }
  /// Goes to the next place, where a block begins.
  void skip(int64_t places) {
    taken_ = 0;
    pass(places);
  }
  /// Goes to the next place, where the block goes on.
  void pass(int64_t places) { place_ = place_ + 1 >= places ? 0 : place_ + 1; }
  /// Begins a block at this place.
  void jump(int64_t place) {
    if (place != place_) taken_ = 0;
    place_ = place;
  }
  void save(StateWriter& state) const {
    state.put_int("place", place_);
    state.put_int("taken", taken_);
  }
  Status restore(const StateReader& state, const Cycle& cycle, int64_t places) {
    TINYTF_ASSIGN_OR_RETURN(place_, state.get_int("place", 0, places));
    TINYTF_ASSIGN_OR_RETURN(taken_, state.get_int("taken", 0, cycle.block - 1));
    return Status();
  }

 private:
  int64_t place_ = 0;
  int64_t taken_ = 0;  // Elements of the block.
};

}  // namespace tinytf::ops
