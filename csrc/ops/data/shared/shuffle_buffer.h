#pragma once

#include <cstdint>
#include <deque>

#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {

/// The elements that a shuffle chooses from, in the order of their rounds. Elements of a round are taken before those
/// of later ones. Not thread-safe.
class ShuffleBuffer {
 public:
  int64_t size() const { return size_; }
  /// The number of rounds, of which the first and the last may have no element here.
  size_t rounds() const { return rounds_.size(); }
  /// Swaps the element with an empty one of the buffer, whose memory may be of use, in the last round.
  void push(Element& element);
  void start_round();
  /// The number of elements of the first round that has one. There is one.
  int64_t choices();
  /// Swaps `element` with element `choice`, which is below choices(), and removes it.
  void pop(int64_t choice, Element& element);

  Status save(StateWriter& state) const;
  /// DataLoss for more than `most` elements.
  Status restore(const StateReader& state, const ElementSpec& spec, int64_t most);

 private:
  Element& at(int64_t i) { return ring_[static_cast<size_t>(first_ + i) & (ring_.size() - 1)]; }
  const Element& at(int64_t i) const { return ring_[static_cast<size_t>(first_ + i) & (ring_.size() - 1)]; }
  void grow();

  std::vector<Element> ring_;  // Its size is a power of two, or 0.
  int64_t first_ = 0;          // Index of the first element.
  int64_t size_ = 0;
  std::deque<int64_t> rounds_{0};  // The number of elements of each.
};

}  // namespace tinytf::ops
