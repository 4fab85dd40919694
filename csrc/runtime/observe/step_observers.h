#pragma once

#include <optional>

#include "base/inlined_vector.h"
#include "runtime/observe/nan_watch.h"

namespace tinytf {

/// All that look at the nodes of one step: those that were added, in their order, until one objects, and then the NaN
/// watch, so that others have seen the node that it blames. Must outlive the step.
class StepObservers final : public NodeObserver {
 public:
  /// `nan_level`: what the watch ends the step at, as Session::watches_nan gives it; 0: there is none.
  explicit StepObservers(int nan_level);
  StepObservers(const StepObservers&) = delete;
  StepObservers& operator=(const StepObservers&) = delete;

  void add(NodeObserver* observer) { added_.push_back(observer); }
  /// To be asked before a step of the plan: its error for what was computed when the plan was made.
  Status before(Plan& plan) { return nan_watch_ ? nan_watch_->folded_nodes(plan) : Status(); }
  /// For the step's settings: null if nobody looks.
  NodeObserver* observer();

  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) override;
  bool wants_times() const override;
  bool keeps_inputs() const override;

 private:
  InlinedVector<NodeObserver*, 2> added_;
  std::optional<NanWatch> nan_watch_;
};

}  // namespace tinytf
