#include "services/step_stats.h"

#include <chrono>

#include "services/platform.h"

namespace tinytf {

namespace {

template <class Clock>
int64_t ns_of() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

}  // namespace

StepStats::StepStats() : epoch_offset_(ns_of<std::chrono::system_clock>() - ns_of<std::chrono::steady_clock>()) {}

int64_t StepStats::now() const { return ns_of<std::chrono::steady_clock>() + epoch_offset_; }

void StepStats::add(NodeStats stats) {
  std::lock_guard lock(mutex_);
  nodes_.push_back(std::move(stats));
}

std::vector<NodeStats> StepStats::take() {
  std::lock_guard lock(mutex_);
  return std::move(nodes_);
}

uint32_t StepStats::this_thread() {
  static thread_local const uint32_t id = this_thread_number();
  return id;
}

}  // namespace tinytf
