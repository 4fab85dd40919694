#include "data/stage_profile.h"

#include <chrono>

namespace tinytf::data {

int64_t StageProfile::now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::vector<const StageProfile*> StageProfile::inputs() const {
  const std::lock_guard lock(mutex_);
  std::vector<const StageProfile*> inputs;
  for (const auto& input : inputs_) inputs.push_back(input.get());
  return inputs;
}

StageProfile::Counts StageProfile::counts() const {
  const auto value = [](const std::atomic<int64_t>& counted) { return counted.load(std::memory_order_relaxed); };
  Counts counts;
  counts.elements = value(elements_);
  counts.own = value(own_);
  counts.waited = value(waited_);
  counts.calls = value(calls_);
  counts.call_began = value(call_began_);
  const int64_t sized = value(sized_);
  counts.element_bytes = sized > 0 ? value(bytes_) / sized : 0;
  counts.held = {value(held_elements_), value(held_most_), value(parallelism_)};
  return counts;
}

}  // namespace tinytf::data
