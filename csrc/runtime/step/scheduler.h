#pragma once

#include <vector>

#include "runtime/plan/plan.h"
#include "runtime/step/slot_uses.h"
#include "runtime/step/step_loan.h"
#include "runtime/step/step_watch.h"
#include "runtime/step/unit_counts.h"
#include "services/thread_pool.h"

namespace tinytf {

/// Threads that a step may use beside the calling one.
struct StepThreads {
  ThreadPool* pool = nullptr;  ///< null: none
  int limit = 1;               ///< threads of one step, the caller's included
};

/// What a step consists of for those who schedule it. Outlives the call.
struct ScheduledStep {
  Plan& plan;
  const StepLoan& loan;
  StepSlots& memory;
  UnitCounts& counts;
  SlotUses& uses;
};

/// Runs the units `roots`, which wait for nothing, and all that thereby come to wait for nothing, on the calling thread
/// and threads of the pool; kernels that wait hold none of them. With `measured`, units' times are noted there. Returns
/// when every unit that began has ended: the first error, with the node's tag, or why the step ended; OK if the time
/// was up when all units were done.
Status run_scheduled(const ScheduledStep& step, const std::vector<int32_t>& roots, StepThreads threads,
                     StepWatch& watch, MeasuredStep* measured = nullptr);

}  // namespace tinytf
