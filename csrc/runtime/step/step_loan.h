#pragma once

#include <thread>

#include "runtime/plan/program.h"
#include "runtime/step/step_watch.h"
#include "services/thread_pool.h"

namespace tinytf {

/// The services that a step lends to its kernels, in two versions. Nodes without resource inputs get the base: their
/// loops may end early when the step is over, since their results are dropped. Nodes that take a variable or another
/// resource get `whole`: their loops run to completion, so no state is left half-written.
struct StepLoan : StepServices {
  explicit StepLoan(const StepServices& services) : StepServices(services), whole(services) {}
  const StepServices& to(const PlanNode& node) const { return node.takes_state ? whole : *this; }

  StepServices whole;
};

/// Ends a step's long loops when the step is over. On the thread that made it, also checks the step's watch.
class StepLoops final : public LoopWatch {
 public:
  StepLoops(StepWatch& watch, Cancellation& cancellation)
      : watch_(watch), cancellation_(cancellation), caller_(std::this_thread::get_id()) {}
  bool is_over() override {
    if (std::this_thread::get_id() == caller_ && !watch_.look().ok()) cancellation_.cancel();
    return cancellation_.cancelled();
  }

 private:
  StepWatch& watch_;
  Cancellation& cancellation_;
  const std::thread::id caller_;
};

}  // namespace tinytf
