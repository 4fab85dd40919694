#include "ops/data/shared/shuffle_buffer.h"

namespace tinytf::ops {

namespace {

/// More rounds without an element at the end are not counted.
constexpr size_t kMostRounds = 64;

}  // namespace

Status ShuffleBuffer::push(Allocator& allocator, Element& element) {
  TINYTF_RETURN_IF_ERROR(elements_.push(allocator, element));
  ++rounds_.back();
  return Status();
}

void ShuffleBuffer::start_round() {
  if (rounds_.back() > 0 || rounds_.size() < kMostRounds) rounds_.push_back(0);
}

int64_t ShuffleBuffer::choices() {
  while (rounds_.front() == 0 && rounds_.size() > 1) rounds_.pop_front();
  return rounds_.front();
}

Status ShuffleBuffer::pop(Allocator& allocator, int64_t choice, Element& element) {
  TINYTF_RETURN_IF_ERROR(elements_.take(allocator, choice, element));
  --rounds_.front();
  return Status();
}

Status ShuffleBuffer::save(Allocator& allocator, StateWriter& state) const {
  TINYTF_RETURN_IF_ERROR(elements_.save(allocator, state));
  state.put_int("rounds", static_cast<int64_t>(rounds_.size()));
  for (size_t i = 0; i < rounds_.size(); ++i) state.put_int(str_cat("round_", i), rounds_[i]);
  return Status();
}

Status ShuffleBuffer::restore(Allocator& allocator, const StateReader& state, const ElementSpec& spec, int64_t most) {
  *this = ShuffleBuffer();
  TINYTF_ASSIGN_OR_RETURN(const int64_t rounds, state.get_int("rounds", 1, INT64_MAX));
  int64_t total = 0;
  for (int64_t round = 0; round < rounds; ++round) {  // Each takes stored values.
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int(str_cat("round_", round), 0, most - total));
    if (round > 0) rounds_.push_back(0);
    rounds_.back() = count;
    total += count;
  }
  TINYTF_RETURN_IF_ERROR(elements_.restore(allocator, state, spec, most));
  return total == size() ? Status() : state.damaged("size", "has another number of elements than of choices in");
}

}  // namespace tinytf::ops
