#pragma once

#include <optional>

#include "base/inlined_vector.h"
#include "runtime/observe/nan_watch.h"

namespace tinytf {

/// The observers of one step: those added, in order until one fails, then the NaN watch, so that the others have seen
/// the node that it blames. Must outlive the step.
class StepObservers final : public NodeObserver {
 public:
  /// `nan_level`: level of the NaN watch, as from Session::watches_nan; 0: none.
  explicit StepObservers(int nan_level);
  StepObservers(const StepObservers&) = delete;
  StepObservers& operator=(const StepObservers&) = delete;

  void add(NodeObserver* observer) { added_.push_back(observer); }
  /// To be called before a step. The NaN watch's error about nodes that were folded at planning time.
  Status before(Plan& plan) { return nan_watch_ ? nan_watch_->folded_nodes(plan) : Status(); }
  /// The observer for RunSettings; null if there are none.
  NodeObserver* observer();

  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) override;
  bool wants_times() const override;
  bool keeps_inputs() const override;

 private:
  InlinedVector<NodeObserver*, 2> added_;
  std::optional<NanWatch> nan_watch_;
};

}  // namespace tinytf
