#pragma once

#include "op/node_observer.h"
#include "services/step_stats.h"

namespace tinytf {

/// Records the time, thread and outputs of every node.
class StatsRecorder final : public NodeObserver {
 public:
  explicit StatsRecorder(StepStats& stats) : stats_(stats) {}
  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) override;
  bool wants_times() const override { return true; }

 private:
  StepStats& stats_;
};

}  // namespace tinytf
