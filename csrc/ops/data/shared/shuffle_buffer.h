#pragma once

#include <cstdint>
#include <deque>

#include "ops/data/shared/element_ring.h"

namespace tinytf::ops {

/// The elements that a shuffle chooses from, in the order of their rounds. Elements of a round are taken before those
/// of later ones. Not thread-safe.
class ShuffleBuffer {
 public:
  int64_t size() const { return elements_.size(); }
  /// The number of rounds, of which the first and the last may have no element here.
  size_t rounds() const { return rounds_.size(); }
  /// Makes room for one more element of a buffer of at most `most`. ResourceExhausted without memory.
  Status reserve(Allocator& allocator, int64_t most) { return elements_.reserve(allocator, most); }
  /// Adds the element to the last round; see ElementRing::push.
  Status push(Allocator& allocator, Element& element);
  void start_round();
  /// The number of elements of the first round that has one. There is one.
  int64_t choices();
  /// Sets `element` to element `choice`, which is below choices(), and removes it; see ElementRing::take.
  Status pop(Allocator& allocator, int64_t choice, Element& element);

  /// As ElementRing::prefetch, if there is such an element.
  void prefetch(int64_t choice) const {
    if (choice < size()) elements_.prefetch(choice);
  }

  Status save(Allocator& allocator, StateWriter& state) const;
  /// DataLoss for more than `most` elements.
  Status restore(Allocator& allocator, const StateReader& state, const ElementSpec& spec, int64_t most);

 private:
  ElementRing elements_;
  std::deque<int64_t> rounds_{0};  // The number of elements of each.
};

}  // namespace tinytf::ops
