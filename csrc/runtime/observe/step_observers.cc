#include "runtime/observe/step_observers.h"

#include <algorithm>

namespace tinytf {

StepObservers::StepObservers(int nan_level) {
  if (nan_level > 0) nan_watch_.emplace(/*infinities=*/nan_level > 1);
}

NodeObserver* StepObservers::observer() {
  if (added_.empty()) return nan_watch_ ? &*nan_watch_ : nullptr;
  return added_.size() == 1 && !nan_watch_ ? added_[0] : this;
}

Status StepObservers::after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) {
  for (NodeObserver* observer : added_) TINYTF_RETURN_IF_ERROR(observer->after(ctx, start_ns, iterations));
  return nan_watch_ ? nan_watch_->after(ctx, start_ns, iterations) : Status();
}

bool StepObservers::wants_times() const {
  return std::any_of(added_.begin(), added_.end(), [](const auto* observer) { return observer->wants_times(); });
}

bool StepObservers::keeps_inputs() const {
  return (nan_watch_ && nan_watch_->keeps_inputs()) ||
         std::any_of(added_.begin(), added_.end(), [](const auto* observer) { return observer->keeps_inputs(); });
}

}  // namespace tinytf
