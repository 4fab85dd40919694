#include "ops/data/shared/shuffle_buffer.h"

#include <algorithm>
#include <utility>

namespace tinytf::ops {

namespace {

/// More rounds without an element at the end are not counted.
constexpr size_t kMostRounds = 64;

}  // namespace

void ShuffleBuffer::grow() {
  std::vector<Element> grown(std::max<size_t>(ring_.size() * 2, 16));
  for (int64_t i = 0; i < size_; ++i) grown[static_cast<size_t>(i)].swap(at(i));
  ring_.swap(grown);
  first_ = 0;
}

void ShuffleBuffer::push(Element& element) {
  if (static_cast<size_t>(size_) == ring_.size()) grow();
  at(size_++).swap(element);
  ++rounds_.back();
}

void ShuffleBuffer::start_round() {
  if (rounds_.back() > 0 || rounds_.size() < kMostRounds) rounds_.push_back(0);
}

int64_t ShuffleBuffer::choices() {
  while (rounds_.front() == 0 && rounds_.size() > 1) rounds_.pop_front();
  return rounds_.front();
}

void ShuffleBuffer::pop(int64_t choice, Element& element) {
  Element& chosen = at(choice);
  element.swap(chosen);
  chosen.clear();  // Its memory serves a later element.
  chosen.swap(at(0));
  ++first_;
  --size_;
  --rounds_.front();
}

Status ShuffleBuffer::save(StateWriter& state) const {
  for (int64_t i = 0; i < size_; ++i) TINYTF_RETURN_IF_ERROR(state.put_element(str_cat(i), at(i)));
  state.put_int("rounds", static_cast<int64_t>(rounds_.size()));
  for (size_t i = 0; i < rounds_.size(); ++i) state.put_int(str_cat("round_", i), rounds_[i]);
  return Status();
}

Status ShuffleBuffer::restore(const StateReader& state, const ElementSpec& spec, int64_t most) {
  *this = ShuffleBuffer();
  TINYTF_ASSIGN_OR_RETURN(const int64_t rounds, state.get_int("rounds", 1, INT64_MAX));
  for (int64_t round = 0; round < rounds; ++round) {  // Each takes stored values.
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int(str_cat("round_", round), 0, most - size_));
    if (round > 0) rounds_.push_back(0);
    for (int64_t i = 0; i < count; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Element element, state.get_element(str_cat(size_), spec));
      push(element);
    }
  }
  return Status();
}

}  // namespace tinytf::ops
