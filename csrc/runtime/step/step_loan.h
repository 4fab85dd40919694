#pragma once

#include <thread>

#include "runtime/plan/program.h"
#include "runtime/step/step_watch.h"
#include "services/thread_pool.h"

namespace tinytf {

/// What a step lends to its kernels, in two editions. To nodes that yield values only, with loops that may end early
/// when the step is over, as their results are dropped then. To nodes that take a variable or another resource, as
/// `whole`, with loops that run to their end: nothing is left half written.
struct StepLoan : StepServices {
  explicit StepLoan(const StepServices& services) : StepServices(services), whole(services) {}
  const StepServices& to(const PlanNode& node) const { return node.takes_state ? whole : *this; }

  StepServices whole;
};

/// Ends a step's long loops when the step is over; on the thread that made it, it looks at the step's watch too.
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
