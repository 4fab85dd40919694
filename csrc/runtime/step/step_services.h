#pragma once

#include <thread>

#include "runtime/plan/program.h"
#include "runtime/step/stop_check.h"
#include "services/thread_pool.h"

namespace tinytf {

/// The services that a step lends to its kernels, in two versions. Nodes without resource inputs get the base: their
/// loops may end early when the step is over, since their results are dropped. Nodes that take a variable or another
/// resource get `whole`: their loops run to completion, so no state is left half-written.
struct StepServices : KernelServices {
  explicit StepServices(const KernelServices& services) : KernelServices(services), whole(services) {}
  const KernelServices& to(const PlanNode& node) const { return node.takes_state ? whole : *this; }

  KernelServices whole;
};

/// Ends a step's long loops when the step is over. On the thread that made it, also makes the step's stop check.
class StepLoops final : public LoopStopCheck {
 public:
  StepLoops(StepStopCheck& stop_check, Cancellation& cancellation)
      : stop_check_(stop_check), cancellation_(cancellation), caller_(std::this_thread::get_id()) {}
  bool is_over() override {
    if (std::this_thread::get_id() == caller_ && !stop_check_.look().ok()) cancellation_.cancel();
    return cancellation_.cancelled();
  }

 private:
  StepStopCheck& stop_check_;
  Cancellation& cancellation_;
  const std::thread::id caller_;
};

}  // namespace tinytf
